#include "ui/controls/grid_picture.h"

#include <QObject>
#include <QStringList>

#include <algorithm>

#include "core/encodings/rope_axes.h"
#include "core/number_text.h"

namespace phaseladder::ui {

namespace {

constexpr double largestPitch = 44.0;
constexpr double smallestCell = 5.0;      // smaller cells are not drawn one by one
constexpr std::int64_t textBefore = 1;    // tokens of text shown before the image
constexpr std::int64_t textAfter = 4;     // and after it, where there is room
constexpr std::int64_t longestSheet = 4;  // rows shown of a 2-D grid

QString people(std::int64_t number) {
    return QString::fromStdString(formatForPeople(static_cast<double>(number), 12));
}

QString sentenceOf(const Scene& scene, const QString& word, std::int64_t token,
                   const std::vector<std::int64_t>& positions) {
    const std::vector<std::string> names = axisNames(scene.rope.axes);
    QStringList parts;
    for (std::size_t axis = 0; axis < names.size(); ++axis) {
        parts.append(
            QStringLiteral("%1 %2").arg(QString::fromStdString(names[axis]), people(positions[axis])));
    }
    const QString where = parts.join(QStringLiteral(", "));
    return word.isEmpty() ? QObject::tr("no token %1 in the text: %2").arg(people(token), where)
                          : QObject::tr("%1, token %2: %3").arg(word, people(token), where);
}

/// The cells of tokens from `origin` on. The scene's start is taken relative to it: what lies before the
/// image has the same number on all axes, so that the rest moves along.
std::vector<GridCell> cellsOf(const Scene& scene, const GridPicture& picture, std::int64_t count) {
    Scene near = scene;
    near.rope.gridStart = scene.rope.gridStart - picture.origin;
    const std::vector<std::int64_t> positions = axisPositions(near, count);
    const std::size_t axes = axisNames(scene.rope.axes).size();
    const std::int64_t length = sequenceLength(scene);
    const std::int64_t patches = picture.grid.rows * picture.grid.columns;
    const std::vector<std::string> labels = tokenLabels(scene);
    std::vector<GridCell> cells;
    for (std::int64_t index = 0; index < count; ++index) {
        const std::int64_t token = picture.origin + index;
        const bool isPatch =
            !picture.isMrope || (token >= picture.grid.start && token - picture.grid.start < patches);
        const bool exists = token < length;
        if (!exists && !(isPatch && picture.isMrope)) {
            continue;
        }
        std::vector<std::int64_t> own;
        for (std::size_t axis = 0; axis < axes; ++axis) {
            own.push_back(positions[static_cast<std::size_t>(index) * axes + axis] + picture.origin);
        }
        GridCell cell{.row = own[axes - 2] - picture.origin,
                      .column = own[axes - 1] - picture.origin,
                      .word = exists ? QString::fromStdString(
                                           labels[static_cast<std::size_t>(tokenAtPosition(scene, token))])
                                     : QString(),
                      .isPatch = isPatch};
        cell.sentence = sentenceOf(scene, cell.word, token, own);
        cells.push_back(std::move(cell));
    }
    return cells;
}

}  // namespace

double GridPicture::pitch(QSizeF place) const {
    return std::min({largestPitch, place.width() / static_cast<double>(shownColumns),
                     place.height() / static_cast<double>(shownRows)});
}

GridPicture gridPicture(const Scene& scene, QSizeF place) {
    const RopeSettings& rope = scene.rope;
    GridPicture picture;
    picture.isMrope = axisNames(rope.axes).size() == 3;
    picture.grid = {.rows = rope.gridRows, .columns = rope.gridColumns, .start = rope.gridStart};
    const std::int64_t length = sequenceLength(scene);
    std::int64_t count = 0;
    if (picture.isMrope) {
        const std::int64_t before = std::min(rope.gridStart, textBefore);
        picture.origin = rope.gridStart - before;
        picture.shownRows = before + rope.gridRows + 1;
        picture.shownColumns = before + rope.gridColumns + 1;
        count = before + rope.gridRows * rope.gridColumns + textAfter;
        picture.summary = QObject::tr("%1 × %2 patches from token %3; the text goes on at position %4")
                              .arg(people(rope.gridRows), people(rope.gridColumns), people(rope.gridStart),
                                   people(rope.gridStart + std::max(rope.gridRows, rope.gridColumns)));
    } else {
        picture.grid.start = 0;
        picture.grid.rows = std::max<std::int64_t>(1, (length + rope.gridColumns - 1) / rope.gridColumns);
        picture.shownRows = std::min(picture.grid.rows, longestSheet) + 1;
        picture.shownColumns = rope.gridColumns + 1;
        count = std::min(length, picture.shownRows * rope.gridColumns);
        picture.summary = QObject::tr("%1 tokens in %2 rows of %3")
                              .arg(people(length), people(picture.grid.rows), people(rope.gridColumns));
    }
    if (picture.pitch(place) >= smallestCell) {
        picture.cells = cellsOf(scene, picture, count);
    }
    return picture;
}

}  // namespace phaseladder::ui
