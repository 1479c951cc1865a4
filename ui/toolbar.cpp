#include "ui/toolbar.h"

#include <QLayout>
#include <QToolBar>
#include <QToolButton>

#include "ui/actions.h"
#include "ui/comparison.h"
#include "ui/controls/segmented_control.h"
#include "ui/document.h"
#include "ui/main_window.h"
#include "ui/model_library.h"
#include "ui/theme.h"

namespace phaseladder::ui {
namespace {

constexpr int iconSize = 20;
constexpr int widthWithWords = 1100;

/// Gives up the words of the command search where the window is narrow.
class WindowToolBar : public QToolBar {
public:
    using QToolBar::QToolBar;

    void setFindButton(QToolButton* find) { m_find = find; }

protected:
    void resizeEvent(QResizeEvent* event) override {
        const auto style = width() < widthWithWords ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextOnly;
        if (style != m_find->toolButtonStyle()) {
            m_find->setToolButtonStyle(style);
            layout()->invalidate();  // it has placed the buttons by the old width
            layout()->setGeometry(rect());
        }
        QToolBar::resizeEvent(event);
    }

private:
    QToolButton* m_find = nullptr;
};

QString keysOf(const QAction& action) {
    return action.shortcut().toString(QKeySequence::NativeText);
}

QToolButton* makeButton(QWidget* parent, QAction* action, const QString& name, const QString& text) {
    auto* button = new QToolButton(parent);
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
    return button;
}

QToolButton* addButton(QToolBar* bar, QAction* action, const QString& name, const QString& text) {
    QToolButton* button = makeButton(bar, action, name, text);
    bar->addWidget(button);
    return button;
}

/// "Pin A"; while something is pinned "A pinned", filled, which pins again, and a cross that lets go of it.
void addPin(QToolBar* bar, const MainWindow& window) {
    const Actions& actions = *window.commands();
    QAction* action = actions.find(QStringLiteral("action_pin"));
    QToolButton* pin = addButton(bar, action, QStringLiteral("pin_button"), QObject::tr("Pin A"));
    pin->setCheckable(true);
    QAction* cross = bar->addWidget(
        makeButton(bar, actions.find(QStringLiteral("action_unpin")), QStringLiteral("unpin_button"), {}));
    Comparison* comparison = window.comparison();
    const auto show = [action, pin, cross, comparison] {
        const bool isPinned = comparison->pinned() != nullptr;
        pin->setText(isPinned ? QObject::tr("A pinned") : QObject::tr("Pin A"));
        pin->setChecked(isPinned);  // a click toggles it by itself
        pin->setAccessibleName(isPinned ? QObject::tr("A is pinned; pin the present setting in its place")
                                        : QObject::tr("Pin A"));
        const QString help =
            isPinned ? QObject::tr(
                           "A is pinned. Click to pin the present setting in its place (%1); the cross "
                           "lets go of A.")
                     : QObject::tr("Pin A: keep the present setting, to compare with what you change (%1).");
        pin->setToolTip(help.arg(keysOf(*action)));
        cross->setVisible(isPinned);
    };
    QObject::connect(comparison, &Comparison::changed, pin, show);
    QObject::connect(action, &QAction::changed, pin, show);
    show();
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

/// Which of A, B and Δ the panes show; while nothing is pinned it says how to get there.
void addComparison(QToolBar* bar, const MainWindow& window) {
    const std::vector<Choice> choices{{"a", "A"}, {"b", "B"}, {"delta", "Δ"}};
    auto* control = new SegmentedControl(QStringLiteral("compare"), choices, choices, bar);
    control->setObjectName(QStringLiteral("compare_control"));
    control->setAccessibleName(QObject::tr("Compare: A, B or their difference"));
    control->setFixedWidth(108);
    Comparison* comparison = window.comparison();
    const Actions* actions = window.commands();
    const auto show = [control, comparison, actions] {
        const bool isPinned = comparison->pinned() != nullptr;
        const QString pin = keysOf(*actions->find(QStringLiteral("action_pin")));
        const QString next = keysOf(*actions->find(QStringLiteral("action_compare_next")));
        control->setEnabled(isPinned);
        const QString reason = QObject::tr(
                                   "Nothing is pinned yet. Pin A (%1), then change something: A and "
                                   "B can be compared.")
                                   .arg(pin);
        const std::pair<const char*, QString> help[] = {
            {"a", QObject::tr("A: the pinned setting (%1 for the next)").arg(next)},
            {"b", QObject::tr("B: the live setting, with A over it where there are lines (%1 for the next)")
                      .arg(next)},
            {"delta", QObject::tr("Δ: the difference B − A (%1 for the next)").arg(next)}};
        for (const auto& [id, text] : help) {
            control->setHelp(QLatin1StringView(id), isPinned ? text : reason);
        }
        control->setToolTip(isPinned ? QString() : reason);
        control->setCurrent(comparison->mode() == CompareMode::pinned ? QStringLiteral("a")
                            : comparison->mode() == CompareMode::live ? QStringLiteral("b")
                                                                      : QStringLiteral("delta"));
    };
    QObject::connect(comparison, &Comparison::changed, control, show);
    QObject::connect(control, &SegmentedControl::chosen, comparison, [comparison](const QString& id) {
        comparison->show(id == QLatin1String("a")   ? CompareMode::pinned
                         : id == QLatin1String("b") ? CompareMode::live
                                                    : CompareMode::difference);
    });
    for (const char* id : {"action_pin", "action_compare_next"}) {
        QObject::connect(actions->find(QLatin1StringView(id)), &QAction::changed, control, show);
    }
    show();
    bar->addWidget(control);
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

    bar->addSeparator();
    addPin(bar, window);
    addComparison(bar, window);

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
