#include "ui/controls/text_row.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMimeData>
#include <QPushButton>
#include <QToolButton>
#include <QUrl>

#include <algorithm>

#include "ui/controls/number_field.h"
#include "ui/controls/parameter_readout.h"
#include "ui/controls/row_frame.h"
#include "ui/controls/scene_editor.h"
#include "ui/document.h"
#include "ui/theme.h"

namespace phaseladder::ui {

namespace {

constexpr int longestPath = 4096;

}  // namespace

TextRow::TextRow(const Parameter& row, SceneEditor* editor, QWidget* parent)
    : FramedRow(row, editor, parent), m_field(new NumberField(frame())), m_clear(new QToolButton(frame())) {
    const QString label = QString::fromStdString(row.label);
    m_field->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_field->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_field->setMaxLength(longestPath);
    m_field->setPlaceholderText(QString::fromStdString(row.zeroText));
    m_field->setApply([this](const QString& text) { return applyText(text); });
    connect(m_field, &NumberField::refusalChanged, frame(), &RowFrame::setRefusal);
    setField(m_field);

    auto* line = new QWidget(frame());
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_field, 1);
    layout->addWidget(m_clear);
    m_clear->setObjectName(QStringLiteral("clear_") + id());
    m_clear->setIcon(themedIcon(QStringLiteral("close"), IconColor::muted));
    m_clear->setIconSize(QSize(14, 14));
    m_clear->setAccessibleName(tr("Empty %1").arg(label));
    m_clear->setToolTip(row.zeroText.empty() ? tr("Empty the field")
                                             : tr("Back to: %1").arg(QString::fromStdString(row.zeroText)));
    m_clear->setCursor(Qt::PointingHandCursor);
    m_clear->hide();
    connect(m_clear, &QToolButton::clicked, this, [this] {
        m_field->setFocus();  // the button goes
        apply(std::string());
    });
    if (isFile()) {
        // The row takes the drop, as a path; the field would take it as text.
        setAcceptDrops(true);
        m_field->setAcceptDrops(false);
        auto* button = new QPushButton(tr("Browse…"), line);
        button->setObjectName(QStringLiteral("browse_") + id());
        button->setAccessibleName(tr("Browse for %1").arg(label));
        button->setAutoDefault(false);
        layout->addWidget(button);
        connect(button, &QPushButton::clicked, this, &TextRow::browse);
    }
    frame()->addBelow(line);
}

QWidget* TextRow::fieldOf(const QString&) const {
    return m_field;
}

void TextRow::showScene(const Scene& scene, const Scene& preset) {
    const auto text = std::get<std::string>(row().get(scene));
    frame()->setChanged(text != std::get<std::string>(row().get(preset)));
    const QString problem = problemOf(row().id, scene);
    if (m_shown != text || problem != m_problem) {
        m_shown = text;
        m_problem = problem;
        const QString shown = QString::fromStdString(text);
        m_field->setTexts(isFile() ? QFileInfo(shown).fileName() : shown, shown);
        m_field->setToolTip(shown.isEmpty() ? QString::fromStdString(row().help) : shown);
        m_clear->setVisible(!text.empty());
        frame()->setRefusal(problem);
    }
}

void TextRow::browse() {
    QStringList patterns;
    for (const std::string& extension : row().extensions) {
        patterns.append(QStringLiteral("*.") + QString::fromStdString(extension));
    }
    const QString present = QString::fromStdString(m_shown.value_or(std::string()));
    const QString folder = present.isEmpty() ? QDir::homePath() : QFileInfo(present).path();
    const QString label = QString::fromStdString(row().label);
    const QString path = QFileDialog::getOpenFileName(
        this, label, folder,
        QStringLiteral("%1 (%2);;%3 (*)").arg(label, patterns.join(QLatin1Char(' ')), tr("All files")));
    if (!path.isEmpty()) {
        apply(path.toStdString());
    }
}

QString TextRow::droppedPath(const QDropEvent& event) const {
    const QList<QUrl> urls = event.mimeData()->urls();
    const QString path = urls.size() == 1 ? urls.first().toLocalFile() : QString();
    const std::string extension = QFileInfo(path).suffix().toLower().toStdString();
    const bool isWanted = std::ranges::find(row().extensions, extension) != row().extensions.end();
    return isWanted ? path : QString();
}

void TextRow::setIsTarget(bool isTarget) {
    m_field->setProperty("target", isTarget);
    restyle(m_field);
}

void TextRow::dragEnterEvent(QDragEnterEvent* event) {
    if (!droppedPath(*event).isEmpty()) {
        setIsTarget(true);
        event->acceptProposedAction();
    }
}

void TextRow::dragLeaveEvent(QDragLeaveEvent*) {
    setIsTarget(false);
}

void TextRow::dropEvent(QDropEvent* event) {
    setIsTarget(false);
    const QString path = droppedPath(*event);
    if (!path.isEmpty()) {
        event->acceptProposedAction();
        apply(path.toStdString());
    }
}

}  // namespace phaseladder::ui
