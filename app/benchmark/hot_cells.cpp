#include "app/benchmark/hot_cells.h"

#include <algorithm>
#include <set>

#include "app/benchmark/attention_data.h"
#include "core/random.h"
#include "ui/figure/figure_style.h"

namespace phaseladder::app {
namespace {

/// Of two colours, squared.
int distance(QRgb a, QRgb b) {
    const int red = qRed(a) - qRed(b), green = qGreen(a) - qGreen(b), blue = qBlue(a) - qBlue(b);
    return red * red + green * green + blue * blue;
}

}  // namespace

HotCells hotCells(std::int64_t tokens, int width, int count) {
    const AttentionData data = normalData(tokens, width);
    FloatRows queries(tokens, width);
    data.queries.copyRows(0, tokens, queries.data());
    const std::int64_t firstRow = tokens / 16;
    Random random(2);
    HotCells cells;
    std::set<std::int64_t> rows, columns;
    while (static_cast<int>(cells.places.size()) < count) {
        const std::int64_t row =
            firstRow + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(tokens - firstRow)));
        const auto column = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(row)));
        if (rows.contains(row) || columns.contains(column)) {
            continue;
        }
        rows.insert(row);
        columns.insert(column);
        data.keys.copyRows(column, column + 1, queries.row(row).data());
        queries.row(row) *= 3.0f;
        cells.places.emplace_back(row, column);
    }
    AttentionProblem problem;
    problem.queries = HeadRows(std::move(queries));
    problem.keys = data.keys;
    problem.causal = true;
    cells.problem = std::make_shared<const AttentionProblem>(std::move(problem));
    return cells;
}

double visiblePercent(const HotCells& cells, const QImage& picture) {
    const std::int64_t tokens = cells.problem->queries.rows();
    const QList<QRgb> colors =
        ui::colormapFor(ColorMapKind::sequential, ui::figureStyle(ui::StyleKind::light));
    const auto visible = std::count_if(cells.places.begin(), cells.places.end(), [&](const auto& place) {
        const auto row = static_cast<int>(place.first * picture.height() / tokens);
        const auto column = static_cast<int>(place.second * picture.width() / tokens);
        const auto nearest = std::ranges::min_element(
            colors, {}, [shown = picture.pixel(column, row)](QRgb color) { return distance(color, shown); });
        return 2 * (nearest - colors.begin()) >= colors.size() - 1;
    });
    return 100.0 * static_cast<double>(visible) / static_cast<double>(cells.places.size());
}

}  // namespace phaseladder::app
