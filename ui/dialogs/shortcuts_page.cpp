#include "ui/dialogs/shortcuts_page.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/actions.h"
#include "ui/controls/key_field.h"
#include "ui/shortcuts.h"

namespace phaseladder::ui {
namespace {

constexpr int rowHeight = 24;
constexpr int keysColumnWidth = 170;
constexpr int keyFieldWidth = 170;

QString keysText(const QList<QKeySequence>& keys) {
    return QKeySequence::listToString(keys, QKeySequence::NativeText);
}

/// Every word somewhere in the row, in any order and case.
bool hasWords(const QTreeWidgetItem& row, const QString& words) {
    const QString text =
        row.parent()->text(0) + QLatin1Char(' ') + row.text(0) + QLatin1Char(' ') + row.text(1);
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(wanted.begin(), wanted.end(),
                       [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

}  // namespace

ShortcutsPage::ShortcutsPage(Shortcuts* shortcuts, QWidget* parent)
    : QWidget(parent), m_shortcuts(shortcuts) {
    setObjectName(QStringLiteral("shortcuts_page"));
    buildList();
    buildEditor();
    auto* editor = new QHBoxLayout;
    editor->setSpacing(8);
    editor->addWidget(m_command, 1);
    editor->addWidget(m_keys);
    editor->addWidget(m_reset);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(8);
    column->addWidget(m_words);
    column->addWidget(m_list, 1);
    column->addLayout(editor);
    column->addWidget(m_hint);
    column->addWidget(m_refusal);
    fillList();
    connect(m_shortcuts, &Shortcuts::changed, this, &ShortcutsPage::showKeys);
    showMarked();
}

void ShortcutsPage::buildList() {
    m_words = new QLineEdit(this);
    m_words->setObjectName(QStringLiteral("shortcut_words"));
    m_words->setPlaceholderText(tr("Find a command or keys"));
    m_words->setAccessibleName(m_words->placeholderText());
    m_words->setClearButtonEnabled(true);
    m_list = new QTreeWidget(this);
    m_list->setObjectName(QStringLiteral("shortcut_list"));
    m_list->setAccessibleName(tr("Commands and their keys"));
    m_list->setColumnCount(2);
    m_list->setHeaderLabels({tr("Command"), tr("Keys")});
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::Fixed);
    m_list->header()->resizeSection(1, keysColumnWidth);
    m_list->header()->setSectionsClickable(false);
    m_list->setUniformRowHeights(true);
    m_list->installEventFilter(this);
    connect(m_words, &QLineEdit::textChanged, this, &ShortcutsPage::narrow);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &ShortcutsPage::showMarked);
    connect(m_list, &QTreeWidget::itemDoubleClicked, this, [this] { m_keys->setFocus(); });
}

void ShortcutsPage::buildEditor() {
    m_command = new QLabel(this);
    m_command->setObjectName(QStringLiteral("shortcut_command"));
    m_command->setTextFormat(Qt::PlainText);
    m_command->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_keys = new KeyField(this);
    m_keys->setObjectName(QStringLiteral("shortcut_keys"));
    m_keys->setFixedWidth(keyFieldWidth);
    m_reset = new QPushButton(tr("Reset &this"), this);
    m_reset->setObjectName(QStringLiteral("shortcut_reset"));
    m_reset->setAutoDefault(false);
    m_hint = addSentence(QStringLiteral("shortcut_hint"), "muted");
    m_hint->setText(
        tr("Click into the field and press the new keys; Backspace takes the keys away. A single letter or "
           "digit works while no text field has the focus."));
    m_keys->setAccessibleDescription(m_hint->text());
    m_refusal = addSentence(QStringLiteral("shortcut_refusal"), "failure");
    connect(m_keys, &KeyField::keysPressed, this, [this](const QKeySequence& keys) {
        if (QAction* action = marked()) {
            showRefusal(m_shortcuts->setKeys(action, keys));
        }
    });
    connect(m_keys, &KeyField::gaveUp, this, [this] { m_list->setFocus(); });
    connect(m_reset, &QPushButton::clicked, this, [this] {
        if (QAction* action = marked()) {
            showRefusal(m_shortcuts->reset(action));
        }
    });
}

QLabel* ShortcutsPage::addSentence(const QString& name, const char* look) {
    auto* label = new QLabel(this);
    label->setObjectName(name);
    label->setProperty(look, true);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setFixedHeight(2 * label->fontMetrics().lineSpacing() + 4);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    return label;
}

void ShortcutsPage::fillList() {
    QTreeWidgetItem* group = nullptr;
    for (QAction* action : m_shortcuts->actions()) {
        const QString name = commandGroup(*action);
        if (group == nullptr || group->text(0) != name) {
            const QList<QTreeWidgetItem*> known = m_list->findItems(name, Qt::MatchExactly);
            group = known.isEmpty() ? new QTreeWidgetItem(m_list, {name}) : known.first();
            group->setFlags(Qt::ItemIsEnabled);
            group->setExpanded(true);
            QFont font = m_list->font();
            font.setWeight(QFont::Medium);
            group->setFont(0, font);
            group->setSizeHint(0, QSize(0, rowHeight));
        }
        auto* row = new QTreeWidgetItem(group);
        row->setSizeHint(0, QSize(0, rowHeight));
        row->setData(0, Qt::UserRole, QVariant::fromValue(action));
    }
    showKeys();
    m_list->setCurrentItem(m_list->topLevelItem(0)->child(0));
}

void ShortcutsPage::showKeys() {
    for (QTreeWidgetItemIterator row(m_list); *row != nullptr; ++row) {
        const auto* action = (*row)->data(0, Qt::UserRole).value<QAction*>();
        if (action == nullptr) {
            continue;
        }
        const bool isChanged = m_shortcuts->isChanged(action);
        const QString builtIn = keysText(m_shortcuts->builtIn(action));
        QFont font = m_list->font();
        font.setWeight(isChanged ? QFont::Medium : QFont::Normal);
        (*row)->setText(0, commandName(*action));
        (*row)->setText(1, keysText(action->shortcuts()));
        (*row)->setFont(1, font);
        (*row)->setToolTip(1, !isChanged          ? QString()
                              : builtIn.isEmpty() ? tr("Changed; without keys at first")
                                                  : tr("Changed; %1 at first").arg(builtIn));
    }
    showMarked();
}

QAction* ShortcutsPage::marked() const {
    const QTreeWidgetItem* row = m_list->currentItem();
    return row == nullptr || row->isHidden() ? nullptr : row->data(0, Qt::UserRole).value<QAction*>();
}

void ShortcutsPage::showMarked() {
    const QAction* action = marked();
    m_keys->setEnabled(action != nullptr);
    m_reset->setEnabled(action != nullptr && m_shortcuts->isChanged(action));
    showRefusal({});
    if (action == nullptr) {
        m_command->setText(tr("Choose a command in the list."));
        m_keys->setKeySequence({});
        return;
    }
    m_command->setText(tr("Keys for “%1”").arg(commandName(*action)));
    m_keys->setAccessibleName(m_command->text());
    m_keys->setKeySequence(action->shortcut());
}

void ShortcutsPage::narrow(const QString& words) {
    QTreeWidgetItem* first = nullptr;
    for (int place = 0; place < m_list->topLevelItemCount(); ++place) {
        QTreeWidgetItem* group = m_list->topLevelItem(place);
        bool isEmpty = true;
        for (int child = 0; child < group->childCount(); ++child) {
            QTreeWidgetItem* row = group->child(child);
            row->setHidden(!hasWords(*row, words));
            isEmpty = isEmpty && row->isHidden();
            first = first == nullptr && !row->isHidden() ? row : first;
        }
        group->setHidden(isEmpty);
    }
    if (marked() == nullptr && first != nullptr) {
        m_list->setCurrentItem(first);
    }
    showMarked();
}

void ShortcutsPage::showRefusal(const QString& sentence) {
    m_refusal->setText(sentence);
    m_refusal->setVisible(!sentence.isEmpty());
    m_hint->setVisible(sentence.isEmpty());
}

void ShortcutsPage::resetAll() {
    m_shortcuts->resetAll();
}

bool ShortcutsPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_list && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            m_keys->setFocus();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace phaseladder::ui
