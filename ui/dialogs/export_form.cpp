#include "ui/dialogs/export_form.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <cmath>
#include <functional>
#include <vector>

#include "core/number_text.h"
#include "ui/controls/choice_box.h"
#include "ui/controls/number_field.h"
#include "ui/dialogs/page_presets.h"

namespace phaseladder::ui {

namespace {

constexpr int formWidth = 330;
constexpr int labelWidth = 78;

std::vector<Choice> presetChoices() {
    std::vector<Choice> choices{{"", "Own size"}};
    for (const PagePreset& preset : pagePresets()) {
        choices.push_back({preset.id, preset.label});
    }
    return choices;
}

/// One line of the form: a label in a column of its own, then the controls.
QHBoxLayout* formRow(QVBoxLayout* form, const QString& label, const QList<QWidget*>& controls) {
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    auto* name = new QLabel(label);
    name->setFixedWidth(labelWidth);
    row->addWidget(name);
    for (QWidget* control : controls) {
        row->addWidget(control);
    }
    row->addStretch();
    form->addLayout(row);
    return row;
}

QLabel* hintLabel(const QString& text) {
    auto* label = new QLabel(text);
    label->setProperty("muted", true);
    return label;
}

}  // namespace

struct ExportForm::Parts {
    ExportChoices* choices = nullptr;
    QString figureTitle;
    QRadioButton* toFile = nullptr;
    QRadioButton* toClipboard = nullptr;
    ChoiceBox *format = nullptr, *preset = nullptr, *unit = nullptr, *heightRule = nullptr, *style = nullptr,
              *colormap = nullptr, *background = nullptr, *svgText = nullptr;
    NumberField *width = nullptr, *height = nullptr, *dpi = nullptr, *fontPoints = nullptr;
    QLabel *dpiHint = nullptr, *presetSource = nullptr;
    QCheckBox* showTitle = nullptr;
    QLineEdit* title = nullptr;
};

ExportForm::ExportForm(ExportChoices* choices, const QString& figureTitle, QWidget* parent)
    : QWidget(parent), m_parts(std::make_unique<Parts>()) {
    setObjectName(QStringLiteral("export_form"));
    m_parts->choices = choices;
    m_parts->figureTitle = figureTitle;
    buildTarget();
    buildSize();
    buildLooks();
    arrange();
}

ExportForm::~ExportForm() = default;

bool ExportForm::isToFile() const {
    return m_parts->toFile->isChecked();
}

void ExportForm::buildTarget() {
    Parts& parts = *m_parts;
    parts.toFile = new QRadioButton(tr("File"));
    parts.toFile->setObjectName(QStringLiteral("export_to_file"));
    parts.toFile->setChecked(true);
    parts.toClipboard = new QRadioButton(tr("Clipboard"));
    parts.toClipboard->setObjectName(QStringLiteral("export_to_clipboard"));
    parts.format = new ChoiceBox({{"pdf", "PDF"},
                                  {"svg", "SVG"},
                                  {"png", "PNG"},
                                  {"csv", "CSV · numbers"},
                                  {"json", "JSON · numbers and scene"},
                                  {"npy", "NPY · NumPy array"},
                                  {"txt", "Text · for comparing"}});
    parts.format->setObjectName(QStringLiteral("export_format"));
    parts.format->setAccessibleName(tr("Format"));
    connect(parts.toFile, &QRadioButton::toggled, this, &ExportForm::changed);
    connect(parts.format, &ChoiceBox::chosen, this, [this](const QString& id) {
        m_parts->choices->format = id;
        Q_EMIT changed();
    });
}

QString ExportForm::applyNumber(const QString& text, const QString& name, double least, double most,
                                double& target) {
    const Result<double> number = parseNumber(text.toStdString());
    if (!number) {
        return QString::fromStdString(number.error().message);
    }
    if (!(*number >= least && *number <= most)) {
        return tr("%1 must be from %2 to %3, got %4.")
            .arg(name, QString::fromStdString(formatForPeople(least)),
                 QString::fromStdString(formatForPeople(most)), text);
    }
    target = *number;
    return {};
}

void ExportForm::buildSize() {
    Parts& parts = *m_parts;
    ExportChoices& choices = *parts.choices;
    parts.preset = new ChoiceBox(presetChoices());
    parts.preset->setObjectName(QStringLiteral("export_preset"));
    parts.preset->setAccessibleName(tr("Preset"));
    parts.presetSource = hintLabel({});
    parts.presetSource->setIndent(labelWidth + 8);
    parts.unit = new ChoiceBox({{"in", "in"}, {"mm", "mm"}, {"pt", "pt"}});
    parts.unit->setObjectName(QStringLiteral("export_unit"));
    parts.unit->setAccessibleName(tr("Unit"));
    parts.heightRule =
        new ChoiceBox({{"suited", "suits the figure"}, {"golden", "golden ratio"}, {"free", "free"}});
    parts.heightRule->setObjectName(QStringLiteral("export_height_rule"));
    parts.heightRule->setAccessibleName(tr("Height"));
    const auto numberField = [&](const char* name, const QString& label,
                                 const std::function<QString(QString)>& apply) {
        auto* field = new NumberField;
        field->setObjectName(QLatin1StringView(name));
        field->setAccessibleName(label);
        field->setApply([this, apply](const QString& text) {
            const QString problem = apply(text);
            if (problem.isEmpty()) {
                Q_EMIT changed();
            }
            return problem;
        });
        connect(field, &NumberField::refusalChanged, this,
                [this](const QString& sentence) { Q_EMIT refused(sentence); });
        return field;
    };
    parts.width = numberField("export_width", tr("Width"), [this, &choices](const QString& text) {
        const double most = mostPagePoints / pointsPerUnit(choices.unit);
        const QString problem = applyNumber(text, tr("The width"), 0.01, most, choices.width);
        if (problem.isEmpty()) {
            choices.preset.clear();
        }
        return problem;
    });
    parts.height = numberField("export_height", tr("Height"), [this, &choices](const QString& text) {
        const double most = mostPagePoints / pointsPerUnit(choices.unit);
        const QString problem = applyNumber(text, tr("The height"), 0.01, most, choices.height);
        if (problem.isEmpty()) {
            choices.heightRule = HeightRule::free;
        }
        return problem;
    });
    parts.dpi = numberField("export_dpi", tr("Dots per inch"), [this, &choices](const QString& text) {
        return applyNumber(text, tr("The resolution"), leastDpi, mostDpi, choices.dpi);
    });
    parts.fontPoints =
        numberField("export_font_size", tr("Text size in points"), [this, &choices](const QString& text) {
            return applyNumber(text, tr("The text size"), leastFontPoints, mostFontPoints,
                               choices.fontPoints);
        });
    parts.dpiHint = hintLabel({});
    connect(parts.preset, &ChoiceBox::chosen, this, &ExportForm::choosePreset);
    connect(parts.unit, &ChoiceBox::chosen, this, &ExportForm::chooseUnit);
    connect(parts.heightRule, &ChoiceBox::chosen, this, [this](const QString&) {
        m_parts->choices->heightRule = static_cast<HeightRule>(m_parts->heightRule->currentIndex());
        Q_EMIT changed();
    });
}

void ExportForm::buildLooks() {
    Parts& parts = *m_parts;
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
    ExportChoices& choices = *parts.choices;
    parts.style =
        choiceBox("export_style", tr("Style"), {{"print", "print"}, {"light", "light"}, {"dark", "dark"}},
                  [&choices](const QString& id) { choices.style = id; });
    parts.colormap =
        choiceBox("export_colormap", tr("Colour map"),
                  {{"viridis", "viridis"}, {"cividis", "cividis"}, {"magma", "magma"}, {"batlow", "batlow"}},
                  [&choices](const QString& id) { choices.colormap = id; });
    parts.background = choiceBox(
        "export_background", tr("Background"), {{"solid", "solid"}, {"transparent", "transparent"}},
        [&choices](const QString& id) { choices.transparent = id == QLatin1String("transparent"); });
    parts.svgText =
        choiceBox("export_text", tr("Text in SVG"), {{"text", "as text"}, {"paths", "as paths"}},
                  [&choices](const QString& id) { choices.textAsPaths = id == QLatin1String("paths"); });
    parts.showTitle = new QCheckBox;
    parts.showTitle->setObjectName(QStringLiteral("export_show_title"));
    parts.showTitle->setAccessibleName(tr("Show a title"));
    connect(parts.showTitle, &QCheckBox::toggled, this, [this](bool isShown) {
        m_parts->choices->showTitle = isShown;
        Q_EMIT changed();
    });
    parts.title = new QLineEdit;
    parts.title->setObjectName(QStringLiteral("export_title"));
    parts.title->setAccessibleName(tr("Title"));
    parts.title->setPlaceholderText(parts.figureTitle);
    connect(parts.title, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_parts->choices->title = text;
        Q_EMIT changed();
    });
}

