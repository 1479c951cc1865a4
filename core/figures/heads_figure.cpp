#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/cancelled.h"
#include "core/figures/attention_cells.h"
#include "core/figures/attention_colors.h"
#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/head_maps.h"
#include "core/figures/map_axes.h"
#include "core/figures/map_plan.h"
#include "core/figures/map_tiles.h"
#include "core/figures/token_map.h"

namespace phaseladder {
namespace {

constexpr int largestSide = 256, smallestSide = 16;  // cells of a map

/// Products of two numbers, of all heads together, up to which every row of a long text is computed; above,
/// rows are sampled.
constexpr double mostProducts = 4e10;

/// Pixels a side for the map of each head.
double pixelsASide(const Scene& scene, const FigureRequest& request, const MapTiles& tiles) {
    const auto across = static_cast<double>(tiles.across);
    const double down = std::ceil(static_cast<double>(scene.heads) / across);
    return std::min(request.pixelColumns / (across * (1.0 + tiles.gap) + tiles.gap),
                    request.pixelRows / (down * (1.0 + tiles.gap + tiles.labelRoom) + tiles.gap));
}

/// Small maps leave a larger share to their numbers, on screen and on a narrow page.
MapTiles tilesOf(const Scene& scene, const FigureRequest& request) {
    constexpr double gapPixels = 10.0, labelPixels = 13.0, mostGap = 0.12, mostLabel = 0.45;
    const double leastLabel = std::min(0.045 * std::sqrt(static_cast<double>(scene.heads)), mostLabel);
    MapTiles tiles;
    tiles.meaning = AxisMeaning::head;
    for (int round = 0; round < 2; ++round) {  // the gaps depend on the maps' size, and it on them
        tiles.across =
            bestAcross(scene.heads, request.pixelColumns, request.pixelRows, tiles.gap, tiles.labelRoom);
        const double side = pixelsASide(scene, request, tiles);
        tiles.gap = std::clamp(gapPixels / side, 0.05, mostGap);
        tiles.labelRoom = std::clamp(labelPixels / side, leastLabel, mostLabel);
    }
    tiles.chosen = chosenHeads(scene);
    tiles.shown = scene.head;
    tiles.parameterId = "head";
    tiles.listParameterId = "view.heads";
    return tiles;
}

/// An empty stack with all that its cells do not decide.
Heatmap emptyStack(const Scene& scene, const FigureRequest& request, const MapPlan& plan, MapTiles tiles,
                   std::int64_t definedTokens) {
    Heatmap stack;
    stack.rows = plan.rows * scene.heads;
    stack.columns = plan.columns;
    stack.rowStep = static_cast<double>(plan.windowRows()) / static_cast<double>(plan.rows);
    stack.columnStep = static_cast<double>(plan.windowColumns()) / static_cast<double>(plan.columns);
    stack.valueTitle = mapValueTitle(scene, request, plan, false);
    tiles.rows = plan.rows;
    tiles.x = keyAxis(scene, plan, definedTokens);
    tiles.y = queryAxis(scene, plan, definedTokens);
    tiles.x.choice = tiles.y.choice = {};  // a click chooses a head
    stack.tiles = std::move(tiles);
    return stack;
}

/// Adds the next head's cells below those of the heads before it.
void addHead(Heatmap& stack, const MapValues& cells) {
    const std::size_t before = stack.values.size();
    stack.values.insert(stack.values.end(), cells.values.begin(), cells.values.end());
    if (cells.states.empty() && stack.states.empty()) {
        return;  // all are shown
    }
    stack.states.resize(before, CellState::shown);
    stack.states.insert(stack.states.end(), cells.states.begin(), cells.states.end());
    stack.states.resize(stack.values.size(), CellState::shown);
}

void addNotes(Figure& figure, const MapPlan& plan, const MapRequest& map) {
    const auto rows = plan.windowRows();
    if (map.sampledRows > 0) {
        const std::string count =
            fmt::format("{} of {} rows", groupedNumber(map.sampledRows), groupedNumber(rows));
        const std::string text = (figure.isPartial ? "preview, " : "sampled, ") + count;
        if (!figure.isPartial) {
            figure.warnings.push_back(fmt::format(
                "Each map is made of {}, evenly spread: all heads of so long a text take too long.", count));
        }
        // First: what does not fit beside a pane's title is left out.
        figure.readouts.insert(
            figure.readouts.begin(),
            Readout{"sampled_rows", "rows of each map that are computed",
                    static_cast<double>(map.sampledRows), "rows", std::nullopt, text, Tone::warning});
    }
    if (plan.isPooled()) {
        figure.notes.push_back(fmt::format("{} × {} tokens pooled to {} × {} cells a head.",
                                           groupedNumber(rows), groupedNumber(plan.windowColumns()),
                                           plan.rows, plan.columns));
    }
}

Result<Figure> makeHeads(const Scene& scene, const FigureRequest& request, Engine& engine,
                         std::stop_token stop) {
    const Result<MapShape> shape = mapShape(scene);
    if (!shape) {
        return tl::unexpected(shape.error());
    }
    if (const Result<void> size = checkMapSize(scene, request, engine.mapBackend(scene), *shape); !size) {
        return tl::unexpected(size.error());
    }
    MapTiles tiles = tilesOf(scene, request);
    FigureRequest ofHead = request;  // the whole map, at the size of a thumbnail
    ofHead.window.reset();
    ofHead.pixelRows = ofHead.pixelColumns =
        std::clamp(static_cast<int>(pixelsASide(scene, request, tiles)), smallestSide, largestSide);
    Result<MapPlan> planned = planMap(scene, ofHead, *shape);
    if (!planned) {
        return tl::unexpected(planned.error());
    }
    MapPlan& plan = *planned;
    const auto cells = static_cast<double>(plan.rows * plan.columns * scene.heads);
    if (const Result<void> fits =
            checkFigureMemory(cells * 4.0 * sizeof(double), 4.0 * sizeof(double), "cell count");
        !fits) {
        return tl::unexpected(fits.error());
    }
    MapRequest map = mapRequest(scene, ofHead, plan);
    const auto heads = static_cast<std::size_t>(scene.heads);
    map.sampledRows = affordableRows(scene, map, heads, mostProducts);
    Figure figure;
    if (request.effort == Effort::quick) {
        const std::int64_t quick = affordableRows(scene, map, heads, mostQuickProducts);
        figure.isPartial = quick != map.sampledRows;
        map.sampledRows = quick;
    }
    std::optional<Heatmap> stack;
    double largestRowSumError = 0.0;
    BackendInfo ranOn;
    std::string places;  // all heads on one, but where a GPU is lost in the middle
    bool areNumbers = true;
    {
        const ProgressSpan progress(engine.progress(), "computing heads", scene.heads);
        for (int head = 0; head < scene.heads; ++head) {
            const auto result = engine.attention(withHead(scene, head), &map, false, stop);
            if (!result) {
                return tl::unexpected(result.error());
            }
            if (!stack) {
                stack = emptyStack(scene, request, plan, std::move(tiles), (*result)->definedTokens);
            }
            const Result<UndefinedRows> undefined = addCapturedWarnings(figure, scene, {head}, true, stop);
            if (!undefined) {
                return tl::unexpected(undefined.error());
            }
            plan.undefined = *undefined;
            areNumbers = areNumbers && undefined->isEmpty();
            addHead(*stack, arrangeCells(scene, **result, plan));
            largestRowSumError = std::max(largestRowSumError, (*result)->largestRowSumError);
            ranOn = (*result)->ranOn;
            if (const std::string place = whatRan(ranOn); places.find(place) == std::string::npos) {
                places += (places.empty() ? "" : " and ") + place;
            }
            progress.add(1);
        }
    }
    if (map.sampledRows > 0 && !figure.isPartial) {  // said where the map is seen, on paper too
        stack->valueTitle += ofSampledRows;
    }
    setMapColors(figure, *stack, scene, plan);
    // Of logits in single precision no row is summed.
    if (areNumbers && (scene.view.values == ViewValues::weights || ranOn.isDouble)) {
        figure.readouts.push_back(Readout{"largest_row_sum_error", "largest |sum of a row − 1| of any head",
                                          largestRowSumError, "", rowSumTolerance, "", Tone::neutral});
    }
    figure.matrix = Matrix{stack->rows, stack->columns, stack->values, !ranOn.isDouble, "head", plan.rows};
    figure.readouts.push_back(Readout{"heads", "heads", static_cast<double>(scene.heads), "", std::nullopt,
                                      countOf(scene.heads, "head"), Tone::neutral});
    figure.readouts.push_back(
        Readout{"shown_heads", "shown in Attention", headsText(stack->tiles->chosen), "", std::nullopt,
                (stack->tiles->chosen.size() > 1 ? "mean of " : "shown: ") + headsText(stack->tiles->chosen),
                Tone::neutral});
    Panel panel;
    panel.id = "heads";
    fitAxes(panel, *stack);
    panel.layers.emplace_back(*std::move(stack));
    figure.panels.push_back(std::move(panel));
    figure.ranOn = places;
    addNotes(figure, plan, map);
    return figure;
}

}  // namespace

FigureKind headsFigureKind() {
    return {.id = "heads",
            .label = "All heads",
            .help = "A small attention map of each head, in one range of colours; a click shows a head.",
            .make = makeHeads,
            .emptyState = tokensWanted,
            .followsOrder = true,
            .growsFast = true};
}

}  // namespace phaseladder
