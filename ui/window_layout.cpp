#include "ui/window_layout.h"

#include <QEvent>
#include <QFrame>
#include <QMainWindow>
#include <QPainter>
#include <QScreen>
#include <QVBoxLayout>

#include "ui/pane_grid.h"
#include "ui/settings.h"
#include "ui/theme.h"

namespace phaseladder::ui {
namespace {

constexpr QSize startupSize{1440, 900};
constexpr int parametersWidth = 324;
constexpr int widthWithParameters = 800;
constexpr int margin = 8;
constexpr int stateVersion = 2;
const QString windowState = QStringLiteral("window");
const QString geometryState = QStringLiteral("geometry");

/// A strip of dots at the upper edge of a dock, by which it is dragged.
class DockGrip : public QWidget {
public:
    DockGrip(const QColor ThemeColors::*ground, const QString& help, QWidget* parent)
        : QWidget(parent), m_ground(ground) {
        setCursor(Qt::OpenHandCursor);
        setToolTip(help);
    }

    [[nodiscard]] QSize sizeHint() const override { return {dots * step, height}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override {
        const ThemeColors& colors = themeColors(currentTheme());
        QPainter painter(this);
        painter.fillRect(rect(), colors.*m_ground);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.mutedText);
        const double left = width() / 2.0 - (dots - 1) * step / 2.0;
        for (int dot = 0; dot < dots; ++dot) {
            painter.drawEllipse(QPointF(left + dot * step, rect().center().y() + 0.5), 1.25, 1.25);
        }
    }

private:
    static constexpr int dots = 5, step = 6, height = 10;

    const QColor ThemeColors::*m_ground;
};

}  // namespace

WindowLayout::WindowLayout(QMainWindow* window, QWidget* above, PaneGrid* panes, QWidget* parameters,
                           QWidget* tokens, Settings* settings)
    : QObject(window), m_window(window), m_panes(panes), m_settings(settings) {
    auto* centre = new QWidget(window);
    centre->setObjectName(QStringLiteral("centre"));
    auto* column = new QVBoxLayout(centre);
    column->setSpacing(margin);
    column->addWidget(above);
    column->addWidget(panes, 1);
    window->setCentralWidget(centre);
    window->setContextMenuPolicy(Qt::NoContextMenu);  // the Window menu has the commands
    for (const Qt::Corner corner : {Qt::TopLeftCorner, Qt::BottomLeftCorner}) {
        window->setCorner(corner, Qt::LeftDockWidgetArea);
    }
    for (const Qt::Corner corner : {Qt::TopRightCorner, Qt::BottomRightCorner}) {
        window->setCorner(corner, Qt::RightDockWidgetArea);
    }

    m_parameters = addDock(QStringLiteral("parameter_dock"), tr("Parameters"), Qt::LeftDockWidgetArea);
    m_parameters->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    m_parameters->setTitleBarWidget(
        new DockGrip(&ThemeColors::panel, tr("Drag the parameters to the other side"), m_parameters));
    m_parameters->setWidget(parameters);

    m_tokens = addDock(QStringLiteral("token_dock"), tr("Tokens"), Qt::BottomDockWidgetArea);
    m_tokens->setAllowedAreas(Qt::TopDockWidgetArea | Qt::BottomDockWidgetArea);
    m_tokens->setTitleBarWidget(
        new DockGrip(&ThemeColors::window, tr("Drag the tokens to the upper or the lower edge"), m_tokens));
    m_tokenGround = new QWidget(m_tokens);
    m_tokenGround->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto* card = new QFrame(m_tokenGround);
    card->setObjectName(QStringLiteral("token_card"));
    card->setProperty("card", true);
    auto* cardLayout = new QVBoxLayout(card);
    cardLayout->setContentsMargins(1, 1, 1, 1);
    cardLayout->addWidget(tokens);
    (new QVBoxLayout(m_tokenGround))->addWidget(card);
    m_tokens->setWidget(m_tokenGround);

    window->resizeDocks({m_parameters}, {parametersWidth}, Qt::Horizontal);
    window->installEventFilter(this);
    applyMargins();
}

WindowLayout::~WindowLayout() {
    delete m_window->takeCentralWidget();
    delete m_parameters;
    delete m_tokens;
}

QDockWidget* WindowLayout::addDock(const QString& name, const QString& title, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, m_window);
    dock->setObjectName(name);
    dock->setFeatures(QDockWidget::DockWidgetMovable);
    m_window->addDockWidget(area, dock);
    connect(dock, &QDockWidget::dockLocationChanged, this, [this] {
        applyMargins();
        Q_EMIT changed();
    });
    return dock;
}

