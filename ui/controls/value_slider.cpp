#include "ui/controls/value_slider.h"

#include <QFocusEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <cmath>

#include "core/number_text.h"
#include "ui/controls/slider_painting.h"

namespace phaseladder::ui {

ValueSlider::ValueSlider(const SliderMapping& mapping, QWidget* parent)
    : QWidget(parent),
      m_mapping(mapping),
      m_shownMapping(mapping),
      m_value(mapping.minimum),
      m_gesture(this) {
    installAccessibleSliders();
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&m_gesture, &EditGesture::started, this, &ValueSlider::gestureStarted);
    connect(&m_gesture, &EditGesture::ended, this, &ValueSlider::gestureEnded);
}

void ValueSlider::setValue(double value) {
    const SliderMapping shown = m_isHeld ? m_shownMapping : m_mapping.widenedTo(value);
    if (value == m_value && shown == m_shownMapping) {
        return;
    }
    m_value = value;
    m_shownMapping = shown;
    update();
    announceValue(this, value);
}

void ValueSlider::setMapping(const SliderMapping& mapping) {
    m_mapping = mapping;
    m_shownMapping = mapping.widenedTo(m_value);
    update();
}

QPointF ValueSlider::handleCentre() const {
    const SliderGeometry geometry = SliderGeometry::of(*this);
    return {geometry.x(m_shownMapping.fraction(m_value)), geometry.trackY};
}

QSize ValueSlider::sizeHint() const {
    return {240, sliderHeight};
}

QSize ValueSlider::minimumSizeHint() const {
    return {120, sliderHeight};
}

QString ValueSlider::adjustableText() const {
    const QString number = QString::fromStdString(formatForPeople(m_value, 15));
    return m_unit.isEmpty() ? number : number + QLatin1Char(' ') + m_unit;
}

void ValueSlider::adjustTo(double value) {
    m_gesture.touch();
    edit(value);
}

void ValueSlider::edit(double value) {
    if (value != m_value) {
        setValue(value);
        Q_EMIT valueEdited(value);
    }
}

void ValueSlider::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintTrack(painter, *this, m_shownMapping, 0.0, m_shownMapping.fraction(m_value));
    const HandleState state = m_isHeld       ? HandleState::held
                              : underMouse() ? HandleState::hovered
                                             : HandleState::resting;
    paintHandle(painter, *this, handleCentre(), state, hasFocus());
}

void ValueSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    m_gesture.begin();
    m_isHeld = true;
    m_dragX = event->position().x();
    m_dragFraction = m_shownMapping.fraction(m_value);
    const bool isOnHandle = std::abs(m_dragX - handleCentre().x()) <= handleRadius + 3.0;
    if (!isOnHandle && (event->modifiers() & Qt::AltModifier) == Qt::NoModifier) {
        m_dragFraction = SliderGeometry::of(*this).fractionAt(m_dragX);
        dragTo(m_dragX, event->modifiers());
    }
    update();
}

void ValueSlider::mouseMoveEvent(QMouseEvent* event) {
    if (m_isHeld && event->position().x() != m_dragX) {
        dragTo(event->position().x(), event->modifiers());
    }
}

void ValueSlider::dragTo(double pointX, Qt::KeyboardModifiers modifiers) {
    const double speed = (modifiers & Qt::AltModifier) != Qt::NoModifier ? 0.05 : 1.0;
    m_dragFraction += speed * SliderGeometry::of(*this).fractionOfWay(pointX - m_dragX);
    m_dragX = pointX;
    const double exact = m_shownMapping.value(m_dragFraction);
    const bool snaps = (modifiers & Qt::ControlModifier) != Qt::NoModifier;
    edit(snaps ? m_shownMapping.nearestTick(exact) : m_shownMapping.tidied(exact));
}

void ValueSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && m_isHeld) {
        m_isHeld = false;
        m_gesture.end();
        setValue(m_value);
        update();
    }
}

void ValueSlider::keyPressEvent(QKeyEvent* event) {
    const std::optional<double> target =
        keyTarget(m_shownMapping, m_value, event->key(), event->modifiers(), layoutDirection());
    if (!target) {
        QWidget::keyPressEvent(event);
        return;
    }
    m_gesture.touch();
    edit(*target);
}

void ValueSlider::wheelEvent(QWheelEvent* event) {
    if (!hasFocus()) {
        event->ignore();
        return;
    }
    m_gesture.touch();
    edit(m_shownMapping.stepped(m_value, m_shownMapping.notchShare() * event->angleDelta().y() / 120.0));
    event->accept();
}

void ValueSlider::focusOutEvent(QFocusEvent* event) {
    if (!m_isHeld) {
        m_gesture.end();
    }
    QWidget::focusOutEvent(event);
}

bool ValueSlider::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (keyTarget(m_shownMapping, m_value, key->key(), key->modifiers(), layoutDirection())) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

}  // namespace phaseladder::ui
