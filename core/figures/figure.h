#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/shared_list.h"

namespace phaseladder {

/// What an axis means. Views with an axis of the same meaning are linked: hovering pair 17 in one marks pair
/// 17 in all.
enum class AxisMeaning {
    none,
    position,
    queryToken,
    keyToken,
    pair,
    distance,
    dimension,
    head,
    layer,
    order,  ///< index of an order of the tokens among all n!
    wavelength,
    ratio,
    keptShare,
    phase,
    value
};

enum class AxisScale { linear, log10 };

/// What choosing a place on an axis sets, by a click on a cell or a column: a parameter of whole numbers.
///
///     place     0        1            ... count - 1            count    ...
///     value     [first]  [first + 1]  ... [first + count - 1]  [first]  ...     of the list, or the number
struct AxisChoice {
    std::string parameterId;     ///< empty: choosing sets nothing
    SharedList<int> values{};    ///< a list of the parameter's values; empty: the whole numbers themselves
    std::int64_t first = 0;      ///< where place 0 stands in it
    std::int64_t count = 0;      ///< places after which the values repeat; 0: they do not
    std::optional<double> at{};  ///< where its present value stands, which is marked; none: not on this axis

    /// The value that choosing a place sets. The axis must have a parameter.
    [[nodiscard]] int valueAt(double place) const;
};

struct Axis {
    AxisMeaning meaning = AxisMeaning::none;
    std::string title;  ///< with the unit: "wavelength (tokens)"
    double minimum = 0.0;
    double maximum = 1.0;  ///< above minimum; both above 0 on a log axis
    AxisScale scale = AxisScale::linear;
    bool reversed = false;            ///< a y axis whose minimum is at the top (maps)
    bool wholeNumbers = false;        ///< ticks at whole numbers only
    std::vector<std::string> labels;  ///< names of whole numbers from firstLabel on (tokens); empty: numbers
    std::int64_t firstLabel = 0;
    bool namesRepeat = false;  ///< a name does not tell its place: who reads it out says the number too
    std::vector<std::string>
        asides{};             ///< said after a whole number from 0 under the pointer: "wavelength 84"
    double laneHeight = 0.0;  ///< in lanes (a label each): how high a curve's 1 is drawn, below 0.5
    AxisChoice choice{};

