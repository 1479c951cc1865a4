#include "ui/toolbar.h"

#include <QToolBar>
#include <QToolButton>

#include "ui/actions.h"
#include "ui/document.h"
#include "ui/main_window.h"
#include "ui/model_library.h"
#include "ui/theme.h"

namespace phaseladder::ui {
namespace {

constexpr int iconSize = 20;

QToolButton* addButton(QToolBar* bar, QAction* action, const QString& name, const QString& text) {
    auto* button = new QToolButton(bar);
    button->setObjectName(name);
    button->setAccessibleName(commandName(*action));
    button->setFocusPolicy(Qt::TabFocus);
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    const QString tip =
        keys.isEmpty() ? commandName(*action) : QStringLiteral("%1 (%2)").arg(commandName(*action), keys);
    if (text.isEmpty()) {
        button->setDefaultAction(action);
    } else {  // the button's words differ from the command's
        button->setText(text);
        QObject::connect(button, &QToolButton::clicked, action, &QAction::trigger);
    }
    button->setToolButtonStyle(text.isEmpty() ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextOnly);
    button->setToolTip(tip);
    bar->addWidget(button);
    return button;
}

QString modelName(const std::string& name) {
    const QString text = QString::fromStdString(name);
    for (const BuiltInModel& model : builtInModels()) {
        if (model.id == text) {
            return model.label;
        }
    }
    return text;
}

}  // namespace

QToolBar* makeToolbar(MainWindow& window) {
    const Actions& actions = *window.commands();
    const auto action = [&actions](const char* id) { return actions.find(QLatin1StringView(id)); };
    auto* bar = new QToolBar(QObject::tr("Toolbar"), &window);
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setIconSize(QSize(iconSize, iconSize));

    QToolButton* model =
        addButton(bar, action("action_model"), QStringLiteral("model_button"), QObject::tr("Model"));
    SceneDocument* document = window.document();
    const auto showModel = [model, document] {
        const std::string& name = document->scene().model;
        model->setText((name.empty() ? QObject::tr("Choose a model") : modelName(name)) +
                       QStringLiteral(" ▾"));
    };
    QObject::connect(document, &SceneDocument::sceneChanged, model, showModel);
    showModel();
    addButton(bar, action("action_open"), QStringLiteral("open_button"), QObject::tr("Open…"));
    bar->addSeparator();
    addButton(bar, action("action_undo"), QStringLiteral("undo_button"), {});
    addButton(bar, action("action_redo"), QStringLiteral("redo_button"), {});

    auto* space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    for (const char* id : {"action_layout_1", "action_layout_2", "action_layout_4"}) {
        addButton(bar, action(id), QLatin1StringView(id) + QStringLiteral("_button"), {});
    }
    bar->addSeparator();
    addButton(bar, action("action_dark"), QStringLiteral("theme_button"), {});
    addButton(bar, action("action_palette"), QStringLiteral("find_button"),
              QObject::tr("Find command…  Ctrl+Shift+P"));
    addButton(bar, action("action_export"), QStringLiteral("export_button"), QObject::tr("Export…"))
        ->setProperty("primary", true);
    return bar;
}

}  // namespace phaseladder::ui
