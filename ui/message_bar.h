#pragma once

#include <QFrame>
#include <QString>

#include <functional>

class QLabel;
class QToolButton;

namespace phaseladder::ui {

enum class MessageKind { information, failure };

/// One sentence above the panes that does not stop the work: why a file was not opened, where settings went.
/// Stays until it is closed, replaced or cleared; may carry one button.
class MessageBar : public QFrame {
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    void showMessage(MessageKind kind, const QString& sentence);
    /// With a button that runs `action` and closes the bar.
    void offer(const QString& sentence, const QString& buttonText, std::function<void()> action);
    void clear();

    [[nodiscard]] QString text() const;

private:
    QLabel* m_icon = nullptr;
    QLabel* m_text = nullptr;
    QToolButton* m_button = nullptr;
    std::function<void()> m_action;
};

}  // namespace phaseladder::ui