    /// The name of a whole number; null where it has none.
    [[nodiscard]] const std::string* labelAt(double whole) const;
};

/// What a mark stands for; FigureStyle turns it into colour, line style and marker.
enum class Role {
    live,     ///< the current setting (accent)
    pinned,   ///< the setting it is compared with (A)
    base,     ///< before scaling (dashed, muted)
    trained,  ///< trained region or length (good)
    beyond,   ///< beyond the trained length
    target,   ///< target length
    ramp,     ///< ramp region (accent tint)
    category1,
    category2,
    category3,
    category4,
    category5,
    category6,
    muted,
    pinnedBase,  ///< what A has of base, of the categories and of muted: in their colours, dotted
    pinnedCategory1,
    pinnedCategory2,
    pinnedCategory3,
    pinnedCategory4,
    pinnedCategory5,
    pinnedCategory6,
    pinnedMuted
};

/// A line through points in order; a non-finite y breaks it. x and y have the same length.
struct Curve {
    std::string label;  ///< legend; empty: not in the legend
    Role role = Role::live;
    std::vector<double> x, y;
    bool isStaircase = false;  ///< x and y are the corners: constant between two x, two heights at one x
};

/// The values whose range an envelope is: y at ascending x, in bins from one edge to before the next.
struct DenseValues {
    std::vector<double> x, y, binEdges;
};

/// The range between two lines, used where a curve is denser than the pixels can show.
struct Envelope {
    std::string label;  ///< legend; empty: it goes on where the curve of the same role ends
    Role role = Role::live;
    std::vector<double> x, low, high;
    DenseValues dense{};  ///< of the one curve that it stands for; empty: it stands for many, or is not known
};

struct Points {
    std::string label;
    Role role = Role::live;
    std::vector<double> x, y;
};

/// Columns from 0 to y at each x. Several series stand side by side at one x: series s of seriesCount.
struct Bars {
    std::string label;  ///< legend; empty: not in the legend
    Role role = Role::live;
    std::vector<double> x, y;  ///< a non-finite y has no column
    double width = 0.8;        ///< of all series at one x together, in units of x
    int series = 0, seriesCount = 1;
    bool writeValues = false;  ///< the number above each column, where there is room
};

/// A hand of a clock: angle in radians, counter-clockwise from the right; length in radii. Its label stands
/// in the legend, once for all dials, and in readouts.
struct ClockHand {
    std::string label;
    Role role = Role::live;
    double angle = 0.0, length = 1.0;
};

/// A filled sector from one angle counter-clockwise through `sweep` radians (2π and above: the whole disc).
struct ClockArc {
    Role role = Role::trained;
    double from = 0.0, sweep = 0.0;
    std::string label;  ///< legend; empty: not in the legend
};

/// A dial around (x, y), round on screen whatever the axes do: the radius is in units of x where x and y are
/// to the same scale (Panel::squareCells), which a panel of clocks asks for.
struct Clock {
    std::string label;  ///< below the dial
    double x = 0.0, y = 0.0, radius = 0.4;
    std::vector<ClockArc> arcs;
    std::vector<ClockHand> hands;
    bool chosen = false;  ///< drawn with an accent frame
    /// What the dial stands for, which links it to other views: pair 17. none: x and y as the axes mean them.
    AxisMeaning meaning = AxisMeaning::none;
    double value = 0.0;
    std::string parameterId{};  ///< set to `value` by choosing the dial; may be empty
};

/// A handle's list parameter: entry `index` becomes y. `current` is the list as it is drawn, which is what
/// the parameter becomes where it was empty. Dragging across several such handles draws a line over them.
struct ListEntryTarget {
    std::size_t index = 0;
    std::vector<double> current;
};

/// A handle's list parameter holds records: the record that begins with `key` gets two coordinates after it:
/// ((x - originX) / unit, (y - originY) / unit), turned back by `angle` radians. There is none yet: it is
/// appended.
struct RecordTarget {
    std::vector<double> key;
    double originX = 0.0, originY = 0.0, unit = 1.0, angle = 0.0;
};

/// A mark that can be dragged, and by the arrow keys moved; what it sets is handleValue() in
/// core/figures/handle.h.
struct Handle {
    std::string label;  ///< for hints and screen readers: "query of dog, pair 3"
    Role role = Role::live;
    double x = 0.0, y = 0.0;
    std::string parameterId;
    std::variant<ListEntryTarget, RecordTarget> target;
};

enum class Orientation { horizontal, vertical };

/// A tinted region across the panel: vertical = a range of x, horizontal = a range of y.
struct Band {
    std::string label;  ///< written inside the region
    Role role = Role::ramp;
    Orientation orientation = Orientation::vertical;
    double from = 0.0, to = 0.0;
    bool hatched = false;
};

/// A line across the panel at a value, with a label beside it. parameterId: dragging the line sets that
/// parameter; may be empty.
struct Rule {
    std::string label;
    Role role = Role::trained;
    Orientation orientation = Orientation::horizontal;
    double at = 0.0;
    std::string parameterId;
};

enum class ColorMapKind { sequential, diverging, cyclic };

/// How a cell is drawn: its value, or a pattern that says why there is none. noKeys: its query sees no key at
/// all.
enum class CellState : std::uint8_t { shown, masked, undefined, aliased, noKeys };

/// How a map that is a stack of equal ones, one for each value 0, 1, 2 … of something, is laid out: map i is
/// rows i·rows .. (i + 1)·rows - 1 of the stack, a square of side 1 in the panel (core/figures/map_tiles.h).
///
///     0 1 2      across = 3, four maps
///     3
struct MapTiles {
    AxisMeaning meaning = AxisMeaning::none;  ///< what a map stands for: head i
    std::int64_t rows = 1;                    ///< of each map
    std::int64_t across = 1;                  ///< maps side by side
    double gap = 0.1, labelRoom = 0.2;        ///< between maps, and above each for its number; in sides
    Axis x, y;                      ///< of each map; the stack's steps and starts are in their units
    std::vector<int> chosen;        ///< maps with a frame
    std::string parameterId{};      ///< a click on a map sets it to the map's number, and empties the list
    std::string listParameterId{};  ///< Ctrl + click takes a map into the list or out of it, Shift + click
                                    ///< all from the chosen one to it
    int shown = 0;                  ///< the parameter's present value: of an empty list the only one
};

/// A grid of values. Cell (r, c) covers x in [columnStart + c·columnStep, + columnStep) and y likewise with
/// row….
struct Heatmap {
    std::int64_t rows = 0, columns = 0;
    std::vector<double> values;     ///< rows × columns, row-major
    std::vector<CellState> states;  ///< same shape, or empty when all are shown
    double rowStart = -0.5, rowStep = 1.0;
    double columnStart = -0.5, columnStep = 1.0;
    ColorMapKind map = ColorMapKind::sequential;
    double low = 0.0, high = 1.0;  ///< range of the colour bar, above 0 in log colours
    AxisScale scale = AxisScale::linear;
    std::string valueTitle;           ///< "weight"
    bool phaseTicks = false;          ///< colour bar in 0, π, 2π
    bool writeValues = false;         ///< the number in each cell, where there is room
    std::optional<MapTiles> tiles{};  ///< it is a stack of maps that are drawn side by side

