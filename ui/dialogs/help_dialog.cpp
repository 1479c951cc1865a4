#include "ui/dialogs/help_dialog.h"

#include <QDialogButtonBox>
#include <QObject>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <utility>
#include <vector>

#include "core/encodings/encoding.h"
#include "core/figures/figure_list.h"
#include "core/ladder/scaling.h"
#include "ui/actions.h"

namespace phaseladder::ui {
namespace {

constexpr QSize dialogSize{680, 620};

QString escaped(const std::string& text) {
    return QString::fromStdString(text).toHtmlEscaped();
}

QString heading(const QString& text) {
    return QStringLiteral("<h3>%1</h3>").arg(text.toHtmlEscaped());
}

QString definition(const QString& term, const QString& text) {
    return QStringLiteral("<p><b>%1</b> &nbsp;%2</p>").arg(term, text);
}

template <class Methods>
QString methodList(const Methods& methods) {
    QString html;
    for (const auto& method : methods) {
        html += definition(escaped(method.label),
                           QStringLiteral("%1<br><code>%2</code><br><small>%3</small>")
                               .arg(escaped(method.help), escaped(method.formula), escaped(method.source)));
    }
    return html;
}

QString keysTable(const std::vector<std::pair<QString, QString>>& rows) {
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='4' width='100%'>");
    for (const auto& [keys, what] : rows) {
        html += QStringLiteral("<tr><td width='34%'><b>%1</b></td><td>%2</td></tr>")
                    .arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
    }
    return html + QStringLiteral("</table>");
}

}  // namespace

TextDialog::TextDialog(const QString& name, const QString& title, const QString& html, QWidget* parent)
    : QDialog(parent) {
    setObjectName(name);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(title);
    resize(dialogSize);
    m_text = new QTextBrowser(this);
    m_text->setObjectName(name + QStringLiteral("_text"));
    m_text->setAccessibleName(title);
    m_text->document()->setDocumentMargin(12);
    setHtml(html);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->setObjectName(name + QStringLiteral("_buttons"));
    buttons->button(QDialogButtonBox::Close)->setIcon({});
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_text);
    layout->addWidget(buttons);
}

void TextDialog::setHtml(const QString& html) {
    m_text->setHtml(html);
}

