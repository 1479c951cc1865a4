#include <algorithm>

#include <fmt/format.h>

#include "core/engine.h"
#include "core/figures/attention_cells.h"
#include "core/figures/attention_colors.h"
#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/head_maps.h"
#include "core/figures/map_axes.h"
#include "core/figures/map_plan.h"
#include "core/figures/order_comparison.h"
#include "core/figures/token_map.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

Heatmap heatmap(const Scene& scene, const FigureRequest& request, const MapPlan& plan,
                const MapValues& cells) {
    Heatmap map;
    map.rows = plan.rows;
    map.columns = plan.columns;
    map.values = cells.values;
    map.states = cells.states;
    map.rowStart = static_cast<double>(plan.window.rowBegin) - 0.5;
    map.rowStep = static_cast<double>(plan.windowRows()) / static_cast<double>(plan.rows);
    map.columnStart = static_cast<double>(plan.window.columnBegin) - 0.5;
    map.columnStep = static_cast<double>(plan.windowColumns()) / static_cast<double>(plan.columns);
    map.valueTitle = mapValueTitle(scene, request, plan, chosenHeads(scene).size() > 1);
    map.writeValues = plan.isWritten();
    return map;
}

Panel mapPanel(const Scene& scene, const MapPlan& plan, const MapValues& cells, Heatmap map,
               std::int64_t definedTokens) {
    Panel panel;
    panel.id = "attention";
    panel.x = keyAxis(scene, plan, definedTokens);
    panel.y = queryAxis(scene, plan, definedTokens);
    panel.y.reversed = true;
    panel.squareCells = plan.windowRows() == plan.windowColumns();
    const bool isSmall = map.writeValues;
    panel.layers.push_back(std::move(map));
    for (const std::int64_t row : isSmall ? cells.rowsWithoutKeys : std::vector<std::int64_t>()) {
        panel.layers.emplace_back(Text{"no visible keys", Role::muted,
                                       0.5 * (panel.x.minimum + panel.x.maximum),
                                       static_cast<double>(plan.firstRow(row))});
    }
    return panel;
}

void addReadouts(Figure& figure, const Scene& scene, const AttentionResult& result, const MapPlan& plan,
                 const MapValues& cells) {
    // Of logits in single precision no row is summed, and the sum of a row with a NaN is none.
    const bool areSummed = scene.view.values == ViewValues::weights || result.ranOn.isDouble;
    if (areSummed && cells.rowsWithoutNumbers.empty() && plan.undefined.isEmpty()) {
        const double error = result.largestRowSumError;
        const bool sumsToOne = error <= rowSumTolerance;
        figure.readouts.push_back(
            Readout{"largest_row_sum_error", "largest |sum of a row − 1|", error, "", rowSumTolerance,
                    sumsToOne ? "rows sum to 1" : "rows miss 1 by " + formatForPeople(error, 2),
                    sumsToOne ? Tone::good : Tone::warning});
    }
    const std::vector<int> heads = chosenHeads(scene);
    const std::string shown = (heads.size() > 1 ? "mean of " : "") + headsText(heads);
    Readout head{"head", "head", static_cast<double>(heads.front()), "", std::nullopt, shown, Tone::neutral};
    if (heads.size() > 1) {
        head = {"heads", "mean of heads", headsText(heads), "", std::nullopt, shown, Tone::neutral};
    }
    if (scene.layers > 1) {
        head.chip = fmt::format("layer {0} of {0} · ", scene.layers) + shown;
    }
    figure.readouts.push_back(std::move(head));
}

/// Positions without a code: their rows see nothing, their columns are not seen.
void noteUndefined(Figure& figure, const Scene& scene, const AttentionResult& result, const MapPlan& plan) {
    const std::int64_t positions =
        std::max(plan.shape.queryStart + plan.shape.queries, plan.shape.keyStart + plan.shape.keys);
    const std::int64_t undefined = positions - result.definedTokens;
    if (undefined > 0) {
        figure.warnings.push_back(
            fmt::format("{} from position {} on {} no row in the table: no visible keys, and not seen by "
                        "others (hatched).",
                        undefined == 1 ? "1 token" : groupedNumber(undefined) + " tokens",
                        groupedNumber(result.definedTokens), undefined == 1 ? "has" : "have"));
    }
    // The mask hides all keys of the queries that stand before the first one.
    const std::int64_t before =
        scene.causal
            ? std::clamp<std::int64_t>(plan.shape.keyStart - plan.shape.queryStart, 0, plan.shape.queries)
            : 0;
    if (before > 0) {
        figure.warnings.push_back(
            before == 1
                ? fmt::format("Row 0 has no visible keys (hatched): the first key stands at {}.",
                              groupedNumber(plan.shape.keyStart))
                : fmt::format("Rows 0 .. {} have no visible keys (hatched): the first key stands at {}.",
                              groupedNumber(before - 1), groupedNumber(plan.shape.keyStart)));
    }
}

/// Rows that have no number for a key they see; where a file holds what is none, its own sentence says so.
void warnOfRows(Figure& figure, const MapPlan& plan, const MapValues& cells) {
    const std::vector<std::int64_t>& rows = cells.rowsWithoutNumbers;
    if (!rows.empty() && plan.undefined.isEmpty()) {
        figure.warnings.push_back(fmt::format(
            "No number (NaN) in {} of {} {}, the first is row {} (hatched).", groupedNumber(std::ssize(rows)),
            groupedNumber(plan.rows), plan.isPooled() ? "rows of cells" : "rows",
            groupedNumber(plan.firstRow(rows.front()))));
    }
}

