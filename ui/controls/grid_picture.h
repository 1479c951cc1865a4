#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <cstdint>
#include <vector>

#include "core/scene.h"

namespace phaseladder::ui {

/// What a person sets of an image among the tokens.
struct ImageGrid {
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::int64_t start = 0;  ///< M-RoPE only: the token that is the first patch

    friend bool operator==(const ImageGrid&, const ImageGrid&) = default;
};

/// One token in the plane of row and column positions.
struct GridCell {
    std::int64_t row = 0;
    std::int64_t column = 0;
    QString word{};       ///< empty: a patch for which the text has no token
    QString sentence{};   ///< "bites, token 1: time 0, row 0, column 1"
    bool isPatch = true;  ///< else text, which lies on the diagonal
};

/// The tokens around an image, in the plane of their row and column positions:
///
///         column 0 1 2 3 4
///     row 0      a                 text: the same number on all axes
///         1        1 2 3           the patches of an image of 2 × 3
///         2        4 5 6
///         4              b         text after it: one past the largest
struct GridPicture {
    ImageGrid grid{};
    bool isMrope = true;         ///< else 2-D: all tokens are patches, rows follow from the text
    std::int64_t origin = 0;     ///< position at the upper left corner
    std::int64_t shownRows = 1;  ///< in the plane, from the origin
    std::int64_t shownColumns = 1;
    std::vector<GridCell> cells{};  ///< none where they would be too small to see
    QString summary{};              ///< "2 × 2 patches at position 0; text goes on at 2"

    /// Side of a cell when the plane is drawn into a place of this size.
    [[nodiscard]] double pitch(QSizeF place) const;
};

/// The picture for a place of this size. Few tokens are looked at, however long the text is.
[[nodiscard]] GridPicture gridPicture(const Scene& scene, QSizeF place);

}  // namespace phaseladder::ui