QString helpPage() {
    QString html = heading(QObject::tr("From a slider to a figure"));
    html += QObject::tr(
        "<p>Choose a model, or open its <code>config.json</code>; drag a slider or type an exact value "
        "(<code>1e6</code>, <code>500k</code>, <code>2^20</code>, <code>1/4</code>, <code>2*pi</code>). "
        "Every figure "
        "follows. Drag a token to another place and switch the encoding between None and RoPE to see when "
        "order "
        "matters. Every change can be undone; a drag is one step.</p>"
        "<p>Point at a pair, a position or a cell: every figure marks the same thing. The name above a "
        "figure is a "
        "menu of all figures; while a figure has nothing to draw for an encoding, another stands in. Export "
        "draws the figure on a page of true size; a PDF, SVG or PNG, and a JSON "
        "of up to 16 MiB, can be opened here again with its scene.</p>"
        "<p>Pin A keeps the present setting as A; what you change from then on is B. Figures show A, B with "
        "A's lines over it, or the difference Δ = B − A. The cross beside the button lets go of A.</p>"
        "<p>Drag the dots at a panel's edge, or use the Window menu, to move or hide the parameters and the "
        "tokens; everything is where you left it at the next start. Settings, in the Edit menu, hold the "
        "theme and the keys of every command.</p>");
    html +=
        heading(QObject::tr("In a figure")) +
        keysTable(
            {{QObject::tr("Wheel"), QObject::tr("zoom at the pointer; Shift: across only, Ctrl: up only")},
             {QObject::tr("Drag"), QObject::tr("zoom to the box")},
             {QObject::tr("Middle drag, Space + drag"), QObject::tr("move the view")},
             {QObject::tr("Double click"), QObject::tr("show all")},
             {QObject::tr("Arrows"), QObject::tr("move by one cell or point")},
             {QObject::tr("Shift + arrows"), QObject::tr("move the view")},
             {QObject::tr("Z, arrows, Enter"), QObject::tr("zoom to the box from here to there")},
             {QObject::tr("Click, Enter"),
              QObject::tr(
                  "look at the query and the key, or at the pair, under the pointer; elsewhere keep the "
                  "mark, which Esc lets go")},
             {QObject::tr("Drag a dot or a line"), QObject::tr("set what it stands for")},
             {QObject::tr("H, Shift + H"),
              QObject::tr("take hold of the next dot or line, of the one before; arrows move it by a "
                          "hundredth, Shift + arrows by a thousandth; Esc lets it go")},
             {QObject::tr("Click a legend entry, Space"),
              QObject::tr("hide or show a curve; with Ctrl: show it alone")},
             {QObject::tr("Chain"), QObject::tr("whether plots with the same x zoom and move together")}});
    html += heading(QObject::tr("On a slider")) +
            keysTable({{QObject::tr("Arrows, Shift + arrows"),
                        QObject::tr("a twentieth, a hundredth of the range")},
                       {QObject::tr("Page Up, Page Down"), QObject::tr("a tenth of the range")},
                       {QObject::tr("Home, End"), QObject::tr("the ends of the range")},
                       {QObject::tr("Alt + drag, Ctrl + drag"), QObject::tr("fine; snap to the marks")},
                       {QObject::tr("Double click on the name"), QObject::tr("back to the model's value")},
                       {QObject::tr("Right click"),
                        QObject::tr("copy and paste, your own default, range, step and scale")}});
    html +=
        heading(QObject::tr("On a token")) +
        keysTable({{QObject::tr("Click"), QObject::tr("look at it, as the query")},
                   {QObject::tr("Right click, menu key"), QObject::tr("look at it, or use it as the key")},
                   {QObject::tr("Drag, Alt + arrows"), QObject::tr("move it")},
                   {QObject::tr("Alt + Home, Alt + End"), QObject::tr("to the first, to the last place")},
                   {QObject::tr("Shift or Ctrl + click"), QObject::tr("select several; they move together")},
                   {QObject::tr("Shift + arrows, Ctrl + Space"), QObject::tr("the same by keys")},
                   {QObject::tr("F2, Insert, Delete"), QObject::tr("edit, add, remove")}});
    html += heading(QObject::tr("Figures"));
    for (const FigureKind& figure : figureKinds()) {
        html += definition(escaped(figure.label), escaped(figure.help));
    }
    html += heading(QObject::tr("Encodings")) + methodList(encodings());
    html += heading(QObject::tr("Scalings")) + methodList(scalings());
    return html;
}

QString shortcutPage(const QList<QAction*>& actions) {
    QString html;
    QString group;
    std::vector<std::pair<QString, QString>> rows;
    const auto closeGroup = [&] {
        if (!rows.empty()) {
            html += heading(group) + keysTable(rows);
            rows.clear();
        }
    };
    for (const QAction* action : actions) {
        const QString keys = QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText);
        if (keys.isEmpty()) {
            continue;
        }
        if (commandGroup(*action) != group) {
            closeGroup();
            group = commandGroup(*action);
        }
        rows.emplace_back(keys, commandName(*action));
    }
    closeGroup();
    return html;
}

QString aboutPage() {
    return heading(QStringLiteral("Phaseladder " PHASELADDER_VERSION)) +
           QObject::tr(
               "<p>A desktop lab for positional encodings: from frequency to phase to logit to attention to "
               "hidden state.</p><p>Our sources are under the MIT licence. The window is built with Qt "
               "Charts, "
               "so the built program is conveyed under the GNU General Public License, version 3.</p>");
}

}  // namespace phaseladder::ui