void addNotes(Figure& figure, const Scene& scene, const MapPlan& plan) {
    if (scene.view.by == ViewBy::token && !plan.byToken) {
        figure.notes.push_back(
            plan.isPooled() ? "Shown by position: a pooled map cannot be put in token order."
                            : fmt::format("Shown by position: the token order is shown up to {} tokens.",
                                          groupedNumber(maximumOrderTokens)));
    }
    if (plan.isPooled()) {
        figure.notes.push_back(fmt::format(
            "{} × {} tokens pooled to {} × {} cells.", groupedNumber(plan.windowRows()),
            groupedNumber(plan.windowColumns()), groupedNumber(plan.rows), groupedNumber(plan.columns)));
    }
    if (chosenHeads(scene).size() > 1) {
        figure.notes.push_back(
            scene.view.values == ViewValues::logits
                ? "Mean of the heads' logits, each before its softmax."
                : "Mean of the heads' weights, each after its own softmax: rows still sum to 1.");
    }
    if (std::max(plan.shape.queries, plan.shape.keys) > maximumLabelledTokens && !isNamed(plan)) {
        figure.notes.push_back(fmt::format("Labels thinned: above {} tokens the axes count positions.",
                                           groupedNumber(maximumLabelledTokens)));
    }
    if (scene.causal && scene.view.values == ViewValues::weights && plan.window.rowBegin == 0 &&
        plan.shape.queryStart == plan.shape.keyStart && !plan.byToken) {
        figure.notes.push_back("Row 0 is always 1: the first token sees only itself.");
    }
}

/// How far a map is that is not whole yet.
void sayPreview(Figure& figure, const FigureRequest& request, const AttentionResult& result,
                const MapPlan& plan) {
    if (result.computedRows >= plan.windowRows()) {
        return;
    }
    figure.isPartial = true;
    const bool isMaximum = request.pooling == Pooling::max;
    const std::string rows =
        fmt::format("{} of {} rows", groupedNumber(result.computedRows), groupedNumber(plan.windowRows()));
    figure.readouts.push_back(Readout{
        "preview_rows", "rows that the map is made of so far", static_cast<double>(result.computedRows), "",
        std::nullopt, "preview, " + rows + (isMaximum ? ", a lower bound" : ""), Tone::warning});
    figure.notes.push_back(fmt::format("Preview: the map is made of {}{}.", rows,
                                       isMaximum ? "; a maximum can only grow until all are there" : ""));
}

Result<Figure> makeAttention(const Scene& scene, const FigureRequest& request, Engine& engine,
                             std::stop_token stop) {
    Figure figure;
    const Result<MapShape> shape = mapShape(scene);
    if (!shape) {
        return tl::unexpected(shape.error());
    }
    if (const Result<void> size = checkMapSize(scene, request, engine.mapBackend(scene), *shape); !size) {
        return tl::unexpected(size.error());
    }
    Result<MapPlan> plan = planMap(scene, request, *shape);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const std::vector<int> heads = chosenHeads(scene);
    const Result<UndefinedRows> undefined = addCapturedWarnings(figure, scene, heads, heads.size() > 1, stop);
    if (!undefined) {
        return tl::unexpected(undefined.error());
    }
    plan->undefined = *undefined;
    const bool comparesOrders =
        !hasCapture(scene) && heads.size() == 1 && shape->queries > 1 && shape->queries <= maximumOrderTokens;
    const MapRequest map = mapRequest(scene, request, *plan);
    const auto result = attentionOfHeads(scene, map, comparesOrders, request.effort, engine, stop);
    if (!result) {
        return tl::unexpected(result.error());
    }
    const MapValues cells = arrangeCells(scene, **result, *plan);
    Heatmap shown = heatmap(scene, request, *plan, cells);
    setMapColors(figure, shown, scene, *plan);
    figure.panels.push_back(mapPanel(scene, *plan, cells, std::move(shown), (*result)->definedTokens));
    figure.matrix = Matrix{plan->rows, plan->columns, cells.values, !(*result)->ranOn.isDouble};
    figure.ranOn = whatRan((*result)->ranOn);
    sayPreview(figure, request, **result, *plan);
    addReadouts(figure, scene, **result, *plan, cells);
    addNotes(figure, scene, *plan);
    noteUndefined(figure, scene, **result, *plan);
    warnOfRows(figure, *plan, cells);
    if (shape->queries == 1 && shape->isOfOneText()) {
        figure.notes.push_back("One token has one order.");
    }
    if (comparesOrders) {
        if (Result<void> compared =
                addOrderComparison(figure, withHead(scene, heads.front()), **result, engine, stop);
            !compared) {
            return tl::unexpected(compared.error());
        }
    }
    return figure;
}

}  // namespace

FigureKind attentionFigureKind() {
    return {
        .id = "attention",
        .label = "Attention",
        .help = "Attention weights or logits of one head for the words of the text, by position or by token.",
        .make = makeAttention,
        .emptyState = tokensWanted,
        .followsOrder = true,
        .growsFast = true};
}

}  // namespace phaseladder
