#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/encodings/absolute.h"
#include "core/engine.h"
#include "core/figures/attention_cells.h"
#include "core/figures/color_range.h"
#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/order_comparison.h"
#include "core/figures/token_map.h"
#include "core/index.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

constexpr std::int64_t maximumMapTokens = 1 << 20;

/// Longest text whose two orders are compared, and whose map can be put in token order.
constexpr std::int64_t maximumOrderTokens = 1024;

/// Most tokens of a side whose names are written along its axis.
constexpr std::int64_t maximumLabelledTokens = 4096;

constexpr double rowSumTolerance = 1e-5;

/// Numbers that a token takes before attention runs: its query, key and value, where it has rows of its own
/// and is not one of a few words, and what the encoding brings for it: a row, or the vectors of two distances
/// and their projections.
double numbersPerToken(const Scene& scene) {
    const double encoding = hasVectorPerDistance(scene) ? 8.0 : isAbsolute(scene) ? 2.0 : 0.0;
    const double own = isAbsolute(scene) || scene.layers > 1 ? 3.0 : 0.0;
    return (own + encoding) * scene.headDim;
}

/// What the backend that runs first needs at once: turned queries and keys, in its precision, and the sums of
/// the rows.
Result<void> checkSize(const Scene& scene, const BackendInfo& backend, std::int64_t tokens) {
    if (tokens > maximumMapTokens) {
        return fail(ErrorKind::usage,
                    fmt::format("text.length {} is above {}, the limit of attention maps.", tokens,
                                formatGrouped(static_cast<double>(maximumMapTokens))));
    }
    constexpr double turnedRows = 2.0;
    constexpr double sumsAndPlaces = 6.0;  // numbers: which word a token is, for each of three; sums of a row
    const double number = backend.isDouble ? sizeof(double) : sizeof(float);
    const double bytesPerToken =
        sizeof(double) * (numbersPerToken(scene) + sumsAndPlaces) + number * turnedRows * scene.headDim;
    return checkFigureMemory(static_cast<double>(tokens) * bytesPerToken, bytesPerToken, "n");
}

Result<MapPlan> planMap(const Scene& scene, const FigureRequest& request, std::int64_t tokens) {
    MapPlan plan;
    plan.tokens = tokens;
    plan.window = request.window.value_or(CellWindow{0, tokens, 0, tokens});
    const auto isInside = [&](std::int64_t begin, std::int64_t end) {
        return 0 <= begin && begin < end && end <= tokens;
    };
    if (!isInside(plan.window.rowBegin, plan.window.rowEnd) ||
        !isInside(plan.window.columnBegin, plan.window.columnEnd)) {
        return fail(ErrorKind::usage,
                    fmt::format("The window {}:{},{}:{} is not inside the map; rows and columns are 0:{}.",
                                plan.window.rowBegin, plan.window.rowEnd, plan.window.columnBegin,
                                plan.window.columnEnd, tokens));
    }
    plan.rows = std::min<std::int64_t>(std::max(request.pixelRows, 1), plan.windowRows());
    plan.columns = std::min<std::int64_t>(std::max(request.pixelColumns, 1), plan.windowColumns());
    plan.byToken = scene.view.by == ViewBy::token && !plan.isPooled() && tokens <= maximumOrderTokens;
    const double cells = static_cast<double>(plan.rows) * static_cast<double>(plan.columns);
    if (const Result<void> fits =
            checkFigureMemory(cells * 4.0 * sizeof(double), 4.0 * sizeof(double), "cell count");
        !fits) {
        return tl::unexpected(fits.error());
    }
    return plan;
}

MapRequest mapRequest(const Scene& scene, const FigureRequest& request, const MapPlan& plan) {
    MapRequest map{plan.window, plan.rows, plan.columns, request.pooling, scene.view.values};
    if (plan.byToken) {
        map.window = CellWindow{0, plan.tokens, 0, plan.tokens};
        map.pixelRows = plan.tokens;
        map.pixelColumns = plan.tokens;
    }
    return map;
}

Heatmap heatmap(const Scene& scene, const FigureRequest& request, const MapPlan& plan,
                const MapValues& cells) {
    const bool isWeight = scene.view.values == ViewValues::weights;
    Heatmap map;
    map.rows = plan.rows;
    map.columns = plan.columns;
    map.values = cells.values;
    map.states = cells.states;
    map.rowStart = static_cast<double>(plan.window.rowBegin) - 0.5;
    map.rowStep = static_cast<double>(plan.windowRows()) / static_cast<double>(plan.rows);
    map.columnStart = static_cast<double>(plan.window.columnBegin) - 0.5;
    map.columnStep = static_cast<double>(plan.windowColumns()) / static_cast<double>(plan.columns);
    map.valueTitle = isWeight ? "weight" : "logit";
    if (plan.isPooled()) {
        map.valueTitle += request.pooling == Pooling::mean ? ", mean" : ", maximum";
    }
    constexpr std::int64_t largestWritten = 16;
    map.writeValues = !plan.isPooled() && plan.rows <= largestWritten && plan.columns <= largestWritten;
    return map;
}

