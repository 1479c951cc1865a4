#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace phaseladder::ui {

class KeyField;
class Shortcuts;

/// The page of the settings about keys: every command by menu with its keys, made from the commands
/// themselves. The keys of the marked command are changed below the list; a change holds at once, one that
/// another command's keys forbid is refused with that command's name.
class ShortcutsPage : public QWidget {
    Q_OBJECT

public:
    explicit ShortcutsPage(Shortcuts* shortcuts, QWidget* parent = nullptr);

    void resetAll();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildList();
    void buildEditor();
    QLabel* addSentence(const QString& name, const char* look);
    void fillList();
    void showKeys();
    void showMarked();
    void narrow(const QString& words);
    void showRefusal(const QString& sentence);
    [[nodiscard]] QAction* marked() const;

    Shortcuts* m_shortcuts;
    QLineEdit* m_words = nullptr;
    QTreeWidget* m_list = nullptr;
    QLabel* m_command = nullptr;
    KeyField* m_keys = nullptr;
    QPushButton* m_reset = nullptr;
    QLabel* m_hint = nullptr;  // where a refusal is shown when there is one
    QLabel* m_refusal = nullptr;
};

}  // namespace phaseladder::ui
