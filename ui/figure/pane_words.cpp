#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "core/figures/comparison.h"
#include "ui/figure/pane_contents.h"
#include "ui/theme.h"

// What a pane says in words: its chips, its message, the line below the plot, and what stands in the place of
// a plot.

namespace phaseladder::ui {

/// A sentence in the place of the plot, and below it a button for the next step.
void FigurePane::Parts::buildEmptyState() {
    emptyState = new QWidget(pane);
    empty = new QLabel(emptyState);
    empty->setObjectName(QStringLiteral("figure_empty"));
    empty->setAlignment(Qt::AlignCenter);
    empty->setWordWrap(true);
    offer = new QPushButton(emptyState);
    offer->setObjectName(QStringLiteral("figure_offer"));
    offer->hide();
    connect(offer, &QPushButton::clicked, pane, [this] {
        pane->setFocus(Qt::OtherFocusReason);  // the button goes
        pane->showInPlace(offeredId);
    });
    auto* column = new QVBoxLayout(emptyState);
    column->setSpacing(12);
    column->addStretch();
    column->addWidget(empty);
    column->addWidget(offer, 0, Qt::AlignHCenter);
    column->addStretch();
    emptyState->hide();
}

/// Comes first in the line, which is cut at its end.
QString FigurePane::Parts::standInNote() const {
    return figureId == chosenId ? QString() : tr("In place of %1 (empty here)").arg(figureLabel(chosenId));
}

void FigurePane::Parts::showReadout(const QString& text) {
    const ThemeColors& colors = themeColors(currentTheme());
    if (text.isEmpty()) {
        QStringList notes;
        for (const QString& first : {progress, standInNote()}) {
            if (!first.isEmpty()) {
                notes.append(first);
            }
        }
        for (const std::string& note : ownSentences(figure->notes)) {
            notes.append(QString::fromStdString(note));
        }
        readout->setColors(progress.isEmpty() ? colors.mutedText : colors.text, QColor());
        readout->setText(notes.join(QStringLiteral(" · ")));
    } else {
        readout->setColors(colors.text, QColor());
        readout->setText(text);
    }
    showHint();
    Q_EMIT pane->readoutChanged(text);
}

/// Only where the readout keeps its room.
void FigurePane::Parts::showHint() {
    const bool canChoose =
        std::ranges::any_of(views, [](const PanelView* view) { return view->canChoose(); });
    const bool canChooseSeveral =
        std::ranges::any_of(views, [](const PanelView* view) { return view->canChooseSeveral(); });
    const QString click = tr("Click: look at it");
    const QString all = click + QStringLiteral(" · ") + tr("Ctrl: add to the mean") + QStringLiteral(" · ") +
                        tr("Shift: all up to it");
    bool hasRoom = false;
    for (const QString& text : canChooseSeveral ? QStringList{all, click} : QStringList{click}) {
        hint->setText(text);
        const int room = linkAxes->geometry().left() - readout->geometry().left() - hint->sizeHint().width();
        hasRoom = readout->wantedWidth() + 16 < room;
        if (hasRoom) {
            break;
        }
    }
    hint->setVisible(canChoose && hasRoom);
}

std::vector<std::string> FigurePane::Parts::ownSentences(const std::vector<std::string>& sentences) const {
    std::vector<std::string> own = sentences;
    if (document) {
        const SceneNotes about = sceneNotes(document->scene());
        for (const std::vector<SceneNote>* notes : {&about.notes, &about.warnings}) {
            for (const SceneNote& note : *notes) {
                std::erase(own, note.sentence);
            }
        }
    }
    return own;
}

/// What A and B are has a line of its own: it must not be cut where a chip would be.
void FigurePane::Parts::showReadouts() {
    std::vector<Readout> others = figure->readouts;
    const auto compared = std::ranges::find(others, comparedReadout, &Readout::id);
    const bool isCompared = compared != others.end();
    if (isCompared) {
        const ThemeColors& colors = themeColors(currentTheme());
        comparison->setColors(colors.text, colors.neutralChip);
        comparison->setText(QString::fromStdString(compared->chip));
        others.erase(compared);
    }
    comparison->setVisible(isCompared);
    chips->setReadouts(others);
}

void FigurePane::Parts::showMessage() {
    const ThemeColors& colors = themeColors(currentTheme());
    QStringList warnings;
    for (const std::string& warning : ownSentences(figure->warnings)) {
        warnings.append(QString::fromStdString(warning));
    }
    message->setText(error.isEmpty() ? warnings.join(QStringLiteral(" · ")) : error);
    if (error.isEmpty()) {
        message->setColors(colors.warning, colors.warningTint);
    } else {
        message->setColors(colors.error, colors.errorTint);
    }
    message->setVisible(!message->text().isEmpty());
}

}  // namespace phaseladder::ui