/// The column of cells that holds the first key, where the colours leave that out.
std::optional<std::int64_t> leftOutColumn(const Scene& scene, const MapPlan& plan) {
    if (scene.view.sink == SinkColors::included || plan.tokens < 2) {
        return std::nullopt;
    }
    std::int64_t key = 0;
    if (plan.byToken) {
        const std::vector<std::int64_t> positions = positionsByToken(scene);
        key = std::ranges::find(positions, std::int64_t{0}) - positions.begin();
    }
    const std::int64_t column = key - plan.window.columnBegin;  // in a pooled map only the first can hold it
    return column >= 0 && column < plan.windowColumns() ? std::optional(column) : std::nullopt;
}

void setColors(Figure& figure, Heatmap& map, const Scene& scene, const MapPlan& plan) {
    const bool isLog = scene.view.color == ColorScale::log;
    const ColorWishes wishes{isLog ? AxisScale::log10 : AxisScale::linear, scene.view.floor,
                             leftOutColumn(scene, plan)};
    if (scene.view.values == ViewValues::weights) {
        setWeightRange(figure, map, wishes);
        return;
    }
    setLogitRange(figure, map, wishes);
    if (isLog) {
        figure.notes.emplace_back("Logits are shown in linear colours: log colours are of weights.");
    }
}

/// The tokens' names. Of a long list they are not told apart, which would take a look at all of them.
class TokenNames {
public:
    explicit TokenNames(const Scene& scene) : m_tokens(scene.tokens) {
        if (!isLong()) {
            m_names = tokenLabels(scene);
        }
    }

    [[nodiscard]] bool isLong() const {
        return m_tokens.size() > static_cast<std::size_t>(maximumLabelledTokens);
    }

    [[nodiscard]] std::string of(std::int64_t token) const {
        if (!isLong()) {
            return m_names[index(token)];
        }
        Scene alone;
        alone.tokens = {m_tokens[index(token)]};
        return tokenLabels(alone).front();
    }

private:
    const std::vector<std::string>& m_tokens;
    std::vector<std::string> m_names;
};

/// Gives an axis the names of what stands at begin .. end-1: the token at a position, or the tokens in their
/// own order.
void nameTokens(Axis& axis, const Scene& scene, const MapPlan& plan, std::int64_t begin, std::int64_t end) {
    const TokenNames names(scene);
    const std::vector<std::int64_t> positions =
        plan.byToken ? positionsByToken(scene) : std::vector<std::int64_t>();
    for (std::int64_t at = begin; at < end; ++at) {
        axis.labels.push_back(names.of(tokenAtPosition(scene, plan.byToken ? positions[index(at)] : at)));
    }
    axis.firstLabel = begin;
    axis.namesRepeat = names.isLong() || plan.tokens > static_cast<std::int64_t>(scene.tokens.size());
    if (end - begin < plan.tokens) {
        axis.title += fmt::format(", {} to {}", groupedNumber(begin), groupedNumber(end - 1));
    }
}

/// Whether each cell is one query and one key, and their names can stand along the axes.
bool isNamed(const MapPlan& plan) {
    return !plan.isPooled() && std::max(plan.windowRows(), plan.windowColumns()) <= maximumLabelledTokens;
}

/// The token at each index of an axis.
std::vector<int> axisTokens(const Scene& scene, const MapPlan& plan) {
    if (!plan.byToken) {
        return tokensByPosition(scene);
    }
    std::vector<int> tokens;
    for (const std::int64_t position : positionsByToken(scene)) {
        tokens.push_back(static_cast<int>(tokenAtPosition(scene, position)));
    }
    return tokens;
}

Axis tokenAxis(const Scene& scene, AxisMeaning meaning, std::string_view name, std::int64_t begin,
               std::int64_t end, const MapPlan& plan) {
    Axis axis;
    axis.meaning = meaning;
    axis.title = std::string(name) + (!isNamed(plan) ? " position (tokens)"
                                      : plan.byToken ? " (token order)"
                                                     : "");
    axis.minimum = static_cast<double>(begin) - 0.5;
    axis.maximum = static_cast<double>(end) - 0.5;
    axis.wholeNumbers = true;
    if (isNamed(plan)) {
        nameTokens(axis, scene, plan, begin, end);
    }
    return axis;
}

