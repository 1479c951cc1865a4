#include "ui/toolbar.h"

#include <QLayout>
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
constexpr int widthWithWords = 900;

/// Gives up the words of the command search where the window is narrow.
class WindowToolBar : public QToolBar {
public:
    using QToolBar::QToolBar;

    void setFindButton(QToolButton* find) { m_find = find; }

protected:
    void resizeEvent(QResizeEvent* event) override {
        m_find->setToolButtonStyle(width() < widthWithWords ? Qt::ToolButtonIconOnly
                                                            : Qt::ToolButtonTextOnly);
        QToolBar::resizeEvent(event);
    }

private:
    QToolButton* m_find = nullptr;
};

QString keysOf(const QAction& action) {
    return action.shortcut().toString(QKeySequence::NativeText);
}

QToolButton* addButton(QToolBar* bar, QAction* action, const QString& name, const QString& text) {
    auto* button = new QToolButton(bar);
    button->setObjectName(name);
    button->setAccessibleName(commandName(*action));
    button->setFocusPolicy(Qt::TabFocus);
    if (text.isEmpty()) {
        button->setDefaultAction(action);
    } else {  // the button's words differ from the command's
        button->setText(text);
        QObject::connect(button, &QToolButton::clicked, action, &QAction::trigger);
    }
    button->setToolButtonStyle(text.isEmpty() ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextOnly);
    const auto showKeys = [button, action] {
        const QString keys = keysOf(*action);
        button->setToolTip(keys.isEmpty() ? commandName(*action)
                                          : QStringLiteral("%1 (%2)").arg(commandName(*action), keys));
    };
    QObject::connect(action, &QAction::changed, button, showKeys);
    showKeys();
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

/// Whether the positions are no longer those of the model or file that was opened.
bool isChanged(const Scene& scene, const Scene& opened) {
    return scene.encoding != opened.encoding || scene.headDim != opened.headDim ||
           scene.rope != opened.rope || scene.scaling != opened.scaling || scene.length != opened.length;
}

}  // namespace

QToolBar* makeToolbar(MainWindow& window) {
    const Actions& actions = *window.commands();
    const auto action = [&actions](const char* id) { return actions.find(QLatin1StringView(id)); };
    auto* bar = new WindowToolBar(QObject::tr("Toolbar"), &window);
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setIconSize(QSize(iconSize, iconSize));
    bar->layout()->setContentsMargins(6, 6, 6, 6);  // the padding of a style sheet does not reach it

    QToolButton* model =
        addButton(bar, action("action_model"), QStringLiteral("model_button"), QObject::tr("Model"));
    SceneDocument* document = window.document();
    const auto showModel = [model, document] {
        const std::string& name = document->scene().model;
        const QString text = name.empty() ? QObject::tr("Choose a model")
                             : isChanged(document->scene(), document->resetScene())
                                 ? QObject::tr("%1, changed").arg(modelName(name))
                                 : modelName(name);
        model->setText(text + QStringLiteral(" ▾"));
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
    QAction* palette = action("action_palette");
    QToolButton* find = addButton(bar, palette, QStringLiteral("find_button"), QObject::tr("Find command…"));
    const auto showFindKeys = [find, palette] {
        find->setText((QObject::tr("Find command…") + QStringLiteral("  ") + keysOf(*palette)).trimmed());
    };
    find->setIcon(palette->icon());
    bar->setFindButton(find);
    QObject::connect(palette, &QAction::changed, find, showFindKeys);
    showFindKeys();
    addButton(bar, action("action_export"), QStringLiteral("export_button"), QObject::tr("Export…"))
        ->setProperty("primary", true);
    return bar;
}

}  // namespace phaseladder::ui
