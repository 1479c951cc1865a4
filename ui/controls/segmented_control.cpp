#include "ui/controls/segmented_control.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/controls/segment.h"

namespace phaseladder::ui {

namespace {

QString idOf(const Choice& choice) {
    return QString::fromStdString(choice.id);
}

QString labelOf(const Choice& choice) {
    return QString::fromStdString(choice.label);
}

QHBoxLayout* addLine(QVBoxLayout* lines) {
    auto* line = new QHBoxLayout;
    line->setSpacing(0);
    lines->addLayout(line);
    return line;
}

}  // namespace

SegmentedControl::SegmentedControl(const QString& name, const std::vector<Choice>& choices,
                                   const std::vector<Choice>& inlineChoices, QWidget* parent)
    : QWidget(parent), m_choices(choices) {
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(4);
    QHBoxLayout* layout = addLine(lines);
    const auto addSegment = [&](const QString& id, const QString& text) {
        auto* segment = new Segment(id, text, this);
        segment->setObjectName(QStringLiteral("segment_%1_%2").arg(name, id));
        segment->setAccessibleName(text);
        layout->addWidget(segment, 1);
        m_segments.push_back(segment);
        return segment;
    };
    for (const Choice& choice : inlineChoices) {
        Segment* segment = addSegment(idOf(choice), labelOf(choice));
        const auto whole = std::ranges::find(choices, choice.id, &Choice::id);
        if (whole != choices.end()) {
            segment->setAccessibleName(labelOf(*whole));
        }
        connect(segment, &Segment::clicked, this, [this, segment] {
            if (m_current != segment->id()) {
                m_current = segment->id();
                Q_EMIT chosen(m_current);
            }
        });
    }
    if (m_segments.size() < choices.size()) {
        m_more = addSegment(QStringLiteral("more"), tr("More"));
        m_more->setHasMenu(true);
        auto* menu = new QMenu(m_more);
        menu->setObjectName(QStringLiteral("menu_%1_more").arg(name));
        for (const Choice& choice : choices) {
            if (segmentOf(idOf(choice)) == m_more) {
                QAction* action = menu->addAction(labelOf(choice));
                action->setObjectName(QStringLiteral("choice_%1_%2").arg(name, idOf(choice)));
                action->setData(idOf(choice));
                action->setCheckable(true);
            }
        }
        connect(menu, &QMenu::triggered, this, [this](const QAction* action) {
            setCurrent(action->data().toString());
            Q_EMIT chosen(m_current);
        });
        connect(menu, &QMenu::aboutToShow, this, [this, menu] {
            for (QAction* action : menu->actions()) {
                action->setChecked(action->data().toString() == m_current);
            }
        });
        connect(m_more, &Segment::clicked, this, [this, menu] {
            menu->popup(m_more->mapToGlobal(QPoint(0, m_more->height() + 2)));
            setCurrent(m_current);
        });
    }
    updateEdges();
}

void SegmentedControl::wrapAfter(const QString& id) {
    const auto last = std::ranges::find(m_segments, id, &Segment::id);
    if (last == m_segments.end() || last + 1 == m_segments.end()) {
        return;
    }
    m_lineStarts.push_back(static_cast<std::size_t>(last + 1 - m_segments.begin()));
    QHBoxLayout* line = addLine(qobject_cast<QVBoxLayout*>(layout()));
    for (std::size_t index = m_lineStarts.back(); index < m_segments.size(); ++index) {
        line->addWidget(m_segments[index], 1);
    }
    updateEdges();
}

void SegmentedControl::updateEdges() {
    const auto startsLine = [this](std::size_t index) {
        return index == m_segments.size() || std::ranges::find(m_lineStarts, index) != m_lineStarts.end();
    };
    for (std::size_t index = 0; index < m_segments.size(); ++index) {
        const bool isFirst = startsLine(index);
        const bool isLast = startsLine(index + 1);
        m_segments[index]->setEdge(isFirst && isLast ? SegmentEdge::only
                                   : isFirst         ? SegmentEdge::first
                                   : isLast          ? SegmentEdge::last
                                                     : SegmentEdge::middle);
    }
}

Segment* SegmentedControl::segmentOf(const QString& id) const {
    const auto found = std::find_if(m_segments.begin(), m_segments.end(),
                                    [&](const Segment* segment) { return segment->id() == id; });
    return found == m_segments.end() ? m_more : *found;
}

void SegmentedControl::setCurrent(const QString& id) {
    m_current = id;
    Segment* segment = segmentOf(id);
    if (segment != nullptr) {
        segment->setChecked(true);
        setFocusProxy(segment);
    }
    if (m_more != nullptr) {
        const auto choice = std::find_if(m_choices.begin(), m_choices.end(),
                                         [&](const Choice& one) { return idOf(one) == id; });
        const bool isBehindMore = segment == m_more && choice != m_choices.end();
        const QString text = isBehindMore ? labelOf(*choice).section(QStringLiteral(" ("), 0, 0) : tr("More");
        if (m_more->text() != text) {
            m_more->setText(text);
            m_more->setAccessibleName(text);
            m_more->updateGeometry();
        }
    }
}

void SegmentedControl::setHelp(const QString& id, const QString& help) {
    Segment* segment = segmentOf(id);
    if (segment != nullptr && segment != m_more) {
        segment->setToolTip(help);
        segment->setAccessibleDescription(help);
    }
}

}  // namespace phaseladder::ui
