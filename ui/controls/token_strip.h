#pragma once

#include <QRect>
#include <QWidget>

#include <memory>

namespace phaseladder::ui {

class FigureLink;
class SceneDocument;

/// The tokens in their order as chips that can be dragged or moved by keys, edited, added and removed;
/// reverse, rotate, swap, shuffle with a visible seed, identity; a stepper through all orders; by-position /
/// by-token switch and causal switch; the order with its cycles, and the verdict of the last computed order.
class TokenStrip : public QWidget {
    Q_OBJECT

public:
    TokenStrip(SceneDocument* document, FigureLink* link, QWidget* parent = nullptr);
    ~TokenStrip() override;

    void reverse();
    void rotate();  ///< every token one place on, the last one first
    /// The two selected tokens, or the focused one and the next; nothing where there is a refusal.
    void swapPair();
    /// Why no pair can be swapped now, in one sentence; empty when one can.
    [[nodiscard]] QString swapRefusal() const;
    void shuffle();
    void identity();
    /// That many places on among all orders (or those that hold the last token last); not past the ends.
    void stepOrder(int places);
    void toggleHeldLast();
    void editText();  ///< the whole text in one field

    /// Where the chip of a position is, in the strip.
    [[nodiscard]] QRect chipRect(int position) const;

    /// "order-blind · |Δh| 3.1e-16 ≤ 4.4e-10", what that is in words (tool tip), and whether it is good news.
    void setVerdict(const QString& text, const QString& explanation, bool orderBlind);

Q_SIGNALS:
    void refused(const QString& sentence);
    /// While a chip is held over another place: the order as it would be (drawn as a preview); an empty list
    /// ends it.
    void orderPreviewed(const QList<int>& order);
    void swapRefusalChanged(const QString& refusal);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace phaseladder::ui
