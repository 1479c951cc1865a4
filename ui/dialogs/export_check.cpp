#include "ui/dialogs/export_check.h"

#include <QGridLayout>
#include <QLabel>

#include "ui/dialogs/page_presets.h"
#include "ui/figure/figure_fonts.h"
#include "ui/figure/layout_check.h"
#include "ui/theme.h"

namespace phaseladder::ui {

namespace {

constexpr int mostLines = 4;

CheckLine pageLine(const ExportChoices& choices) {
    const double unit = pointsPerUnit(choices.unit);
    const auto size = [&](const char* name, int decimals) {
        const double factor = unit / pointsPerUnit(QLatin1String(name));
        return QStringLiteral("%1 × %2 %3")
            .arg(choices.width * factor, 0, 'f', decimals)
            .arg(choices.height * factor, 0, 'f', decimals)
            .arg(QLatin1String(name));
    };
    const QString both = QStringLiteral("%1 (%2)").arg(size("mm", 1), size("in", 2));
    const PagePreset* preset = findPagePreset(choices.preset);
    const double most = preset != nullptr ? preset->mostHeight : 0.0;
    if (most > 0.0 && choices.height > most) {
        return {ExportCheck::tr("Page %1: at most %2 %3 high are allowed.")
                    .arg(both)
                    .arg(most)
                    .arg(QLatin1StringView(preset->unit)),
                false};
    }
    return {ExportCheck::tr("Page %1").arg(both)};
}

CheckLine fontLine(const ExportChoices& choices, const PageCheck& check) {
    const QString family = choices.font.isEmpty() ? figureFonts().first() : choices.font;
    if (check.foreign > 0) {
        return {
            (check.foreign == 1
                 ? ExportCheck::tr("One label has a sign that %1 lacks; another font stands in.").arg(family)
                 : ExportCheck::tr("%1 labels have signs that %2 lacks; another font stands in.")
                       .arg(check.foreign)
                       .arg(family)),
            false};
    }
    if (choices.format == QLatin1String("pdf")) {
        return {ExportCheck::tr("Font embedded as TrueType: %1").arg(family)};
    }
    return {choices.format == QLatin1String("svg") && !choices.textAsPaths
                ? ExportCheck::tr("Text stays text in %1").arg(family)
                : ExportCheck::tr("Text is drawn: no font needed")};
}

CheckLine sizeLine(const PageCheck& check) {
    const QString size = QString::number(check.smallestTextPoints, 'f', 1);
    if (check.smallestTextPoints <= 0.0) {
        return {ExportCheck::tr("No text")};
    }
    return check.smallestTextPoints < leastReadablePoints
               ? CheckLine{ExportCheck::tr("Smallest text %1 pt: below %2 pt")
                               .arg(size)
                               .arg(leastReadablePoints),
                           false}
               : CheckLine{ExportCheck::tr("Smallest text %1 pt").arg(size)};
}

CheckLine labelLine(const PageCheck& check) {
    const QStringList problems = labelProblems(check);
    if (problems.isEmpty()) {
        return {ExportCheck::tr("No label overlaps or is cut off")};
    }
    QString sentence = problems.join(QStringLiteral(", "));
    sentence[0] = sentence[0].toUpper();
    return {ExportCheck::tr("%1: try a wider page or smaller text").arg(sentence), false};
}

}  // namespace

QList<CheckLine> checkLines(const ExportChoices& choices, const LaidOutFigure& page) {
    if (!isPictureFormat(choices.format)) {
        return {{ExportCheck::tr("Numbers read back exactly")}};
    }
    return {pageLine(choices), fontLine(choices, page.check), sizeLine(page.check), labelLine(page.check)};
}

ExportCheck::ExportCheck(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("export_check"));
    setAccessibleName(tr("Check"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(4);
    for (int line = 0; line < mostLines; ++line) {
        auto* label = new QLabel;
        label->setObjectName(QStringLiteral("export_check_%1").arg(line));
        label->setWordWrap(true);
        grid->addWidget(label, line / 2, line % 2);
        m_labels.append(label);
    }
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
}

void ExportCheck::showLines(const QList<CheckLine>& lines) {
    for (qsizetype index = 0; index < m_labels.size(); ++index) {
        QLabel* label = m_labels[index];
        label->setVisible(index < lines.size());
        if (index >= lines.size()) {
            continue;
        }
        const CheckLine& line = lines[index];
        label->setText((line.isGood ? QStringLiteral("✔ ") : QStringLiteral("⚠ ")) + line.text);
        const QString tone = line.isGood ? QStringLiteral("good") : QStringLiteral("warning");
        if (label->property("tone").toString() != tone) {
            label->setProperty("tone", tone);
            restyle(label);
        }
    }
}

}  // namespace phaseladder::ui
