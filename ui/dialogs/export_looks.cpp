#include "ui/dialogs/export_looks.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <vector>

#include "ui/controls/choice_box.h"
#include "ui/dialogs/form_row.h"
#include "ui/figure/figure_fonts.h"
#include "ui/figure/figure_style.h"
#include "ui/figure/legend_layout.h"

namespace phaseladder::ui {

namespace {

std::vector<Choice> fontChoices() {
    std::vector<Choice> choices;
    for (const QString& family : figureFonts()) {
        // The bundled one is what no choice means.
        choices.push_back({choices.empty() ? std::string() : family.toStdString(), family.toStdString()});
    }
    return choices;
}

QString styleWord(StyleKind kind) {
    switch (kind) {
        case StyleKind::light:
            return ExportLooks::tr("light");
        case StyleKind::dark:
            return ExportLooks::tr("dark");
        case StyleKind::print:
            break;
    }
    return ExportLooks::tr("print");
}

std::vector<Choice> styleChoices() {
    std::vector<Choice> choices;
    for (const QString& name : styleNames()) {
        choices.push_back({name.toStdString(), styleWord(styleKind(name)).toStdString()});
    }
    return choices;
}

std::vector<Choice> colormapChoices() {
    std::vector<Choice> choices;
    for (const QString& name : sequentialMapNames()) {
        choices.push_back({name.toStdString(), name.toStdString()});
    }
    return choices;
}

bool hasLegend(const Figure& figure) {
    return std::ranges::any_of(figure.panels,
                               [](const Panel& panel) { return legendEntries(panel).size() >= 2; });
}

/// Phases and differences keep maps of their own.
bool hasChosenMap(const Figure& figure) {
    return std::ranges::any_of(figure.panels, [](const Panel& panel) {
        return std::ranges::any_of(panel.layers, [](const Layer& layer) {
            const auto* map = std::get_if<Heatmap>(&layer);
            return map != nullptr && map->map == ColorMapKind::sequential;
        });
    });
}

}  // namespace

struct ExportLooks::Parts {
    ExportChoices* choices = nullptr;
    bool hasLegend = false, hasSeveralPanels = false, hasChosenMap = false;
    ChoiceBox *font = nullptr, *style = nullptr, *colormap = nullptr, *background = nullptr;
    QCheckBox *showLegend = nullptr, *showLetters = nullptr, *showTitle = nullptr;
    QLineEdit* title = nullptr;
};

ExportLooks::ExportLooks(ExportChoices* choices, const Figure& figure, QWidget* parent)
    : QWidget(parent), m_parts(std::make_unique<Parts>()) {
    setObjectName(QStringLiteral("export_looks"));
    m_parts->choices = choices;
    buildBoxes();
    buildContent();
    setFigure(figure);
    arrange();
}

ExportLooks::~ExportLooks() = default;

void ExportLooks::setFigure(const Figure& figure) {
    Parts& parts = *m_parts;
    parts.hasLegend = hasLegend(figure);
    parts.hasSeveralPanels = figure.panels.size() > 1;
    parts.hasChosenMap = hasChosenMap(figure);
    parts.title->setPlaceholderText(QString::fromStdString(figure.title));
}

void ExportLooks::buildBoxes() {
    Parts& parts = *m_parts;
    ExportChoices& choices = *parts.choices;
    const auto choiceBox = [&](const char* name, const QString& label, const std::vector<Choice>& entries,
                               const std::function<void(const QString&)>& apply) {
        auto* box = new ChoiceBox(entries);
        box->setObjectName(QLatin1StringView(name));
        box->setAccessibleName(label);
        connect(box, &ChoiceBox::chosen, this, [this, apply](const QString& id) {
            apply(id);
            Q_EMIT changed();
        });
        return box;
    };
    parts.font = choiceBox("export_font", tr("Font"), fontChoices(),
                           [&choices](const QString& family) { choices.font = family; });
    parts.style = choiceBox("export_style", tr("Style"), styleChoices(),
                            [&choices](const QString& id) { choices.style = id; });
    parts.colormap = choiceBox("export_colormap", tr("Colour map"), colormapChoices(),
                               [&choices](const QString& id) { choices.colormap = id; });
    parts.background = choiceBox(
        "export_background", tr("Background"),
        {{"solid", tr("solid").toStdString()}, {"transparent", tr("transparent").toStdString()}},
        [&choices](const QString& id) { choices.transparent = id == QLatin1String("transparent"); });
}

void ExportLooks::buildContent() {
    Parts& parts = *m_parts;
    const auto checkBox = [&](const char* name, const QString& label, const QString& accessible,
                              bool ExportChoices::*choice) {
        auto* box = new QCheckBox(label);
        box->setObjectName(QLatin1StringView(name));
        box->setAccessibleName(accessible);
        connect(box, &QCheckBox::toggled, this, [this, choice](bool isOn) {
            m_parts->choices->*choice = isOn;
            Q_EMIT changed();
        });
        return box;
    };
    parts.showLegend =
        checkBox("export_legend", tr("legend"), tr("Show a legend"), &ExportChoices::showLegend);
    parts.showLetters = checkBox("export_panel_letters", tr("letters (a), (b)"), tr("Letter the panels"),
                                 &ExportChoices::showPanelLetters);
    parts.showTitle = checkBox("export_show_title", {}, tr("Show a title"), &ExportChoices::showTitle);
    parts.title = new QLineEdit;
    parts.title->setObjectName(QStringLiteral("export_title"));
    parts.title->setAccessibleName(tr("Title"));
    connect(parts.title, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_parts->choices->title = text;
        Q_EMIT changed();
    });
}

