#pragma once

#include <QStringList>
#include <QWidget>

#include "core/scene.h"

namespace phaseladder::ui {

/// One row of the parameter panel: it shows the scene in place and knows when it applies.
class PanelRow : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// The parameters that the row sets; the first one names it.
    [[nodiscard]] virtual QStringList parameterIds() const = 0;
    [[nodiscard]] virtual bool applies(const Scene& scene) const = 0;
    /// Shows the scene's values; called often, touches only what differs.
    virtual void showScene(const Scene& scene, const Scene& preset) = 0;
    /// Shows what is to be said about the row's values: nothing, notes, or warnings. Default: does not.
    virtual void showNotes(const QStringList& /*sentences*/, bool /*isWarning*/) {}
    /// The control for typing or choosing a parameter of the row.
    [[nodiscard]] virtual QWidget* fieldOf(const QString& parameterId) const = 0;

Q_SIGNALS:
    void refused(const QString& sentence);
    void said(const QString& sentence);  ///< a confirmation
};

}  // namespace phaseladder::ui