void ExportForm::arrange() {
    Parts& parts = *m_parts;
    auto* form = new QVBoxLayout(this);
    form->setSpacing(8);
    formRow(form, tr("Target"), {parts.toFile, parts.toClipboard});
    formRow(form, tr("Format"), {parts.format});
    form->addSpacing(8);
    formRow(form, tr("Preset"), {parts.preset});
    form->addWidget(parts.presetSource);
    formRow(form, tr("Width"), {parts.width, parts.unit});
    formRow(form, tr("Height"), {parts.height, parts.heightRule});
    formRow(form, tr("Resolution"), {parts.dpi, hintLabel(tr("dpi")), parts.dpiHint});
    form->addSpacing(8);
    formRow(form, tr("Text size"), {parts.fontPoints, hintLabel(tr("pt")), parts.svgText});
    formRow(form, tr("Style"), {parts.style, parts.background});
    formRow(form, tr("Colour map"), {parts.colormap});
    QHBoxLayout* title = formRow(form, tr("Title"), {parts.showTitle, parts.title});
    title->setStretchFactor(parts.title, 1);
    delete title->takeAt(title->count() - 1);
    form->addStretch();
    form->setContentsMargins(0, 0, 0, 0);
    setFixedWidth(formWidth);
}

void ExportForm::choosePreset(const QString& id) {
    ExportChoices& choices = *m_parts->choices;
    choices.preset = id;
    if (const PagePreset* preset = findPagePreset(id)) {
        choices.unit = QLatin1StringView(preset->unit);
        choices.width = preset->width;
        choices.fontPoints = preset->fontPoints;
        choices.heightRule = choices.heightRule == HeightRule::free ? HeightRule::suited : choices.heightRule;
    }
    Q_EMIT changed();
}

