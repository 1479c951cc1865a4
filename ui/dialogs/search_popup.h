#pragma once

#include <QFrame>
#include <QIcon>
#include <QList>
#include <QString>

class QLineEdit;
class QListView;
class QSortFilterProxyModel;
class QStandardItemModel;

namespace phaseladder::ui {

/// One row of a search popup.
struct SearchEntry {
    QString text;
    QString note;  ///< muted, at the right end: a command's keys, a model's id
    QIcon icon;
    QString words;         ///< found by these too
    bool heading = false;  ///< a group's name: cannot be chosen
};

/// A field and a list: the words typed narrow the list (every word, in any order, any case), Up, Down and
/// Page move, Enter or a click chooses, Esc closes. The command palette and the model picker are such popups.
class SearchPopup : public QFrame {
    Q_OBJECT

public:
    static constexpr int popupWidth = 440;

    SearchPopup(const QString& name, const QString& placeholder, QWidget* window);

    /// Opens with these rows; `corner` is the popup's upper left corner on the screen.
    void open(const QList<SearchEntry>& entries, const QPoint& corner);

Q_SIGNALS:
    void chosen(int entry);  ///< index in the list given to open()

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void setWords(const QString& words);
    void moveBy(int rows);
    void choose();

    QLineEdit* m_words = nullptr;
    QListView* m_list = nullptr;
    QStandardItemModel* m_entries = nullptr;
    QSortFilterProxyModel* m_found = nullptr;
};

}  // namespace phaseladder::ui
