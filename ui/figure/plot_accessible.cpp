#include "ui/figure/plot_accessible.h"

#include <QAccessible>
#include <QAccessibleWidget>

#include "ui/figure/panel_view.h"

namespace phaseladder::ui {
namespace {

class PlotAccessible : public QAccessibleWidget {
public:
    explicit PlotAccessible(PanelView* view) : QAccessibleWidget(view, QAccessible::Chart) {}

    QString text(QAccessible::Text kind) const override {
        const auto* view = static_cast<const PanelView*>(object());
        switch (kind) {
            case QAccessible::Value:
                return view->readoutText();
            case QAccessible::Description:
                return view->summary();
            default:
                return QAccessibleWidget::text(kind);
        }
    }
};

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    auto* view = qobject_cast<PanelView*>(object);
    return view == nullptr ? nullptr : new PlotAccessible(view);
}

}  // namespace

void installPlotAccessibility() {
    static const bool installed = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    Q_UNUSED(installed);
}

}  // namespace phaseladder::ui
