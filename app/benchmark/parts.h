#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/benchmark/row.h"

namespace phaseladder::app {

/// What a part of the benchmark needs around it.
enum class PartNeeds { nothing, window };

/// Rows that are measured in one process of their own, so that no row's memory or threads touch another's.
struct BenchmarkPart {
    std::string_view name;
    PartNeeds needs = PartNeeds::nothing;
    std::vector<BenchmarkRow> (*run)();
};

/// In the order in which they run.
[[nodiscard]] std::span<const BenchmarkPart> benchmarkParts();

// table_rows.cpp
[[nodiscard]] std::vector<BenchmarkRow> phaseTableRows();
[[nodiscard]] std::vector<BenchmarkRow> orderRows();
// attention_rows.cpp
[[nodiscard]] std::vector<BenchmarkRow> map1024Rows();
[[nodiscard]] std::vector<BenchmarkRow> map4096Rows();
[[nodiscard]] std::vector<BenchmarkRow> map16384Rows();
[[nodiscard]] std::vector<BenchmarkRow> preview131072Rows();
[[nodiscard]] std::vector<BenchmarkRow> map131072Rows();
[[nodiscard]] std::vector<BenchmarkRow> previewMillionRows();
[[nodiscard]] std::vector<BenchmarkRow> hotCellRows();
// window_rows.cpp
[[nodiscard]] std::vector<BenchmarkRow> sliderTickRows();
[[nodiscard]] std::vector<BenchmarkRow> sliderTickWidthRows();
[[nodiscard]] std::vector<BenchmarkRow> sliderTick4096Rows();
[[nodiscard]] std::vector<BenchmarkRow> sliderTick131072Rows();
[[nodiscard]] std::vector<BenchmarkRow> tokenDropRows();
[[nodiscard]] std::vector<BenchmarkRow> paintRows();
// line_rows.cpp
[[nodiscard]] std::vector<BenchmarkRow> helperLineRows();
// process_rows.cpp
[[nodiscard]] std::vector<BenchmarkRow> processRows();

}  // namespace phaseladder::app
