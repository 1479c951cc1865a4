#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/attention/captured.h"
#include "core/attention/pair_scorer.h"
#include "core/attention/rotate.h"
#include "core/cancelled.h"
#include "core/encodings/absolute.h"
#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/token_map.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

constexpr double relativeTolerance = 1e-12;

/// Most numbers in the rows of positions that a moved text may need.
constexpr std::int64_t mostRowNumbers = std::int64_t{1} << 24;

/// The rotation of the same text moved by `shift`: a text moves along its one axis, an image along all of
/// its axes, as it does when so many tokens of text are put before it.
PairRotation movedRotation(const PairRotation& rotation, std::int64_t shift) {
    PairRotation moved = rotation;
    for (std::int64_t& position : moved.axisPositions) {
        position += shift;
    }
    return moved;
}

/// Queries and keys of the shown tokens with their positions in them, in the first place or moved.
struct PlacedTokens {
    std::vector<Eigen::RowVectorXd> queries, keys;
};

PlacedTokens placeTokens(const Scene& scene, const PairScorer& scorer, std::int64_t shift,
                         const std::stop_token& stop) {
    const std::int64_t tokens = shownTokens(scene);
    std::optional<PairRotation> rotation;
    if (scorer.plan().rotation) {
        rotation = movedRotation(*scorer.plan().rotation, shift);
    }
    PlacedTokens placed;
    for (std::int64_t position = 0; position < tokens && !stop.stop_requested(); ++position) {
        const int token = static_cast<int>(tokenAtPosition(scene, position));
        Eigen::RowVectorXd query = scorer.queryContent(token);
        Eigen::RowVectorXd key = scorer.keyContent(token);
        if (rotation) {
            const std::int64_t place = rotation->axisPositions.empty() ? position + shift : position;
            rotateQuery({query.data(), static_cast<std::size_t>(query.size())}, *rotation, place);
            rotateKey({key.data(), static_cast<std::size_t>(key.size())}, *rotation, place);
        } else if (isAbsolute(scene)) {
            query = scorer.queryAt(query, position + shift);
            key = scorer.keyAt(key, position + shift);
        }
        placed.queries.push_back(std::move(query));
        placed.keys.push_back(std::move(key));
    }
    return placed;
}

/// Logits of all pairs; NaN where a token has no code.
RowMatrix logitsOf(const PairScorer& scorer, const PlacedTokens& placed, std::int64_t shift,
                   const std::stop_token& stop) {
    const auto tokens = static_cast<Eigen::Index>(placed.queries.size());
    const std::int64_t defined = scorer.plan().definedTokens.value_or(tokens + shift);
    RowMatrix logits(tokens, tokens);
    for (Eigen::Index row = 0; row < tokens && !stop.stop_requested(); ++row) {
        for (Eigen::Index column = 0; column < tokens; ++column) {
            const bool isDefined = std::max(row, column) + shift < defined;
            logits(row, column) =
                isDefined ? scorer.logit(placed.queries[static_cast<std::size_t>(row)], row + shift,
                                         placed.keys[static_cast<std::size_t>(column)], column + shift)
                          : noValue;
        }
    }
    return logits;
}

/// One row a cell: row, column, value as in any map, then the two logits it is the difference of.
std::vector<TableColumn> translationTable(const RowMatrix& logits, const RowMatrix& moved) {
    std::vector<TableColumn> table{
        {"row", {}}, {"column", {}}, {"value", {}}, {"logit", {}}, {"moved_logit", {}}};
    for (Eigen::Index row = 0; row < logits.rows(); ++row) {
        for (Eigen::Index column = 0; column < logits.cols(); ++column) {
            table[0].values.push_back(static_cast<double>(row));
            table[1].values.push_back(static_cast<double>(column));
            table[2].values.push_back(logits(row, column) - moved(row, column));
            table[3].values.push_back(logits(row, column));
            table[4].values.push_back(moved(row, column));
        }
    }
    return table;
}

void addVerdict(Figure& figure, const Scene& scene, double largest, double tolerance) {
    const std::string shift = countOf(scene.view.shift, "token");
    if (std::isnan(largest)) {
        figure.readouts.push_back(Readout{"largest_residual", "largest |residual|", noValue, "", tolerance,
                                          "no pair defined at both places", Tone::warning});
        figure.readouts.push_back(
            Readout{"verdict", "scores moved by " + shift, "undefined", "", std::nullopt, "", Tone::warning});
        return;
    }
    if (scene.view.shift == 0) {
        figure.readouts.push_back(Readout{"largest_residual", "largest |residual|", largest, "", tolerance,
                                          "a shift of 0 moves nothing", Tone::neutral});
        figure.readouts.push_back(
            Readout{"verdict", "scores moved by " + shift, "undefined", "", std::nullopt, "", Tone::neutral});
        return;
    }
    const bool isRelative = largest <= tolerance;
    figure.readouts.push_back(
        Readout{"largest_residual", "largest |residual|", largest, "", tolerance,
                (isRelative ? "distance only · |residual| " : "place matters · |residual| ") +
                    (largest == 0.0 ? "exactly 0" : fmt::format("{:.2g}", largest)),
                isRelative ? Tone::good : Tone::warning});
    figure.readouts.push_back(
        Readout{"verdict", "scores moved by " + shift,
                isRelative ? "Scores depend on the distance only: moving both tokens changes nothing."
                           : "Scores depend on where the tokens stand, not on their distance only.",
                "", std::nullopt, "", isRelative ? Tone::good : Tone::warning});
}

