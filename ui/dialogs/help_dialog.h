#pragma once

#include <QAction>
#include <QDialog>
#include <QList>
#include <QString>

class QTextBrowser;

namespace phaseladder::ui {

/// A page of text to read and search, with a close button.
class TextDialog : public QDialog {
    Q_OBJECT

public:
    TextDialog(const QString& name, const QString& title, const QString& html, QWidget* parent);

    /// Shows another text in the place of the first.
    void setHtml(const QString& html);

private:
    QTextBrowser* m_text = nullptr;
};

/// The help page: how to use the window, and every figure, encoding and scaling as their lists describe them.
[[nodiscard]] QString helpPage();

/// The sheet of shortcuts, by menu, made from the commands themselves. Commands without keys are left out.
[[nodiscard]] QString shortcutPage(const QList<QAction*>& actions);

/// Name, version, what the program is and its licence.
[[nodiscard]] QString aboutPage();

}  // namespace phaseladder::ui