void ExportLooks::arrange() {
    Parts& parts = *m_parts;
    auto* form = new QVBoxLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(8);
    addFormRow(form, tr("Font"), {parts.font});
    addFormRow(form, tr("Style"), {parts.style, parts.background});
    addFormRow(form, tr("Colour map"), {parts.colormap});
    addFormRow(form, tr("Show"), {parts.showLegend, parts.showLetters});
    QHBoxLayout* title = addFormRow(form, tr("Title"), {parts.showTitle, parts.title});
    title->setStretchFactor(parts.title, 1);
    delete title->takeAt(title->count() - 1);
}

void ExportLooks::refresh() {
    Parts& parts = *m_parts;
    const ExportChoices& choices = *parts.choices;
    parts.font->setCurrent(choices.font);
    parts.style->setCurrent(choices.style);
    parts.colormap->setCurrent(choices.colormap);
    parts.background->setCurrent(choices.transparent ? QStringLiteral("transparent")
                                                     : QStringLiteral("solid"));
    const bool isPicture = isPictureFormat(choices.format);
    const auto check = [](QCheckBox* box, bool isOn) {
        const QSignalBlocker blocker(box);
        box->setChecked(isOn);
    };
    check(parts.showLegend, isPicture && parts.hasLegend && choices.showLegend);
    check(parts.showLetters, isPicture && parts.hasSeveralPanels && choices.showPanelLetters);
    check(parts.showTitle, isPicture && choices.showTitle);

    const QString numbersOnly = tr("This format holds numbers: it has no page.");
    const auto allow = [&](QWidget* control, bool hasUse, const QString& reason) {
        allowControl(control, isPicture && hasUse, isPicture ? reason : numbersOnly);
    };
    for (QWidget* control :
         std::initializer_list<QWidget*>{parts.font, parts.style, parts.background, parts.showTitle}) {
        allow(control, true, {});
    }
    allow(parts.colormap, parts.hasChosenMap,
          tr("No map of this figure takes another colour map: phases and differences keep theirs."));
    allow(parts.showLegend, parts.hasLegend, tr("This figure has nothing to tell apart in a legend."));
    allow(parts.showLetters, parts.hasSeveralPanels, tr("This figure has one panel only."));
    allow(parts.title, choices.showTitle, tr("The title is switched off."));
}

}  // namespace phaseladder::ui