void addNotes(Figure& figure, const Scene& scene, const PairScorer& scorer, const RowMatrix& residual) {
    if (scene.view.shift == 0) {
        figure.notes.push_back("A shift of 0 moves nothing: choose a larger one.");
    }
    const auto& rotation = scorer.plan().rotation;
    if (rotation && rotation->axisNames.size() > 1) {
        const bool isImage = rotation->axisNames.size() == 2;
        figure.notes.push_back(
            isImage ? fmt::format("The image moves by {0} rows and {0} columns.", scene.view.shift)
                    : fmt::format("Text and image move by {} on every axis, as when so many "
                                  "tokens of text stand before them.",
                                  scene.view.shift));
    }
    if (scorer.plan().definedTokens.value_or(scorer.positions()) < scorer.positions()) {
        figure.notes.push_back(fmt::format("Positions from {} on have no row in the table: hatched.",
                                           groupedNumber(*scorer.plan().definedTokens)));
    } else if (!residual.allFinite() && hasCapture(scene)) {
        figure.warnings.push_back(
            "Hatched: tokens without a query or a key in the files, and rows that hold no numbers.");
    } else if (!residual.allFinite()) {
        figure.warnings.push_back(
            hasGrowth(scorer.plan())
                ? "The growth of single queries and keys overflows at the moved positions (hatched): xPos "
                  "must centre its positions near the tokens."
                : "Scores overflow (hatched): the rows or the content are too large.");
    }
    noteShownTokens(figure, scene);
}

std::string emptyState(const Scene& scene) {
    const std::int64_t largestShift = mostRowNumbers / scene.headDim - shownTokens(scene);
    if (!scene.tokens.empty() && isAbsolute(scene) && scene.view.shift > largestShift) {
        return fmt::format("A shift of {} needs too many rows of positions. Choose up to {}.",
                           groupedNumber(scene.view.shift), groupedNumber(largestShift));
    }
    return tokensWanted(scene);
}

/// What stands in a map that shows no difference.
std::string nothingWords(double largest) {
    return largest == 0.0 ? "every cell 0" : fmt::format("largest {:.2g}", largest);
}

Result<Figure> makeTranslation(const Scene& scene, const FigureRequest&, Engine&, std::stop_token stop) {
    Figure figure;
    const std::int64_t shift = scene.view.shift;
    const std::int64_t tokens = shownTokens(scene);
    // Only rows that are added know absolute positions beforehand; the rest needs no more than the text.
    const std::int64_t positions = isAbsolute(scene) ? tokens + shift : tokens;
    const Result<PairScorer> scorer = PairScorer::create(scene, positions, stop);
    if (!scorer) {
        return tl::unexpected(scorer.error());
    }
    const RowMatrix logits = logitsOf(*scorer, placeTokens(scene, *scorer, 0, stop), 0, stop);
    if (stop.stop_requested()) {
        return cancelled();
    }
    const RowMatrix moved = logitsOf(*scorer, placeTokens(scene, *scorer, shift, stop), shift, stop);
    if (stop.stop_requested()) {
        return cancelled();
    }
    const RowMatrix residual = logits - moved;
    const double scale = std::fmax(1.0, largestMagnitude({logits.data(), logits.data() + logits.size()}));
    const double tolerance = relativeTolerance * scale;
    // The reach of the logits themselves, so that colours say how much of a score changed.
    Heatmap map = centredMap(residual, scale, "residual");
    const double largest = largestMagnitude(map.values);
    const bool isNothing = largest <= tolerance;
    map.writeValues = map.writeValues && !isNothing;
    figure.matrix = matrixOf(map);
    figure.table = translationTable(logits, moved);
    Panel panel = tokenMapPanel(scene, "translation",
                                fmt::format("score(i, j) − score(i + {0}, j + {0})", groupedNumber(shift)),
                                std::move(map));
    if (isNothing) {  // else the map would be an empty square
        panel.layers.push_back(Text{nothingWords(largest), Role::trained,
                                    0.5 * (panel.x.minimum + panel.x.maximum),
                                    0.5 * (panel.y.minimum + panel.y.maximum)});
    }
    figure.panels.push_back(std::move(panel));
    addVerdict(figure, scene, largest, tolerance);
    addNotes(figure, scene, *scorer, residual);
    return figure;
}

}  // namespace

FigureKind translationFigureKind() {
    return {.id = "translation",
            .label = "Translation",
            .help =
                "How much each score changes when both tokens move by the same distance: nothing where only "
                "the distance counts.",
            .make = makeTranslation,
            .emptyState = emptyState,
            .followsOrder = true};
}

}  // namespace phaseladder
