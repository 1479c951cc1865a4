#include "ui/controls/row_menu.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QObject>
#include <QWhatsThis>

#include "core/parameter.h"
#include "ui/controls/parameter_readout.h"
#include "ui/controls/scene_editor.h"
#include "ui/document.h"
#include "ui/theme.h"

namespace phaseladder::ui {

namespace {

/// The row's values in a scene, for people.
QString valuesText(const RowMenu& row, const Scene& scene) {
    QStringList texts;
    for (const QString& id : row.ids) {
        if (const Parameter* parameter = findParameter(id.toStdString())) {
            texts.append(valueText(*parameter, parameter->get(scene)));
        }
    }
    return texts.join(QObject::tr(" and "));
}

QString exactText(const RowMenu& row) {
    QStringList texts;
    for (const QString& id : row.ids) {
        if (const Parameter* parameter = findParameter(id.toStdString())) {
            const ParameterValue value = parameter->get(row.editor->document().scene());
            texts.append(QString::fromStdString(formatValue(*parameter, value)));
        }
    }
    return texts.join(QLatin1Char(' '));
}

bool hasOwnDefault(const RowMenu& row) {
    return row.editor->document().ownDefaults().find(row.ids.first()) != nullptr;
}

/// Whether the values are what reset goes back to, now and at the next start.
bool isDefaultAlready(const RowMenu& row) {
    const SceneDocument& document = row.editor->document();
    for (const QString& id : row.ids) {
        const Parameter* parameter = findParameter(id.toStdString());
        const ParameterValue value = parameter->get(document.scene());
        const ParameterValue* own = document.ownDefaults().find(id);
        if (value != parameter->get(document.resetScene()) ||
            value != (own != nullptr ? *own : parameter->get(Scene()))) {
            return false;
        }
    }
    return true;
}

/// An empty icon name: no icon.
QAction* add(QMenu& menu, const char* name, const char* icon, const QString& text,
             const std::function<void()>& run) {
    QAction* action = menu.addAction(text);
    if (*icon != '\0') {
        action->setIcon(themedIcon(QLatin1StringView(icon)));
    }
    action->setObjectName(QLatin1StringView(name));
    QObject::connect(action, &QAction::triggered, &menu, run);
    return action;
}

void addDefaults(QMenu& menu, const RowMenu& row) {
    QAction* set = add(menu, "row_set_default", "", QObject::tr("Set as default"), [&row] {
        row.editor->setAsDefault(row.ids);
        row.say(
            QObject::tr("Reset now goes back to %1, and the program starts with it.").arg(resetText(row)));
    });
    set->setEnabled(!isDefaultAlready(row));
    QAction* builtIn =
        add(menu, "row_built_in_default", "",
            QObject::tr("Use the built-in default (%1)").arg(valuesText(row, Scene())), [&row] {
                row.editor->useBuiltInDefault(row.ids);
                row.say(QObject::tr("Reset goes back to %1 again.").arg(resetText(row)));
            });
    builtIn->setEnabled(hasOwnDefault(row));
}

}  // namespace

QString resetText(const RowMenu& row) {
    return valuesText(row, row.editor->document().parameterResetScene());
}

void openRowMenu(const RowMenu& row, QWidget* owner, const QPoint& position) {
    QMenu menu(owner);
    menu.setObjectName(QStringLiteral("rowMenu"));
    add(menu, "row_copy", "copy", QObject::tr("Copy value"),
        [&row] { QApplication::clipboard()->setText(exactText(row)); });
    if (row.paste) {
        add(menu, "row_paste", "paste", QObject::tr("Paste value"),
            [&row] { row.paste(QApplication::clipboard()->text().trimmed()); });
    }
    add(menu, "row_reset", "reset", QObject::tr("Reset to %1").arg(resetText(row)),
        [&row] { row.refuse(row.editor->reset(row.ids)); });
    menu.addSeparator();
    addDefaults(menu, row);
    if (row.openSliderForm) {
        menu.addSeparator();
        add(menu, "row_slider", "settings", QObject::tr("Slider: range, step, scale…"), row.openSliderForm);
    }
    menu.addSeparator();
    add(menu, "row_help", "help", QObject::tr("What's this?"),
        [&] { QWhatsThis::showText(position, row.explanation, owner); });
    menu.exec(position);
}

}  // namespace phaseladder::ui
