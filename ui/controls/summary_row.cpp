#include "ui/controls/summary_row.h"

#include <QLabel>
#include <QToolButton>

#include "ui/controls/row_frame.h"

namespace phaseladder::ui {

SummaryRow::SummaryRow(const Parameter& row, SceneEditor* editor, QWidget* parent)
    : FramedRow(row, editor, parent), m_words(new QLabel(frame())), m_clear(new QToolButton(frame())) {
    setField(m_words);
    m_words->setTextFormat(Qt::PlainText);
    m_clear->setObjectName(QStringLiteral("clear_") + id());
    m_clear->setProperty("link", true);
    m_clear->setText(tr("Empty"));
    m_clear->setAccessibleName(tr("Empty %1").arg(QString::fromStdString(row.label)));
    m_clear->setCursor(Qt::PointingHandCursor);
    connect(m_clear, &QToolButton::clicked, this, [this] { apply(std::vector<double>()); });
    frame()->addRight(m_words);
    frame()->addRight(m_clear);
}

QWidget* SummaryRow::fieldOf(const QString&) const {
    return m_words;
}

void SummaryRow::showScene(const Scene& scene, const Scene& preset) {
    const ParameterValue value = row().get(scene);
    const ParameterValue empty = std::vector<double>();
    frame()->setChanged(value != row().get(preset));
    m_clear->setVisible(value != empty && row().get(preset) != empty);
    const QString words = QString::fromStdString(row().summary(scene));
    if (m_words->text() != words) {
        m_words->setText(words);
        m_words->setAccessibleName(QStringLiteral("%1: %2").arg(QString::fromStdString(row().label), words));
        frame()->setRefusal(QString());
    }
}

}  // namespace phaseladder::ui
