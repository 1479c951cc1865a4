#include "ui/controls/grid_editor.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "core/parameter.h"
#include "ui/theme.h"

namespace phaseladder::ui {

namespace {

constexpr int pictureHeight = 160;
constexpr int pictureWidth = 200;
constexpr double numberRoom = 18.0;  // left and above, for the positions
constexpr double handleReach = 9.0;
constexpr double numberedPitch = 15.0;  // cells from this size on have their position beside them
constexpr double wordPitch = 24.0;      // and their word inside

std::int64_t within(std::int64_t value, const char* id) {
    const Parameter* row = findParameter(id);
    return std::clamp(value, static_cast<std::int64_t>(row->hardMinimum),
                      static_cast<std::int64_t>(row->hardMaximum));
}

QFont smallFont(const QFont& font, int pixels) {
    QFont small = font;
    small.setPixelSize(pixels);
    return small;
}

}  // namespace

GridEditor::GridEditor(QWidget* parent) : QWidget(parent), m_gesture(this) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&m_gesture, &EditGesture::started, this, &GridEditor::gestureStarted);
    connect(&m_gesture, &EditGesture::ended, this, &GridEditor::gestureEnded);
}

QSize GridEditor::sizeHint() const {
    return {pictureWidth, pictureHeight};
}

QSizeF GridEditor::place() const {
    return {width() - numberRoom - handleReach, height() - numberRoom - handleReach};
}

double GridEditor::pitch() const {
    return m_held != Part::none ? m_heldPitch : m_picture.pitch(place());
}

QRectF GridEditor::cellArea(std::int64_t row, std::int64_t column) const {
    const double shift = m_held != Part::none ? static_cast<double>(m_picture.origin - m_heldOrigin) : 0.0;
    return {numberRoom + (static_cast<double>(column) + shift) * pitch(),
            numberRoom + (static_cast<double>(row) + shift) * pitch(), pitch(), pitch()};
}

QRectF GridEditor::gridArea() const {
    const std::int64_t first = m_picture.grid.start - m_picture.origin;
    const std::int64_t rows =
        m_picture.isMrope ? m_picture.grid.rows : std::min(m_picture.grid.rows, m_picture.shownRows);
    return cellArea(first, first).united(cellArea(first + rows - 1, first + m_picture.grid.columns - 1));
}

QPointF GridEditor::corner() const {
    const QPointF end = gridArea().bottomRight();
    return {std::min(end.x(), width() - handleReach), std::min(end.y(), height() - handleReach)};
}

GridEditor::Part GridEditor::partAt(QPointF point) const {
    const QPointF away = point - corner();
    if (std::hypot(away.x(), away.y()) <= handleReach) {
        return Part::corner;
    }
    return m_picture.isMrope && gridArea().contains(point) ? Part::grid : Part::none;
}

const GridCell* GridEditor::cellAt(QPointF point) const {
    const auto found = std::ranges::find_if(m_picture.cells, [&](const GridCell& cell) {
        return cellArea(cell.row, cell.column).contains(point);
    });
    return found == m_picture.cells.end() ? nullptr : &*found;
}

QString GridEditor::words() const {
    return m_pointed.isEmpty() ? m_picture.summary : m_pointed;
}

void GridEditor::showScene(const Scene& scene) {
    const bool isSame = m_scene.rope == scene.rope && m_scene.tokens == scene.tokens &&
                        m_scene.order == scene.order && m_scene.textLength == scene.textLength;
    if (!isSame || m_picture.summary.isEmpty()) {
        m_scene = scene;
        updatePicture();
    }
}

void GridEditor::updatePicture() {
    m_picture = gridPicture(m_scene, place());
    m_pointed.clear();
    setAccessibleDescription(
        m_picture.isMrope
            ? tr("%1. Arrow keys change rows and columns, Shift+arrows move the image.").arg(words())
            : tr("%1. Left and Right change the columns.").arg(words()));
    Q_EMIT wordsChanged(words());
    update();
}

void GridEditor::ask(const ImageGrid& grid) {
    const ImageGrid allowed{.rows = within(grid.rows, "rope.grid_rows"),
                            .columns = within(grid.columns, "rope.grid_columns"),
                            .start = within(grid.start, "rope.grid_start")};
    if (allowed != m_picture.grid) {
        Q_EMIT edited(allowed);
    }
}

void GridEditor::resizeEvent(QResizeEvent*) {
    updatePicture();
}

void GridEditor::mousePressEvent(QMouseEvent* event) {
    const Part part = event->button() == Qt::LeftButton ? partAt(event->position()) : Part::none;
    if (part == Part::none) {
        QWidget::mousePressEvent(event);
        return;
    }
    m_heldPitch = pitch();
    m_heldOrigin = m_picture.origin;
    m_before = m_picture.grid;
    m_pressed = event->position();
    m_held = part;
    m_gesture.begin();
}

void GridEditor::dragTo(QPointF point) {
    const QPointF way = (point - m_pressed) / m_heldPitch;
    ImageGrid grid = m_before;
    if (m_held == Part::corner) {
        grid.columns += std::llround(way.x());
        grid.rows += m_picture.isMrope ? std::llround(way.y()) : 0;
    } else {
        // The image moves along the diagonal, on which the text lies.
        grid.start += std::llround(std::abs(way.x()) > std::abs(way.y()) ? way.x() : way.y());
    }
    ask(grid);
}