    /// How a cell is drawn; one that should be shown and is no finite number is undefined.
    [[nodiscard]] CellState stateAt(std::size_t cell) const {
        const CellState state = states.empty() ? CellState::shown : states[cell];
        return state == CellState::shown && !std::isfinite(values[cell]) ? CellState::undefined : state;
    }
};

/// A word at a place in the panel (in axis units).
struct Text {
    std::string text;
    Role role = Role::muted;
    double x = 0.0, y = 0.0;
};

using Layer = std::variant<Band, Heatmap, Envelope, Bars, Curve, Points, Clock, Rule, Text, Handle>;

/// One plot: axes and layers, drawn in order.
struct Panel {
    std::string id;
    std::string title;  ///< above the panel when a figure has several; may be empty
    Axis x, y;
    std::vector<Layer> layers;
    bool squareCells = false;  ///< keep the cells of a token map square where there is room
    bool axesShown = true;     ///< without axes a panel is a place for texts and dials
    bool isPlane = false;      ///< both axes are coordinates: a curve is a path, not a height over x
};

enum class Tone { neutral, good, warning };

/// A named number or verdict.
struct Readout {
    std::string id;     ///< "pairs_beyond_trained": names of the command line contract
    std::string label;  ///< "pairs beyond the trained length"
    std::variant<double, std::string> value;
    std::string unit;
    std::optional<double> tolerance;
    std::string chip;  ///< short form for the line under the title ("29 pairs never turn in training");
                       ///< empty: no chip
    Tone tone = Tone::neutral;
};

/// Columns of equal length for CSV; the first one names the rows. NaN is an empty cell.
struct TableColumn {
    std::string name;
    std::vector<double> values;
};

/// The figure's main matrix for NPY, and as row,column,value for CSV.
struct Matrix {
    std::int64_t rows = 0, columns = 0;
    std::vector<double> values;  ///< row-major
    bool isSingle = false;       ///< computed in single precision, and written so
    std::string partName{};      ///< "head": it is a stack of equal matrices, one for each head, which files
                                 ///< tell apart; empty: it is one
    std::int64_t partRows = 0;   ///< of each
};

/// Plain data: what is to be drawn, never how. One path serves screen, paper and files.
struct Figure {
    std::string id;
    std::string title;
    std::vector<Panel> panels;  ///< from top to bottom
    std::vector<Readout> readouts;
    std::vector<std::string> notes;
    std::vector<std::string> warnings;
    std::vector<TableColumn> table;
    std::optional<Matrix> matrix;
    bool isPartial = false;  ///< what takes long is left out, as the request asked
    std::string ranOn;  ///< "CPU (2 threads) · float32": what computed its attention; empty: nothing did
    std::string emptyState;  ///< a sentence and a next step, shown in place of the panels when there are none
};

}  // namespace phaseladder
