#include "ui/controls/encoding_about.h"

#include <QEvent>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QRegularExpression>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/encodings/encoding.h"
#include "ui/controls/framed_row.h"
#include "ui/theme.h"

namespace phaseladder::ui {

QString formulaHtml(const QString& formula) {
    static const QRegularExpression power(QStringLiteral(R"(\^\(((?:[^()]|\([^()]*\))*)\))"));
    static const QRegularExpression root(QStringLiteral(R"(sqrt\((\w+)\))"));
    static const QRegularExpression index(QStringLiteral("_([a-z])\\b"));
    static const QRegularExpression minus(QStringLiteral(R"((?<=[\s(,])-(?=[\s\dK]))"));
    QString html = formula.toHtmlEscaped();
    html.replace(QStringLiteral("-&gt;"), QStringLiteral("→"));
    html.replace(minus, QStringLiteral("−"));
    html.replace(power, QStringLiteral("<sup>\\1</sup>"));
    html.replace(root, QStringLiteral("√\\1"));
    html.replace(index, QStringLiteral("<sub>\\1</sub>"));
    html.replace(QStringLiteral(" . "), QStringLiteral(" · "));
    html.replace(QStringLiteral("theta"), QStringLiteral("θ"));
    html.replace(QStringLiteral("zeta"), QStringLiteral("ζ"));
    html.replace(QStringLiteral("<sup>-"), QStringLiteral("<sup>−"));
    html.replace(QStringLiteral(",  "), QStringLiteral(",<br>"));  // a second formula
    return html;
}

namespace {

/// Holds a label whose words change with every tick of a slider. A label in a layout has the whole panel laid
/// out again each time; here that happens only when the words need another height.
class SteadyLabel final : public QWidget {
public:
    SteadyLabel(QLabel* label, QWidget* parent) : QWidget(parent), m_label(label) {
        m_label->setParent(this);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }

protected:
    bool event(QEvent* event) override {
        if (event->type() == QEvent::LayoutRequest) {  // the label's words are new
            fit();
        }
        return QWidget::event(event);
    }
    void resizeEvent(QResizeEvent*) override { fit(); }

private:
    void fit() {
        const int needed = m_label->heightForWidth(width());
        m_label->setGeometry(0, 0, width(), needed);
        if (needed != height()) {
            setFixedHeight(needed);
        }
    }

    QLabel* m_label;
};

}  // namespace

EncodingAbout::EncodingAbout(QWidget* parent)
    : PanelRow(parent), m_button(new QToolButton(this)), m_body(new QWidget(this)) {
    m_button->setObjectName(QStringLiteral("about_encoding"));
    m_button->setProperty("disclosure", true);
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setIconSize(QSize(12, 12));
    m_button->setCursor(Qt::PointingHandCursor);
    m_button->setFocusPolicy(Qt::StrongFocus);
    m_button->setText(tr("About this encoding"));
    connect(m_button, &QToolButton::clicked, this, [this] {
        setUnfolded(!m_isUnfolded);
        Q_EMIT unfoldedChanged(m_isUnfolded);
    });

    auto* formula = new QFrame(m_body);
    formula->setProperty("tinted", true);
    auto* formulaLines = new QVBoxLayout(formula);
    formulaLines->setContentsMargins(10, 8, 10, 8);
    formulaLines->setSpacing(4);
    m_formula = addText(formula, "about_formula");
    m_formula->setTextFormat(Qt::RichText);
    m_numbers = addText(formula, "about_numbers");
    m_numbers->setProperty("caption", true);
    formulaLines->addWidget(m_formula);
    formulaLines->addWidget(new SteadyLabel(m_numbers, formula));

    m_help = addText(m_body, "about_help");
    m_limits = addText(m_body, "about_limits");
    m_source = addText(m_body, "about_source");
    auto* ends = new QGridLayout;
    ends->setHorizontalSpacing(10);
    ends->setVerticalSpacing(4);
    ends->setColumnStretch(1, 1);
    int line = 0;
    for (const auto& [caption, text] : {std::pair(tr("Limits"), m_limits), {tr("Source"), m_source}}) {
        auto* label = new QLabel(caption, m_body);
        label->setProperty("caption", true);
        ends->addWidget(label, line, 0, Qt::AlignTop);
        ends->addWidget(text, line, 1);
        ++line;
    }
    m_source->setProperty("caption", true);
    auto* body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, 2, 0, 8);
    body->setSpacing(8);
    body->addWidget(m_help);
    body->addWidget(formula);
    body->addLayout(ends);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_button);
    layout->addWidget(m_body);
    setUnfolded(true);
}

QLabel* EncodingAbout::addText(QWidget* parent, const char* name) {
    auto* label = new QLabel(parent);
    label->setObjectName(QLatin1StringView(name));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QWidget* EncodingAbout::fieldOf(const QString&) const {
    return m_button;
}

void EncodingAbout::setUnfolded(bool unfolded) {
    m_isUnfolded = unfolded;
    m_body->setVisible(unfolded);
    m_button->setIcon(themedIcon(unfolded ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"),
                                 IconColor::muted));
    m_button->setAccessibleName(tr("About this encoding, %1").arg(unfolded ? tr("unfolded") : tr("folded")));
}

void EncodingAbout::showScene(const Scene& scene, const Scene&) {
    const Encoding* encoding = findEncoding(scene.encoding);
    if (encoding == nullptr) {
        return;
    }
    if (m_encoding != scene.encoding) {
        m_encoding = scene.encoding;
        m_help->setText(QString::fromStdString(encoding->help));
        m_formula->setText(formulaHtml(QString::fromStdString(encoding->formula)));
        m_limits->setText(QString::fromStdString(encoding->limits));
        m_source->setText(QString::fromStdString(encoding->source));
        m_formula->setAccessibleName(tr("Formula: %1").arg(QString::fromStdString(encoding->formula)));
        m_limits->setAccessibleName(tr("Limits: %1").arg(m_limits->text()));
        m_source->setAccessibleName(tr("Source: %1").arg(m_source->text()));
        m_button->setAccessibleDescription(m_help->text());
    }
    if (m_isUnfolded) {
        setTextIfNew(m_numbers, QString::fromStdString(encoding->numbers(scene)));
    }
}

}  // namespace phaseladder::ui
