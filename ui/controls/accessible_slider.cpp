#include "ui/controls/accessible_slider.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QWidget>

namespace phaseladder::ui {

namespace {

class AccessibleSlider : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    AccessibleSlider(QWidget* widget, AdjustableValue* adjustable)
        : QAccessibleWidget(widget, QAccessible::Slider), m_adjustable(adjustable) {}

    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Value ? m_adjustable->adjustableText() : QAccessibleWidget::text(kind);
    }

    QVariant currentValue() const override { return m_adjustable->adjustableValue(); }
    QVariant minimumValue() const override { return m_adjustable->adjustableMinimum(); }
    QVariant maximumValue() const override { return m_adjustable->adjustableMaximum(); }
    QVariant minimumStepSize() const override {
        return (m_adjustable->adjustableMaximum() - m_adjustable->adjustableMinimum()) / 100.0;
    }
    void setCurrentValue(const QVariant& value) override { m_adjustable->adjustTo(value.toDouble()); }

private:
    AdjustableValue* m_adjustable;
};

QAccessibleInterface* makeAccessibleSlider(const QString&, QObject* object) {
    auto* widget = qobject_cast<QWidget*>(object);
    auto* adjustable = dynamic_cast<AdjustableValue*>(object);
    return widget != nullptr && adjustable != nullptr ? new AccessibleSlider(widget, adjustable) : nullptr;
}

}  // namespace

void installAccessibleSliders() {
    [[maybe_unused]] static const bool installed = [] {
        QAccessible::installFactory(makeAccessibleSlider);
        return true;
    }();
}

void announceValue(QWidget* slider, double value) {
    if (QAccessible::isActive()) {
        QAccessibleValueChangeEvent event(slider, value);
        QAccessible::updateAccessibility(&event);
    }
}

}  // namespace phaseladder::ui
