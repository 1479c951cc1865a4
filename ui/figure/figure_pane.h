#pragma once

#include <QString>
#include <QWidget>

#include <memory>

#include "core/figures/figure.h"
#include "core/figures/figure_list.h"
#include "ui/figure/figure_link.h"

namespace phaseladder::ui {

class SceneDocument;

/// Whether a figure is the scene's, or what it would be once a held token is put down.
enum class Picture { exact, preview };

/// One card: figure picker as the title, readouts as chips, the plot (or an empty, busy or error state),
/// enlarge and menu. Which figure stands in for one that would be empty is the grid's to say.
class FigurePane : public QWidget {
    Q_OBJECT

public:
    FigurePane(SceneDocument* document, FigureLink* link, QWidget* parent = nullptr);
    ~FigurePane() override;

    /// The figure that is shown: the chosen one, or one that stands in for it.
    [[nodiscard]] QString figureId() const;
    /// The figure that the person chose, which settings keep.
    [[nodiscard]] QString chosenFigureId() const;
    /// Chooses a figure and shows it.
    void setFigureId(const QString& id);
    /// Shows a figure in place of the chosen one, and says so; the chosen one itself ends that.
    void showInPlace(const QString& id);
    /// The figure that the empty state offers by a button; an empty id: none.
    void offerFigure(const QString& id);

    /// The scene to compare with (A; null: none), and what the pane shows of the two.
    void setComparison(std::shared_ptr<const Scene> pinned, CompareMode mode);

    /// What to ask the engine for: the figure at the plot's size in device pixels. The figures that come next
    /// are taken as answers to it.
    [[nodiscard]] FigureRequest request() const;

    /// Keeps zoom and pan while the axes mean the same; what was shown in full stays in full. A figure of
    /// another id than the picker's is dropped. A preview is drawn paler. The figure is shared, not copied.
    void showFigure(std::shared_ptr<const Figure> figure, Picture picture = Picture::exact);
    /// The previous picture stays; the sentence is shown above it.
    void showError(const QString& sentence);
    /// A thin progress line at the top of the plot.
    void setBusy(bool busy);
    /// How far what is computed has come, 0 .. 1: the line ends there, and the footer says so until the next
    /// figure.
    void setProgress(double share, const QString& what);
    void setSequentialMap(const QString& name);
    /// Theme colours changed.
    void refreshStyle();

    [[nodiscard]] const Figure& figure() const;
    /// The figure with its axes as far as they are shown: what is copied and exported.
    [[nodiscard]] Figure shownFigure() const;
    /// Why the newest setting has no figure, or what is shown is not the scene's; empty where it is.
    [[nodiscard]] QString whyNotOfScene() const;
    /// As it was computed: neither zoomed nor in kept colours.
    [[nodiscard]] const Figure& computedFigure() const;

    /// How many times larger than in full the most zoomed plot is drawn; 1 when all is shown.
    [[nodiscard]] double zoomFactor() const;
    void resetView();
    void zoomIn();
    void zoomOut();
    void viewBack();
    void viewForward();
    /// Whether its plots zoom and move along x with every linked plot whose x means the same.
    [[nodiscard]] bool areAxesLinked() const;
    void setAxesLinked(bool linked);
    /// The sentence under the crosshair ("pair 27 · wavelength 2 643 tokens"), empty when the pointer is
    /// elsewhere.
    [[nodiscard]] QString readoutText() const;

Q_SIGNALS:
    void figureIdChanged(const QString& id);  ///< of the figure that is shown
    void emptyShown();                        ///< the figure has nothing to draw: another can be offered
    void axesLinkedChanged();
    void enlargeRequested();
    void exportRequested();
    void copyFigureRequested();
    void copyValuesRequested();
    void requestChanged();  ///< the plot was resized: another resolution is wanted
    void readoutChanged(const QString& text);
    void zoomChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace phaseladder::ui
