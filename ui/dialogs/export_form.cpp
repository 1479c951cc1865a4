#include "ui/dialogs/export_form.h"

#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QVBoxLayout>

#include <cmath>
#include <functional>
#include <initializer_list>
#include <vector>

#include "core/number_text.h"
#include "ui/controls/choice_box.h"
#include "ui/controls/number_field.h"
#include "ui/dialogs/export_looks.h"
#include "ui/dialogs/form_row.h"
#include "ui/dialogs/page_presets.h"

namespace phaseladder::ui {

namespace {

constexpr int formWidth = 330;

std::vector<Choice> presetChoices() {
    std::vector<Choice> choices{{"", ExportForm::tr("Own size").toStdString()}};
    for (const PagePreset& preset : pagePresets()) {
        choices.push_back({preset.id, preset.label});
    }
    return choices;
}

QString heightRuleWords(HeightRule rule) {
    switch (rule) {
        case HeightRule::suited:
            return ExportForm::tr("suits the figure");
        case HeightRule::golden:
            return ExportForm::tr("golden ratio");
        case HeightRule::fourToThree:
            return QStringLiteral("4 : 3");
        case HeightRule::free:
            break;
    }
    return ExportForm::tr("free");
}

std::vector<Choice> heightRuleChoices() {
    std::vector<Choice> choices;
    for (const QString& name : heightRuleNames()) {
        const auto rule = static_cast<HeightRule>(choices.size());
        choices.push_back({name.toStdString(), heightRuleWords(rule).toStdString()});
    }
    return choices;
}

QLabel* hintLabel(const QString& text) {
    auto* label = new QLabel(text);
    label->setProperty("muted", true);
    return label;
}

}  // namespace

struct ExportForm::Parts {
    ExportChoices* choices = nullptr;
    QRadioButton* toFile = nullptr;
    QRadioButton* toClipboard = nullptr;
    ChoiceBox *format = nullptr, *preset = nullptr, *unit = nullptr, *heightRule = nullptr,
              *svgText = nullptr;
    NumberField *width = nullptr, *height = nullptr, *dpi = nullptr, *fontPoints = nullptr;
    QLabel *dpiHint = nullptr, *presetSource = nullptr;
    ExportLooks* looks = nullptr;
};

ExportForm::ExportForm(ExportChoices* choices, const Figure& figure, QWidget* parent)
    : QWidget(parent), m_parts(std::make_unique<Parts>()) {
    setObjectName(QStringLiteral("export_form"));
    m_parts->choices = choices;
    m_parts->looks = new ExportLooks(choices, figure);
    connect(m_parts->looks, &ExportLooks::changed, this, &ExportForm::changed);
    buildTarget();
    buildSize();
    buildText();
    arrange();
}

ExportForm::~ExportForm() = default;

void ExportForm::setFigure(const Figure& figure) {
    m_parts->looks->setFigure(figure);
}

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
                                  {"csv", tr("CSV · numbers").toStdString()},
                                  {"json", tr("JSON · numbers and scene").toStdString()},
                                  {"npy", tr("NPY · NumPy array").toStdString()},
                                  {"txt", tr("Text · for comparing").toStdString()}});
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
    parts.presetSource->setIndent(formLabelWidth + 8);
    parts.unit = new ChoiceBox({{"in", "in"}, {"mm", "mm"}, {"pt", "pt"}});
    parts.unit->setObjectName(QStringLiteral("export_unit"));
    parts.unit->setAccessibleName(tr("Unit"));
    parts.heightRule = new ChoiceBox(heightRuleChoices());
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
        const double ratio = lockedRatio(choices.heightRule);
        const double highest = ratio > 0.0 ? ratio * most : most;
        const QString problem = applyNumber(text, tr("The height"), 0.01, highest, choices.height);
        if (problem.isEmpty() && ratio > 0.0) {
            choices.width = std::round(1000.0 * choices.height / ratio) / 1000.0;
            choices.preset.clear();
        } else if (problem.isEmpty()) {
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

void ExportForm::buildText() {
    Parts& parts = *m_parts;
    parts.svgText = new ChoiceBox(
        {{"text", tr("keeps text as text").toStdString()}, {"paths", tr("text as paths").toStdString()}});
    parts.svgText->setObjectName(QStringLiteral("export_text"));
    parts.svgText->setAccessibleName(tr("Text in SVG"));
    connect(parts.svgText, &ChoiceBox::chosen, this, [this](const QString& id) {
        m_parts->choices->textAsPaths = id == QLatin1String("paths");
        Q_EMIT changed();
    });
}

void ExportForm::arrange() {
    Parts& parts = *m_parts;
    auto* form = new QVBoxLayout(this);
    form->setSpacing(8);
    addFormRow(form, tr("Target"), {parts.toFile, parts.toClipboard});
    addFormRow(form, tr("Format"), {parts.format});
    form->addSpacing(8);
    addFormRow(form, tr("Preset"), {parts.preset});
    form->addWidget(parts.presetSource);
    addFormRow(form, tr("Width"), {parts.width, parts.unit});
    addFormRow(form, tr("Height"), {parts.height, parts.heightRule});
    addFormRow(form, tr("Resolution"), {parts.dpi, hintLabel(tr("dpi")), parts.dpiHint});
    form->addSpacing(8);
    addFormRow(form, tr("Text size"), {parts.fontPoints, hintLabel(tr("pt")), parts.svgText});
    form->addWidget(parts.looks);
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
    parts.svgText->setCurrent(choices.textAsPaths ? QStringLiteral("paths") : QStringLiteral("text"));
    parts.looks->refresh();
    const PagePreset* preset = findPagePreset(choices.preset);
    parts.presetSource->setText(preset != nullptr ? QLatin1StringView(preset->source) : QString());
    const Result<QSize> pixels = pngSize(exportOptions(choices).page.sizePoints, choices.dpi);
    parts.dpiHint->setText(choices.format != QLatin1String("png") ? tr("for PNG only")
                           : pixels ? tr("%1 × %2 px").arg(pixels->width()).arg(pixels->height())
                                    : QString());

    const bool isPicture = isPictureFormat(choices.format);
    for (QWidget* control : std::initializer_list<QWidget*>{parts.preset, parts.width, parts.height,
                                                            parts.unit, parts.heightRule, parts.fontPoints}) {
        allowControl(control, isPicture, tr("This format holds numbers: it has no page."));
    }
    allowControl(parts.dpi, choices.format == QLatin1String("png"), tr("Only PNG is made of pixels."));
    allowControl(parts.svgText, choices.format == QLatin1String("svg"),
                 choices.format == QLatin1String("pdf") ? tr("PDF keeps text as text.")
                                                        : tr("Only SVG has this choice."));
}

}  // namespace phaseladder::ui
