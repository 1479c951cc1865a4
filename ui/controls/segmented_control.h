#pragma once

#include <QWidget>

#include <vector>

#include "core/parameter.h"

class QToolButton;

namespace phaseladder::ui {

class Segment;

/// One of a few choices as lines of joined segments, the rest behind "More". Arrow keys move the choice; one
/// tab stop. Object names: segment_NAME_ID and segment_NAME_more.
class SegmentedControl : public QWidget {
    Q_OBJECT

public:
    /// `inlineChoices` are shown as segments in that order, with short labels; other choices go to the menu.
    SegmentedControl(const QString& name, const std::vector<Choice>& choices,
                     const std::vector<Choice>& inlineChoices, QWidget* parent = nullptr);

    /// The segments after this one stand in a line below.
    void wrapAfter(const QString& id);

    [[nodiscard]] QString current() const { return m_current; }
    /// Shows a choice; emits nothing.
    void setCurrent(const QString& id);
    /// One line about a choice, as its tool tip.
    void setHelp(const QString& id, const QString& help);

Q_SIGNALS:
    void chosen(const QString& id);  ///< by the person

private:
    [[nodiscard]] Segment* segmentOf(const QString& id) const;
    void updateEdges();

    std::vector<Choice> m_choices;
    std::vector<Segment*> m_segments;
    std::vector<std::size_t> m_lineStarts{0};  // indices into the segments
    Segment* m_more = nullptr;
    QString m_current;
};

}  // namespace phaseladder::ui