bool WindowLayout::isShown(const QDockWidget* dock) const {
    return !dock->isHidden();
}

void WindowLayout::show(QDockWidget* dock, bool shown) {
    dock->setVisible(shown);
    if (dock == m_parameters) {
        m_hiddenByWidth = false;
        m_settings->setParameterDockShown(shown);
    }
    applyMargins();
    Q_EMIT changed();
}

bool WindowLayout::isAt(QDockWidget* dock, Qt::DockWidgetArea area) const {
    return m_window->dockWidgetArea(dock) == area;
}

void WindowLayout::move(QDockWidget* dock, Qt::DockWidgetArea area) {
    const int width = dock->width();
    m_window->addDockWidget(area, dock);
    m_window->resizeDocks({dock}, {width}, Qt::Horizontal);
    show(dock, true);
}

/// Between a dock and the panes lies the separator; at the window's edges a margin of the same width.
void WindowLayout::applyMargins() {
    const auto marginAt = [this](Qt::DockWidgetArea area) {
        const bool isTaken = (isShown(m_parameters) && isAt(m_parameters, area)) ||
                             (isShown(m_tokens) && isAt(m_tokens, area));
        return isTaken ? 0 : margin;
    };
    const int left = marginAt(Qt::LeftDockWidgetArea), right = marginAt(Qt::RightDockWidgetArea);
    m_window->centralWidget()->layout()->setContentsMargins(left, marginAt(Qt::TopDockWidgetArea), right,
                                                            marginAt(Qt::BottomDockWidgetArea));
    const bool isBelow = isAt(m_tokens, Qt::BottomDockWidgetArea);
    m_tokenGround->layout()->setContentsMargins(left, 0, right, isBelow ? margin : 0);
}

void WindowLayout::showPanes(const Settings& settings) {
    m_panes->setFigureIds(settings.paneFigures());
    m_panes->setPaneCount(settings.paneCount());
    m_panes->setShares(settings.paneShares());
    if (m_panes->paneCount() == 1 || settings.currentPane() < m_panes->paneCount()) {
        m_panes->showPane(settings.currentPane());
    }
}

void WindowLayout::restore() {
    showPanes(*m_settings);
    m_window->restoreState(m_settings->state(windowState), stateVersion);
    m_parameters->setVisible(m_settings->parameterDockShown());
    applyMargins();
}

void WindowLayout::remember() {
    m_settings->setPaneFigures(m_panes->figureIds());
    m_settings->setPaneCount(m_panes->paneCount());
    m_settings->setPaneShares(m_panes->shares());
    m_settings->setCurrentPane(m_panes->currentIndex());
    m_settings->setState(windowState, m_window->saveState(stateVersion));
    m_settings->setState(geometryState, m_window->saveGeometry());
}

void WindowLayout::reset() {
    showPanes(Settings(QString()));
    move(m_tokens, Qt::BottomDockWidgetArea);
    move(m_parameters, Qt::LeftDockWidgetArea);
    m_window->resizeDocks({m_parameters}, {parametersWidth}, Qt::Horizontal);
    fitWidth();
}

void WindowLayout::resizeToStartup() {
    const QByteArray geometry = m_settings->state(geometryState);
    const bool isRestored = !geometry.isEmpty() && m_window->restoreGeometry(geometry);
    const QRect available = m_window->screen()->availableGeometry();
    if (!isRestored) {
        m_window->resize(startupSize.boundedTo(available.size()));
        m_window->move(available.center() - m_window->rect().center());
    } else if (!m_window->isMaximized() && !m_window->isFullScreen()) {
        // Qt makes room for a title bar even where no window manager draws one.
        const QRect wanted = m_window->geometry();
        m_window->move(wanted.left(),
                       qMax(available.top(), qMin(wanted.top(), available.bottom() + 1 - wanted.height())));
    }
}

bool WindowLayout::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_window && event->type() == QEvent::Resize) {
        fitWidth();
    }
    return QObject::eventFilter(watched, event);
}

void WindowLayout::fitWidth() {
    const bool isTooNarrow = m_window->width() < widthWithParameters;
    if (isTooNarrow && isShown(m_parameters)) {
        m_parameters->hide();
        m_hiddenByWidth = true;
        applyMargins();
        Q_EMIT changed();
    } else if (!isTooNarrow && m_hiddenByWidth) {
        show(m_parameters, true);
    }
}

}  // namespace phaseladder::ui