Panel mapPanel(const Scene& scene, const MapPlan& plan, const MapValues& cells, Heatmap map) {
    const CellWindow& window = plan.window;
    Panel panel;
    panel.id = "attention";
    panel.x = tokenAxis(scene, AxisMeaning::keyToken, "key", window.columnBegin, window.columnEnd, plan);
    panel.y = tokenAxis(scene, AxisMeaning::queryToken, "query", window.rowBegin, window.rowEnd, plan);
    for (Axis* axis : {&panel.x, &panel.y}) {
        axis->choice = tokenChoice(scene, axis->meaning, axisTokens(scene, plan));
    }
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

void addReadouts(Figure& figure, const Scene& scene, const AttentionResult& result) {
    const bool sumsToOne = result.largestRowSumError <= rowSumTolerance;
    figure.readouts.push_back(Readout{
        "largest_row_sum_error", "largest |sum of a row − 1|", result.largestRowSumError, "", rowSumTolerance,
        sumsToOne ? "rows sum to 1" : "rows miss 1 by " + formatForPeople(result.largestRowSumError, 2),
        sumsToOne ? Tone::good : Tone::warning});
    figure.readouts.push_back(
        Readout{"head", "head", static_cast<double>(scene.head), "", std::nullopt,
                scene.layers > 1 ? fmt::format("layer {0} of {0} · head {1}", scene.layers, scene.head)
                                 : fmt::format("head {}", scene.head),
                Tone::neutral});
}

/// Positions without a code: their rows see nothing, their columns are not seen.
void noteUndefined(Figure& figure, const AttentionResult& result, const MapPlan& plan) {
    const std::int64_t undefined = plan.tokens - result.definedTokens;
    if (undefined <= 0) {
        return;
    }
    figure.warnings.push_back(fmt::format(
        "{} from position {} on {} no row in the table: no visible keys, and not seen by others (hatched).",
        undefined == 1 ? "1 token" : groupedNumber(undefined) + " tokens",
        groupedNumber(result.definedTokens), undefined == 1 ? "has" : "have"));
}

/// Rows that see no key though every position has a code, and rows that have no number for a key they see.
void warnOfRows(Figure& figure, const AttentionResult& result, const MapPlan& plan, const MapValues& cells) {
    const auto warn = [&](std::string_view what, const std::vector<std::int64_t>& rows) {
        if (!rows.empty()) {
            figure.warnings.push_back(fmt::format("{} in {} of {} {}, the first is row {} (hatched).", what,
                                                  groupedNumber(std::ssize(rows)), groupedNumber(plan.rows),
                                                  plan.isPooled() ? "rows of cells" : "rows",
                                                  groupedNumber(plan.firstRow(rows.front()))));
        }
    };
    if (result.definedTokens >= plan.tokens) {  // else noteUndefined() has said it
        warn("No visible keys", cells.rowsWithoutKeys);
    }
    warn("No number (NaN)", cells.rowsWithoutNumbers);
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
    if (plan.tokens > maximumLabelledTokens && !isNamed(plan)) {
        figure.notes.push_back(fmt::format("Labels thinned: above {} tokens the axes count positions.",
                                           groupedNumber(maximumLabelledTokens)));
    }
    if (scene.causal && scene.view.values == ViewValues::weights && plan.window.rowBegin == 0 &&
        !plan.byToken) {
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
    const std::int64_t tokens = sequenceLength(scene);
    const BackendInfo backend = engine.mapBackend(scene);
    if (const Result<void> size = checkSize(scene, backend, tokens); !size) {
        return tl::unexpected(size.error());
    }
    const Result<MapPlan> plan = planMap(scene, request, tokens);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const bool comparesOrders = tokens > 1 && tokens <= maximumOrderTokens;
    const MapRequest map = mapRequest(scene, request, *plan);
    const auto result = comparesOrders ? engine.attention(scene, &map, true, stop)
                                       : engine.liveMap(scene, map, request.effort, stop);
    if (!result) {
        return tl::unexpected(result.error());
    }
    const MapValues cells = arrangeCells(scene, **result, *plan);
    Heatmap shown = heatmap(scene, request, *plan, cells);
    setColors(figure, shown, scene, *plan);
    figure.panels.push_back(mapPanel(scene, *plan, cells, std::move(shown)));
    figure.matrix = Matrix{plan->rows, plan->columns, cells.values, !backend.isDouble};
    figure.ranOn = whatRan(backend);
    sayPreview(figure, request, **result, *plan);
    addReadouts(figure, scene, **result);
    addNotes(figure, scene, *plan);
    noteUndefined(figure, **result, *plan);
    warnOfRows(figure, **result, *plan, cells);
    if (tokens == 1) {
        figure.notes.push_back("One token has one order.");
    }
    if (comparesOrders) {
        if (Result<void> compared = addOrderComparison(figure, scene, **result, engine, stop); !compared) {
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
