#include "core/figures/map_plan.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/attention/cpu_backend.h"
#include "core/encodings/absolute.h"
#include "core/figures/figure_parts.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

constexpr std::int64_t maximumMapTokens = 1 << 20;
constexpr std::string_view ofMeans = ", mean", ofMaxima = ", maximum", ofHeads = ", mean of heads";
constexpr std::string_view overHeads = "mean over heads of the ";

/// Numbers that a token takes before attention runs: its query, key and value, where it has rows of its own
/// and is not one of a few words, and what the encoding brings for it: a row, or the vectors of two distances
/// and their projections.
double numbersPerToken(const Scene& scene) {
    const double encoding = hasVectorPerDistance(scene) ? 8.0 : isAbsolute(scene) ? 2.0 : 0.0;
    const double own = isAbsolute(scene) || scene.layers > 1 ? 3.0 : hasCapture(scene) ? 1.5 : 0.0;
    return (own + encoding) * scene.headDim;
}

/// What the scene's rows and the backend that runs first need at once, in bytes.
double neededBytes(const Scene& scene, const FigureRequest& request, const BackendInfo& backend,
                   const MapShape& shape) {
    constexpr double wordsOfToken = 3.0;  // which word a token is, for queries, keys and values
    const auto count = static_cast<double>(std::max(shape.queries, shape.keys));
    const double rows = count * sizeof(double) * (numbersPerToken(scene) + wordsOfToken);
    if (backend.isDouble) {  // turned queries and keys
        return rows + count * sizeof(double) * 2.0 * scene.headDim;
    }
    return rows + cpuBackendBytes({.queries = shape.queries,
                                   .keys = shape.keys,
                                   .width = scene.headDim,
                                   .pixelRows = std::min<std::int64_t>(request.pixelRows, shape.queries),
                                   .pixelColumns = std::min<std::int64_t>(request.pixelColumns, shape.keys)});
}

}  // namespace

Result<void> checkMapSize(const Scene& scene, const FigureRequest& request, const BackendInfo& backend,
                          const MapShape& shape) {
    const std::int64_t tokens = std::max(shape.queries, shape.keys);
    if (tokens > maximumMapTokens) {
        return fail(ErrorKind::usage, fmt::format("text.length {} is above {}, the limit of attention maps.",
                                                  tokens, formatGrouped(maximumMapTokens)));
    }
    const double needed = neededBytes(scene, request, backend, shape);
    return checkFigureMemory(needed, needed / static_cast<double>(std::max<std::int64_t>(tokens, 1)), "n");
}

Result<MapPlan> planMap(const Scene& scene, const FigureRequest& request, const MapShape& shape) {
    MapPlan plan;
    plan.shape = shape;
    plan.window = request.window.value_or(CellWindow{0, shape.queries, 0, shape.keys});
    const auto isInside = [](std::int64_t begin, std::int64_t end, std::int64_t count) {
        return 0 <= begin && begin < end && end <= count;
    };
    if (!isInside(plan.window.rowBegin, plan.window.rowEnd, shape.queries) ||
        !isInside(plan.window.columnBegin, plan.window.columnEnd, shape.keys)) {
        const std::string inside =
            shape.queries == shape.keys
                ? fmt::format("rows and columns are 0:{}", shape.queries)
                : fmt::format("rows are 0:{}, columns 0:{}", shape.queries, shape.keys);
        return fail(ErrorKind::usage,
                    fmt::format("The window {}:{},{}:{} is not inside the map; {}.", plan.window.rowBegin,
                                plan.window.rowEnd, plan.window.columnBegin, plan.window.columnEnd, inside));
    }
    plan.rows = std::min<std::int64_t>(std::max(request.pixelRows, 1), plan.windowRows());
    plan.columns = std::min<std::int64_t>(std::max(request.pixelColumns, 1), plan.windowColumns());
    plan.byToken = scene.view.by == ViewBy::token && !plan.isPooled() && shape.isOfOneText() &&
                   shape.queries <= maximumOrderTokens;
    const double cells = static_cast<double>(plan.rows) * static_cast<double>(plan.columns);
    if (const Result<void> fits =
            checkFigureMemory(cells * 4.0 * sizeof(double), 4.0 * sizeof(double), "cell count");
        !fits) {
        return tl::unexpected(fits.error());
    }
    return plan;
}

std::string mapValueTitle(const Scene& scene, const FigureRequest& request, const MapPlan& plan,
                          bool isMeanOfHeads) {
    std::string title = scene.view.values == ViewValues::weights ? "weight" : "logit";
    const bool isMaximum = plan.isPooled() && request.pooling == Pooling::max;
    if (plan.isPooled()) {
        title += isMaximum ? ofMaxima : ofMeans;
    }
    if (isMeanOfHeads && isMaximum) {  // a maximum is each head's own
        return std::string(overHeads) + title;
    }
    return isMeanOfHeads ? title.append(ofHeads) : title;
}

std::string quantityOf(std::string valueTitle) {
    if (valueTitle.starts_with(overHeads)) {
        valueTitle.erase(0, overHeads.size());
    }
    for (const std::string_view words :
         {ofSampledRows, ofHeads, ofMeans, ofMaxima}) {  // "mean of heads" before "mean"
        if (const std::size_t at = valueTitle.find(words); at != std::string::npos) {
            valueTitle.erase(at, words.size());
        }
    }
    return valueTitle;
}

MapRequest mapRequest(const Scene& scene, const FigureRequest& request, const MapPlan& plan) {
    MapRequest map{plan.window, plan.rows, plan.columns, request.pooling, scene.view.values};
    if (plan.byToken) {
        map.window = CellWindow{0, plan.shape.queries, 0, plan.shape.keys};
        map.pixelRows = plan.shape.queries;
        map.pixelColumns = plan.shape.keys;
    }
    return map;
}

}  // namespace phaseladder
