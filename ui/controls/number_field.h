#pragma once

#include <QLineEdit>

#include <functional>

namespace phaseladder::ui {

/// A field for one number, typed in any of the forms of core/number_text.h. Away from focus it shows the
/// number for people
/// ("500 000"), with focus the exact one. Enter or leaving applies, Esc reverts; a refused text stays, framed
/// in red, until it is corrected, reverted or overtaken by another value.
class NumberField : public QLineEdit {
    Q_OBJECT

public:
    explicit NumberField(QWidget* parent = nullptr);

    /// Applies a typed text; returns one sentence why not, or an empty string.
    using Apply = std::function<QString(const QString& text)>;
    void setApply(Apply apply) { m_apply = std::move(apply); }

    /// The current value for people and exactly; ends an edit or a refusal when the value is another one.
    void setTexts(const QString& forPeople, const QString& exact);
    /// Applies what is typed, as leaving the field does.
    void finishEditing();
    [[nodiscard]] bool isWrong() const { return m_isWrong; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    /// A sentence to show at the field; empty when the matter is settled.
    void refusalChanged(const QString& sentence);
    /// Up and Down: ±1, Page keys: ±10.
    void stepRequested(int steps);

protected:
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void applyText();
    void revert();
    void setWrong(const QString& sentence);

    Apply m_apply;
    QString m_forPeople;
    QString m_exact;
    QString m_refusedText;
    bool m_isWrong = false;
};

}  // namespace phaseladder::ui
