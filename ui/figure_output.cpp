#include "ui/figure_output.h"

#include "ui/document.h"
#include "ui/figure/figure_pane.h"
#include "ui/figure/figure_view.h"
#include "ui/figure/page_height.h"
#include "ui/figure_clipboard.h"
#include "ui/figure_command.h"
#include "ui/frame_loop.h"
#include "ui/settings.h"

namespace phaseladder::ui {

FigureOutput::FigureOutput(SceneDocument* document, Settings* settings, FrameLoop* frames, QWidget* window)
    : QObject(window), m_document(document), m_settings(settings), m_frames(frames), m_window(window) {}

ExportSubject FigureOutput::subjectOf(const FigurePane* pane) const {
    const Figure figure = pane->shownFigure();
    const FigureRequest request = pane->request();
    return {figure, shownScene(request, m_document->scene()),
            figureCommand(*m_document, request) + viewWords(pane->computedFigure(), figure),
            m_document->filePath()};
}

void FigureOutput::exportFigure(FigurePane* pane, const QString& format) {
    if (pane->figure().panels.empty()) {
        Q_EMIT said(tr("There is no figure to export yet."));
        return;
    }
    if (m_frames->isWhole(pane) && !pane->whyNotOfScene().isEmpty()) {
        Q_EMIT said(pane->whyNotOfScene());
        return;
    }
    ExportDialog dialog(subjectOf(pane), m_window, m_settings);
    if (!format.isEmpty()) {
        dialog.setFormat(format);
    }
    connect(&dialog, &ExportDialog::exported, this, &FigureOutput::said);
    if (!isReady(pane)) {
        dialog.waitForFigure();
        connect(m_frames, &FrameLoop::progressed, &dialog,
                [&dialog, pane](const FigurePane* of, double share, const QString& what) {
                    if (of == pane) {
                        dialog.setProgress(share, what);
                    }
                });
        const auto look = [this, &dialog, pane] {
            if (!dialog.isWaiting() || !isReady(pane)) {
                if (m_frames->isWhole(pane)) {
                    dialog.setChecking();
                }
                return;
            }
            if (pane->figure().panels.empty() || !pane->whyNotOfScene().isEmpty()) {
                dialog.reject();
                Q_EMIT said(pane->figure().panels.empty() ? tr("There is no figure to export.")
                                                          : pane->whyNotOfScene());
            } else {
                dialog.setSubject(subjectOf(pane));
            }
        };
        look();
        connect(m_frames, &FrameLoop::figuresShown, &dialog, look);
        connect(m_frames, &FrameLoop::figuresChecked, &dialog, look);
    }
    dialog.exec();
}

bool FigureOutput::isReady(FigurePane* pane) const {
    return m_frames->isWhole(pane) && m_frames->isChecked();
}

QString FigureOutput::refusal(FigurePane* pane) const {
    return pane->figure().panels.empty() ? tr("There is no figure to copy yet.")
           : !m_frames->isWhole(pane)    ? tr("%1 is a preview as yet: nothing was copied.")
                                            .arg(QString::fromStdString(pane->figure().title))
           : !m_frames->isChecked() ? tr("%1 is being checked as yet: nothing was copied.")
                                          .arg(QString::fromStdString(pane->figure().title))
                                    : pane->whyNotOfScene();
}

void FigureOutput::copyValues(FigurePane* pane) {
    ExportOptions options;
    options.format = QStringLiteral("csv");
    QString why = refusal(pane);
    if (why.isEmpty()) {
        why = copyToClipboard(pane->figure(), shownScene(pane->request(), m_document->scene()), options);
    }
    Q_EMIT said(why.isEmpty()
                    ? tr("Copied the numbers of %1.").arg(QString::fromStdString(pane->figure().title))
                    : why);
}

void FigureOutput::copyFigure(FigurePane* pane) {
    const Figure figure = pane->shownFigure();
    ExportOptions options;
    options.page.style = figureStyle(StyleKind::print);
    options.page.style.sequentialMap = m_settings->colormap();
    const double width = options.page.sizePoints.width();
    QString why = refusal(pane);
    if (why.isEmpty()) {
        options.page.sizePoints.setHeight(defaultHeightPoints(figure, width));
        why = copyToClipboard(figure, shownScene(pane->request(), m_document->scene()), options);
    }
    Q_EMIT said(why.isEmpty()
                    ? tr("Copied %1 as picture, SVG and PDF.").arg(QString::fromStdString(figure.title))
                    : why);
}

}  // namespace phaseladder::ui
