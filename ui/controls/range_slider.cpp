#include "ui/controls/range_slider.h"

#include <QFocusEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

#include "core/number_text.h"
#include "ui/controls/slider_painting.h"

namespace phaseladder::ui {

namespace {

/// Pushed thumbs keep this share of the way between them, so that low stays below high.
constexpr double smallestGap = 0.01;
constexpr int thumbSize = 20;

}  // namespace

RangeSlider::RangeSlider(const SliderMapping& mapping, QWidget* parent)
    : QWidget(parent), m_mapping(mapping), m_shownMapping(mapping), m_gesture(this) {
    installAccessibleSliders();
    m_values = {mapping.minimum, mapping.maximum};
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
    m_thumbs = {new RangeThumb(this, 0), new RangeThumb(this, 1)};
    connect(&m_gesture, &EditGesture::started, this, &RangeSlider::gestureStarted);
    connect(&m_gesture, &EditGesture::ended, this, &RangeSlider::gestureEnded);
}

void RangeSlider::setValues(double low, double high) {
    const SliderMapping shown = m_heldThumb >= 0 ? m_shownMapping : m_mapping.widenedTo(low).widenedTo(high);
    const std::array<double, 2> values{low, high};
    if (values == m_values && shown == m_shownMapping) {
        return;
    }
    for (std::size_t index : {std::size_t{0}, std::size_t{1}}) {
        if (values[index] != m_values[index]) {
            announceValue(m_thumbs[index], values[index]);
        }
    }
    m_values = values;
    m_shownMapping = shown;
    placeThumbs();
    update();
}

void RangeSlider::setMapping(const SliderMapping& mapping) {
    m_mapping = mapping;
    m_shownMapping = mapping.widenedTo(m_values[0]).widenedTo(m_values[1]);
    placeThumbs();
    update();
}

void RangeSlider::setThumbNames(const QString& low, const QString& high) {
    m_thumbs[0]->setAccessibleName(low);
    m_thumbs[1]->setAccessibleName(high);
    m_thumbs[0]->setToolTip(low);
    m_thumbs[1]->setToolTip(high);
    m_thumbs[0]->setObjectName(objectName() + QStringLiteral("_low"));
    m_thumbs[1]->setObjectName(objectName() + QStringLiteral("_high"));
}

RangeSlider::~RangeSlider() {
    for (RangeThumb* thumb : m_thumbs) {
        delete thumb;
    }
}

QWidget* RangeSlider::lowThumb() const {
    return m_thumbs[0];
}

QWidget* RangeSlider::highThumb() const {
    return m_thumbs[1];
}

QSize RangeSlider::sizeHint() const {
    return {240, sliderHeight};
}

QSize RangeSlider::minimumSizeHint() const {
    return {120, sliderHeight};
}

void RangeSlider::edit(int index, double value) {
    const SliderMapping& mapping = m_shownMapping;
    const double place = mapping.fraction(value);
    std::array<double, 2> values = m_values;
    if (index == 0) {
        values[0] = place > 1.0 - smallestGap ? mapping.tidied(mapping.value(1.0 - smallestGap)) : value;
        const double pushed = mapping.fraction(values[0]) + smallestGap;
        values[1] = mapping.fraction(values[1]) < pushed ? mapping.tidied(mapping.value(pushed)) : values[1];
    } else {
        values[1] = place < smallestGap ? mapping.tidied(mapping.value(smallestGap)) : value;
        const double pushed = mapping.fraction(values[1]) - smallestGap;
        values[0] = mapping.fraction(values[0]) > pushed ? mapping.tidied(mapping.value(pushed)) : values[0];
    }
    if (values != m_values) {
        setValues(values[0], values[1]);
        Q_EMIT valuesEdited(values[0], values[1]);
    }
}

void RangeSlider::placeThumbs() {
    const SliderGeometry geometry = SliderGeometry::of(*this);
    for (std::size_t index : {std::size_t{0}, std::size_t{1}}) {
        const double x = geometry.x(m_shownMapping.fraction(m_values[index]));
        m_thumbs[index]->setGeometry(static_cast<int>(std::lround(x)) - thumbSize / 2,
                                     static_cast<int>(std::lround(geometry.trackY)) - thumbSize / 2,
                                     thumbSize, thumbSize);
    }
}

void RangeSlider::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintTrack(painter, *this, m_shownMapping, m_shownMapping.fraction(m_values[0]),
               m_shownMapping.fraction(m_values[1]));
}

void RangeSlider::resizeEvent(QResizeEvent*) {
    placeThumbs();
}

void RangeSlider::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LayoutDirectionChange) {
        placeThumbs();
    }
    QWidget::changeEvent(event);
}

void RangeSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    const double place = SliderGeometry::of(*this).fractionAt(event->position().x());
    const double toLow = std::abs(place - m_shownMapping.fraction(m_values[0]));
    const double toHigh = std::abs(place - m_shownMapping.fraction(m_values[1]));
    const int index = toLow < toHigh ? 0 : 1;
    m_thumbs[static_cast<std::size_t>(index)]->setFocus(Qt::MouseFocusReason);
    beginDrag(index, event->position().x());
    m_dragFraction = place;
    dragTo(m_dragX, event->modifiers());
}

void RangeSlider::mouseMoveEvent(QMouseEvent* event) {
    if (m_heldThumb >= 0 && event->position().x() != m_dragX) {
        dragTo(event->position().x(), event->modifiers());
    }
}

void RangeSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        endDrag();
    }
}

void RangeSlider::beginDrag(int index, double pointX) {
    m_gesture.begin();
    m_heldThumb = index;
    m_thumbs[static_cast<std::size_t>(index)]->raise();
    m_dragX = pointX;
    m_dragFraction = m_shownMapping.fraction(m_values[static_cast<std::size_t>(index)]);
}

void RangeSlider::dragTo(double pointX, Qt::KeyboardModifiers modifiers) {
    const double speed = (modifiers & Qt::AltModifier) != Qt::NoModifier ? 0.05 : 1.0;
    m_dragFraction += speed * SliderGeometry::of(*this).fractionOfWay(pointX - m_dragX);
    m_dragX = pointX;
    const double exact = m_shownMapping.value(m_dragFraction);
    const bool snaps = (modifiers & Qt::ControlModifier) != Qt::NoModifier;
    edit(m_heldThumb, snaps ? m_shownMapping.nearestTick(exact) : m_shownMapping.tidied(exact));
}

void RangeSlider::endDrag() {
    if (m_heldThumb >= 0) {
        m_heldThumb = -1;
        m_gesture.end();
        setValues(m_values[0], m_values[1]);
        m_thumbs[0]->update();
        m_thumbs[1]->update();
    }
}

RangeThumb::RangeThumb(RangeSlider* slider, int index) : QWidget(slider), m_slider(slider), m_index(index) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
}

double RangeThumb::adjustableValue() const {
    return m_slider->m_values[valueIndex()];
}

double RangeThumb::adjustableMinimum() const {
    return m_slider->m_shownMapping.minimum;
}

double RangeThumb::adjustableMaximum() const {
    return m_slider->m_shownMapping.maximum;
}

QString RangeThumb::adjustableText() const {
    const QString number = QString::fromStdString(formatForPeople(adjustableValue(), 15));
    return m_slider->m_unit.isEmpty() ? number : number + QLatin1Char(' ') + m_slider->m_unit;
}

void RangeThumb::adjustTo(double value) {
    m_slider->m_gesture.touch();
    m_slider->edit(m_index, value);
}

void RangeThumb::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const HandleState state = m_slider->m_heldThumb == m_index ? HandleState::held
                              : underMouse()                   ? HandleState::hovered
                                                               : HandleState::resting;
    paintHandle(painter, *this, QPointF(width() / 2.0, height() / 2.0), state, hasFocus());
}

void RangeThumb::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        m_slider->beginDrag(m_index, mapToParent(event->position().toPoint()).x());
        update();
    } else {
        event->ignore();
    }
}

void RangeThumb::mouseMoveEvent(QMouseEvent* event) {
    const double pointX = mapToParent(event->position().toPoint()).x();
    if (m_slider->m_heldThumb == m_index && pointX != m_slider->m_dragX) {
        m_slider->dragTo(pointX, event->modifiers());
    }
}

void RangeThumb::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        m_slider->endDrag();
    }
}

void RangeThumb::keyPressEvent(QKeyEvent* event) {
    const std::optional<double> target = keyTarget(m_slider->m_shownMapping, adjustableValue(), event->key(),
                                                   event->modifiers(), layoutDirection());
    if (target) {
        adjustTo(*target);
    } else {
        QWidget::keyPressEvent(event);
    }
}

void RangeThumb::wheelEvent(QWheelEvent* event) {
    if (!hasFocus()) {
        event->ignore();
        return;
    }
    const SliderMapping& mapping = m_slider->m_shownMapping;
    adjustTo(mapping.stepped(adjustableValue(), mapping.notchShare() * event->angleDelta().y() / 120.0));
    event->accept();
}

void RangeThumb::focusOutEvent(QFocusEvent* event) {
    if (m_slider->m_heldThumb < 0) {
        m_slider->m_gesture.end();
    }
    QWidget::focusOutEvent(event);
}

bool RangeThumb::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (keyTarget(m_slider->m_shownMapping, adjustableValue(), key->key(), key->modifiers(),
                      layoutDirection())) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

}  // namespace phaseladder::ui