void GridEditor::point(QPointF point) {
    const Part part = partAt(point);
    setCursor(part == Part::corner ? Qt::SizeFDiagCursor
              : part == Part::grid ? Qt::OpenHandCursor
                                   : Qt::ArrowCursor);
    const GridCell* cell = cellAt(point);
    const QString sentence = cell != nullptr ? cell->sentence : QString();
    if (sentence != m_pointed) {
        m_pointed = sentence;
        Q_EMIT wordsChanged(words());
    }
}

void GridEditor::mouseMoveEvent(QMouseEvent* event) {
    if (m_held != Part::none) {
        dragTo(event->position());
    } else {
        point(event->position());
    }
}

void GridEditor::mouseReleaseEvent(QMouseEvent* event) {
    if (m_held != Part::none && event->button() == Qt::LeftButton) {
        m_held = Part::none;
        m_gesture.end();
        update();
    }
}

void GridEditor::leaveEvent(QEvent*) {
    m_pointed.clear();
    Q_EMIT wordsChanged(words());
}

void GridEditor::focusOutEvent(QFocusEvent* event) {
    m_gesture.end();
    QWidget::focusOutEvent(event);
    update();
}

void GridEditor::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    const int across = key == Qt::Key_Right ? 1 : key == Qt::Key_Left ? -1 : 0;
    const int down = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    const Qt::KeyboardModifiers modifiers = event->modifiers() & ~Qt::KeypadModifier;
    const bool moves = modifiers == Qt::ShiftModifier && m_picture.isMrope;
    if ((across == 0 && down == 0) || !(moves || modifiers == Qt::NoModifier)) {
        QWidget::keyPressEvent(event);
        return;
    }
    ImageGrid grid = m_picture.grid;
    if (moves) {
        grid.start += across + down;
    } else {
        grid.columns += across;
        grid.rows += m_picture.isMrope ? down : 0;
    }
    m_gesture.touch();
    ask(grid);
}

void GridEditor::paintNumbers(QPainter& painter) const {
    if (pitch() < numberedPitch) {
        return;
    }
    painter.setPen(themeColors(currentTheme()).mutedText);
    painter.setFont(smallFont(font(), 10));
    const std::int64_t shift = m_held != Part::none ? m_heldOrigin - m_picture.origin : 0;
    const auto count = static_cast<std::int64_t>(std::max(place().width(), place().height()) / pitch());
    for (std::int64_t at = 0; at < count; ++at) {
        const QString number = QString::number(m_picture.origin + shift + at);
        const bool isWide = QFontMetricsF(painter.font()).horizontalAdvance(number) > pitch() - 2.0;
        if (isWide && at % 3 != 0) {
            continue;
        }
        const QRectF cell = cellArea(shift + at, shift + at);
        if (cell.right() <= width()) {
            painter.drawText(QRectF(cell.center().x() - 40.0, 0.0, 80.0, numberRoom - 2.0), Qt::AlignCenter,
                             number);
        }
        if (cell.bottom() <= height()) {
            painter.drawText(QRectF(0.0, cell.top(), numberRoom - 5.0, pitch()),
                             Qt::AlignRight | Qt::AlignAbsolute | Qt::AlignVCenter | Qt::TextDontClip,
                             number);
        }
    }
}

void GridEditor::paintCell(QPainter& painter, const GridCell& cell) const {
    const ThemeColors& colors = themeColors(currentTheme());
    const QRectF area = cellArea(cell.row, cell.column);
    const double gap = pitch() > 12.0 ? 1.5 : 0.5;
    const bool isMissing = cell.word.isEmpty();
    painter.setPen(pitch() > 12.0 ? QPen(cell.isPatch ? colors.accent : colors.mutedText, 1.0,
                                         isMissing ? Qt::DashLine : Qt::SolidLine)
                                  : QPen(Qt::NoPen));
    painter.setBrush(isMissing ? QBrush(Qt::NoBrush)
                               : QBrush(cell.isPatch ? colors.accentTint : colors.neutralChip));
    if (pitch() <= 12.0 && !isMissing) {
        painter.setBrush(cell.isPatch ? colors.accent : colors.mutedText);
    }
    painter.drawRoundedRect(area.adjusted(gap, gap, -gap, -gap), gap, gap);
    if (pitch() >= wordPitch && !isMissing) {
        painter.setPen(cell.isPatch ? colors.accent : colors.text);
        painter.setFont(smallFont(font(), pitch() < 34.0 ? 10 : 11));
        const QRectF room = area.adjusted(2.5, 1.0, -2.5, -1.0);
        painter.drawText(
            room, Qt::AlignCenter | Qt::TextSingleLine,
            QFontMetricsF(painter.font()).elidedText(cell.word.simplified(), Qt::ElideRight, room.width()));
    }
}

void GridEditor::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = themeColors(currentTheme());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hasFocus() ? colors.accent : colors.border, 1.0));
    painter.setBrush(colors.field);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6.0, 6.0);
    painter.setClipRect(rect().adjusted(2, 2, -2, -2));
    paintNumbers(painter);
    if (m_picture.cells.empty()) {
        painter.setPen(QPen(colors.accent, 1.0));
        painter.setBrush(colors.accentTint);
        painter.drawRect(gridArea());
    }
    for (const GridCell& cell : m_picture.cells) {
        paintCell(painter, cell);
    }
    painter.setPen(QPen(colors.field, 1.5));
    painter.setBrush(colors.accent);
    painter.drawEllipse(corner(), 5.0, 5.0);
}

}  // namespace phaseladder::ui
