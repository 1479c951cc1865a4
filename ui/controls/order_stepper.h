#pragma once

#include <QWidget>

#include <cstdint>
#include <vector>

#include "core/shared_list.h"

class QLabel;
class QToolButton;

namespace phaseladder::ui {

/// "‹ order 3 of 6 ›": steps through all orders of the tokens in lexicographic order, or through those that
/// keep the last token last. Home and End go to the first and the last; a button that is held goes on.
class OrderStepper : public QWidget {
    Q_OBJECT

public:
    explicit OrderStepper(QWidget* parent = nullptr);

    void setOrder(const SharedList<int>& order);
    /// Whether the last token stays last.
    void setHeld(bool held);

    /// Most tokens whose orders are stepped through.
    static constexpr int mostTokens = 10;

public Q_SLOTS:
    void stepBy(int places);  ///< not past the ends

Q_SIGNALS:
    void orderChosen(const std::vector<int>& order);
    /// Around all steps of one press.
    void gestureStarted();
    void gestureEnded();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QToolButton* addButton(const QString& name, const QString& icon, const QString& text, int places);
    void endGesture();
    void show();
    void goTo(std::int64_t place);
    [[nodiscard]] bool isHeld() const;
    [[nodiscard]] std::vector<int> movingTokens() const;
    [[nodiscard]] std::int64_t place() const;
    [[nodiscard]] std::int64_t count() const;

    SharedList<int> m_order;
    QToolButton* m_previous;
    QLabel* m_text;
    QToolButton* m_next;
    bool m_holdsLast = false;
    bool m_isGestureOpen = false;
};

}  // namespace phaseladder::ui