void ExportForm::chooseUnit(const QString& unit) {
    ExportChoices& choices = *m_parts->choices;
    const double factor = pointsPerUnit(choices.unit) / pointsPerUnit(unit);
    choices.unit = unit;
    choices.width = std::round(1000.0 * choices.width * factor) / 1000.0;
    choices.height = std::round(1000.0 * choices.height * factor) / 1000.0;
    Q_EMIT changed();
}

void ExportForm::refresh() {
    Parts& parts = *m_parts;
    const ExportChoices& choices = *parts.choices;
    const auto show = [](NumberField* field, double value) {
        field->setTexts(QString::fromStdString(formatForPeople(value, 7)),
                        QString::fromStdString(formatNumber(value)));
    };
    show(parts.width, choices.width);
    show(parts.height, choices.height);
    show(parts.dpi, choices.dpi);
    show(parts.fontPoints, choices.fontPoints);
    parts.format->setCurrent(choices.format);
    parts.preset->setCurrent(choices.preset);
    parts.unit->setCurrent(choices.unit);
    parts.heightRule->setCurrentIndex(static_cast<int>(choices.heightRule));
    parts.style->setCurrent(choices.style);
    parts.colormap->setCurrent(choices.colormap);
    parts.background->setCurrent(choices.transparent ? QStringLiteral("transparent")
                                                     : QStringLiteral("solid"));
    parts.svgText->setCurrent(choices.textAsPaths ? QStringLiteral("paths") : QStringLiteral("text"));
    const QSignalBlocker blocker(parts.showTitle);
    parts.showTitle->setChecked(choices.showTitle);
    const PagePreset* preset = findPagePreset(choices.preset);
    parts.presetSource->setText(preset != nullptr ? QLatin1StringView(preset->source) : QString());
    const Result<QSize> pixels = pngSize(exportOptions(choices).page.sizePoints, choices.dpi);
    parts.dpiHint->setText(choices.format != QLatin1String("png") ? tr("for PNG only")
                           : pixels ? tr("%1 × %2 px").arg(pixels->width()).arg(pixels->height())
                                    : QString());

    const bool isPicture = isPictureFormat(choices.format);
    const auto allow = [](QWidget* control, bool allowed, const QString& reason) {
        control->setEnabled(allowed);
        control->setToolTip(allowed ? QString() : reason);
    };
    const QString numbersOnly = tr("This format holds numbers: it has no page.");
    for (QWidget* control : std::initializer_list<QWidget*>{
             parts.preset, parts.width, parts.height, parts.unit, parts.heightRule, parts.fontPoints,
             parts.style, parts.colormap, parts.background, parts.showTitle}) {
        allow(control, isPicture, numbersOnly);
    }
    allow(parts.title, isPicture && choices.showTitle,
          isPicture ? tr("The title is switched off.") : numbersOnly);
    allow(parts.dpi, choices.format == QLatin1String("png"), tr("Only PNG is made of pixels."));
    allow(parts.svgText, choices.format == QLatin1String("svg"),
          choices.format == QLatin1String("pdf") ? tr("PDF keeps text as text.")
                                                 : tr("Only SVG has this choice."));
}

}  // namespace phaseladder::ui
