#include "ui/dialogs/appearance_page.h"

#include <QIcon>
#include <QImage>
#include <QPixmap>

#include "ui/controls/choice_box.h"
#include "ui/controls/segmented_control.h"
#include "ui/dialogs/explained_row.h"
#include "ui/figure/figure_style.h"
#include "ui/settings.h"

namespace phaseladder::ui {
namespace {

constexpr QSize gradientSize{64, 14};
constexpr int segmentsWidth = 260;

Choice choice(const char* id, const QString& label) {
    return {id, label.toStdString()};
}

SegmentedControl* makeSegments(const QString& name, const QString& label,
                               const std::vector<Choice>& choices) {
    auto* segments = new SegmentedControl(name, choices, choices);
    segments->setObjectName(name);
    segments->setAccessibleName(label);
    segments->setFixedWidth(segmentsWidth);
    return segments;
}

QIcon gradientIcon(const QString& map) {
    const QList<QRgb>& colors = colormap(map);
    QImage image(gradientSize, QImage::Format_RGB32);
    for (int x = 0; x < image.width(); ++x) {
        for (int y = 0; y < image.height(); ++y) {
            image.setPixel(x, y, colors[x * (colors.size() - 1) / (image.width() - 1)]);
        }
    }
    return QPixmap::fromImage(image);
}

}  // namespace

AppearancePage::AppearancePage(const Settings* settings, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("appearance_page"));
    m_theme = makeSegments(
        QStringLiteral("setting_theme"), tr("Theme"),
        {choice("system", tr("System")), choice("light", tr("Light")), choice("dark", tr("Dark"))});
    m_motion =
        makeSegments(QStringLiteral("setting_motion"), tr("Reduce motion"),
                     {choice("system", tr("System")), choice("on", tr("On")), choice("off", tr("Off"))});
    std::vector<Choice> maps;
    for (const QString& map : sequentialMapNames()) {
        maps.push_back({map.toStdString(), map.toStdString()});
    }
    m_colormap = new ChoiceBox(maps);
    m_colormap->setObjectName(QStringLiteral("setting_colormap"));
    m_colormap->setAccessibleName(tr("Colour map"));
    m_colormap->setIconSize(gradientSize);
    for (int index = 0; index < m_colormap->count(); ++index) {
        m_colormap->setItemIcon(index, gradientIcon(m_colormap->itemText(index)));
    }

    QGridLayout* grid = makeSettingsGrid(this);
    addExplainedRow(grid, tr("&Theme"), m_theme, tr("System: the desktop’s theme when the program starts."));
    addExplainedRow(
        grid, tr("Reduce &motion"), m_motion,
        tr("Without motion, tokens take their new places at once and the line of a running computation "
           "stands still. System: as the desktop asks."));
    addExplainedRow(
        grid, tr("&Colour map"), m_colormap,
        tr("For weights and other values from low to high, in all figures and copies. Differences and "
           "phases keep their own maps."));
    grid->setRowStretch(grid->rowCount(), 1);
    setFocusProxy(m_theme);

    connect(m_theme, &SegmentedControl::chosen, this, &AppearancePage::chooseTheme);
    connect(m_motion, &SegmentedControl::chosen, this, &AppearancePage::chooseMotion);
    connect(m_colormap, &ChoiceBox::chosen, this, &AppearancePage::colormapChosen);
    showValues(*settings);
}

void AppearancePage::showValues(const Settings& settings) {
    m_theme->setCurrent(themeId(settings.theme()));
    m_motion->setCurrent(motionId(settings.motion()));
    m_colormap->setCurrent(settings.colormap());
}

void AppearancePage::chooseTheme() {
    Q_EMIT themeChosen(themeChoice(m_theme->current()));
}

void AppearancePage::chooseMotion() {
    Q_EMIT motionChosen(motionChoice(m_motion->current()));
}

void AppearancePage::restoreDefaults() {
    const Settings defaults{QString()};
    showValues(defaults);
    Q_EMIT themeChosen(defaults.theme());
    Q_EMIT motionChosen(defaults.motion());
    Q_EMIT colormapChosen(defaults.colormap());
}

}  // namespace phaseladder::ui
