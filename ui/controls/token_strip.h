#pragma once

#include <QRect>
#include <QWidget>

#include <memory>

namespace phaseladder::ui {

class FigureLink;
class SceneDocument;

/// The tokens in their order as chips that can be dragged or moved by keys, edited, added and removed;
/// reverse, shuffle with a visible seed, identity; by-position / by-token switch and causal switch; the
/// verdict of the last computed order.
class TokenStrip : public QWidget {
    Q_OBJECT

public:
    TokenStrip(SceneDocument* document, FigureLink* link, QWidget* parent = nullptr);
    ~TokenStrip() override;

    void reverse();
    void shuffle();
    void identity();
    void editText();  ///< the whole text in one field

    /// Where the chip of a position is, in the strip.
    [[nodiscard]] QRect chipRect(int position) const;

    /// "order-blind · max |Δh| 3.1e-16", and whether it is good news (tone).
    void setVerdict(const QString& text, bool orderBlind);

Q_SIGNALS:
    void refused(const QString& sentence);
    /// While a chip is held over another place: the order as it would be (drawn as a preview); an empty list
    /// ends it.
    void orderPreviewed(const QList<int>& order);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace phaseladder::ui
