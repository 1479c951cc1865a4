#include "ui/dialogs/search_popup.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QRegularExpression>
#include <QScreen>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "ui/theme.h"

namespace phaseladder::ui {
namespace {

constexpr int popupHeight = 400;
constexpr int rowHeight = 30;
constexpr int rowMargin = 10;
constexpr int pageRows = 8;
constexpr int noteRole = Qt::UserRole + 1;
constexpr int wordsRole = Qt::UserRole + 2;

/// Every word somewhere, in any order.
QRegularExpression everyWord(const QString& words) {
    QString pattern;
    for (const QString& word : words.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        pattern += QStringLiteral("(?=.*%1)").arg(QRegularExpression::escape(word));
    }
    return QRegularExpression(QLatin1Char('^') + pattern, QRegularExpression::CaseInsensitiveOption);
}

/// A row with its muted note at the right end; headings are muted.
class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        painter->setPen(themeColors(currentTheme()).mutedText);
        painter->drawText(option.rect.adjusted(0, 0, -rowMargin, 0), Qt::AlignRight | Qt::AlignVCenter,
                          index.data(noteRole).toString());
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override {
        return {QStyledItemDelegate::sizeHint(option, index).width(), rowHeight};
    }
};

}  // namespace

SearchPopup::SearchPopup(const QString& name, const QString& placeholder, QWidget* window)
    : QFrame(window, Qt::Popup) {
    setObjectName(name);
    setProperty("card", true);
    setFixedSize(popupWidth, popupHeight);
    setAttribute(Qt::WA_DeleteOnClose);
    m_words = new QLineEdit(this);
    m_words->setObjectName(name + QStringLiteral("_words"));
    m_words->setPlaceholderText(placeholder);
    m_words->setAccessibleName(placeholder);
    m_words->installEventFilter(this);
    m_entries = new QStandardItemModel(this);
    m_found = new QSortFilterProxyModel(this);
    m_found->setSourceModel(m_entries);
    m_found->setFilterRole(wordsRole);
    m_list = new QListView(this);
    m_list->setObjectName(name + QStringLiteral("_list"));
    m_list->setAccessibleName(placeholder);
    m_list->setModel(m_found);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setItemDelegate(new RowDelegate(m_list));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(m_words);
    layout->addWidget(m_list);
    connect(m_words, &QLineEdit::textChanged, this, &SearchPopup::setWords);
    connect(m_words, &QLineEdit::returnPressed, this, &SearchPopup::choose);
    connect(m_list, &QListView::clicked, this, &SearchPopup::choose);
}

void SearchPopup::open(const QList<SearchEntry>& entries, const QPoint& corner) {
    m_entries->clear();
    for (const SearchEntry& entry : entries) {
        auto* item = new QStandardItem(entry.icon, entry.text);
        item->setData(entry.note, noteRole);
        item->setData(entry.text + QLatin1Char(' ') + entry.note + QLatin1Char(' ') + entry.words, wordsRole);
        if (entry.heading) {
            item->setFlags(Qt::NoItemFlags);
            item->setForeground(themeColors(currentTheme()).mutedText);
        }
        m_entries->appendRow(item);
    }
    m_words->clear();
    setWords({});
    const QRect screen = parentWidget()->screen()->availableGeometry();
    move(qBound(screen.left(), corner.x(), qMax(screen.left(), screen.right() - width())),
         qBound(screen.top(), corner.y(), qMax(screen.top(), screen.bottom() - height())));
    show();
    m_words->setFocus();
}

void SearchPopup::setWords(const QString& words) {
    m_found->setFilterRegularExpression(everyWord(words));
    m_list->setCurrentIndex({});
    moveBy(1);
    m_list->scrollToTop();  // the heading above the first row too
}

/// Marks another row that can be chosen, or stays where there is none.
void SearchPopup::moveBy(int rows) {
    const int step = rows < 0 ? -1 : 1;
    int marked = m_list->currentIndex().row();
    int wanted = qBound(0, marked + rows, qMax(0, m_found->rowCount() - 1));
    while (wanted >= 0 && wanted < m_found->rowCount() &&
           !m_found->index(wanted, 0).flags().testFlag(Qt::ItemIsEnabled)) {
        wanted += step;
    }
    if (wanted >= 0 && wanted < m_found->rowCount()) {
        marked = wanted;
    }
    const QModelIndex index = m_found->index(marked, 0);
    m_list->setCurrentIndex(index);
    m_list->scrollTo(index);
}

void SearchPopup::choose() {
    const QModelIndex index = m_list->currentIndex();
    if (index.isValid() && index.flags().testFlag(Qt::ItemIsEnabled)) {
        const int entry = m_found->mapToSource(index).row();
        close();
        Q_EMIT chosen(entry);
    }
}

bool SearchPopup::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_words && event->type() == QEvent::KeyPress) {
        switch (static_cast<const QKeyEvent*>(event)->key()) {
            case Qt::Key_Up:
                moveBy(-1);
                return true;
            case Qt::Key_Down:
                moveBy(1);
                return true;
            case Qt::Key_PageUp:
                moveBy(-pageRows);
                return true;
            case Qt::Key_PageDown:
                moveBy(pageRows);
                return true;
            default:
                break;
        }
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace phaseladder::ui
