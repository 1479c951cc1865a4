#include "ui/controls/parameter_panel.h"

#include <QApplication>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/parameter.h"
#include "ui/controls/encoding_about.h"
#include "ui/controls/grid_row.h"
#include "ui/controls/pair_row.h"
#include "ui/controls/parameter_group.h"
#include "ui/controls/parameter_row.h"
#include "ui/controls/parts_row.h"
#include "ui/controls/scene_editor.h"
#include "ui/controls/segment_row.h"
#include "ui/controls/slider_form.h"
#include "ui/controls/summary_row.h"
#include "ui/controls/text_row.h"
#include "ui/controls/token_row.h"
#include "ui/document.h"
#include "ui/settings.h"

namespace phaseladder::ui {

namespace {

/// Rows of the table that share one row of the panel.
struct Pair {
    const char* lowId;
    const char* highId;
    const char* name;
    const char* label;
};
constexpr Pair pairs[] = {
    {"scaling.beta_slow", "scaling.beta_fast", "ramp",
     QT_TRANSLATE_NOOP("phaseladder::ui::ParameterPanel", "YaRN ramp")},
    {"scaling.low_freq_factor", "scaling.high_freq_factor", "blend",
     QT_TRANSLATE_NOOP("phaseladder::ui::ParameterPanel", "Blend")},
};

/// Choices that lead their group, which of them are shown without opening "More", and in what short words;
/// the first line of them ends after one.
struct Leading {
    std::string id;
    std::vector<Choice> inlineChoices;
    std::string lineEnd{};
};
const std::vector<Leading>& leadingChoices() {
    static const std::vector<Leading> choices{
        {"encoding",
         {{"none", "None"},
          {"rope", "RoPE"},
          {"sinusoidal", "Sinusoidal"},
          {"learned", "Learned"},
          {"alibi", "ALiBi"},
          {"t5", "T5"},
          {"shaw", "Shaw"},
          {"relative_bias", "Bias"},
          {"transformer_xl", "T-XL"},
          {"xpos", "xPos"}},
         "learned"},
        {"scaling",
         {{"none", "None"},
          {"linear", "Linear"},
          {"ntk", "NTK"},
          {"dynamic_ntk", "Dynamic"},
          {"yarn", "YaRN"},
          {"longrope", "LongRoPE"},
          {"llama3", "Llama 3"},
          {"proportional", "p-RoPE"}},
         "dynamic_ntk"},
    };
    return choices;
}

/// Groups in the order of use; others follow as the table has them.
const std::vector<std::string>& groupOrder() {
    static const std::vector<std::string> groups{"Encoding",  "Scaling",    "Lengths", "Rotary",
                                                 "Attention", "Real heads", "Text",    "View"};
    return groups;
}

}  // namespace

struct ParameterPanel::Parts {
    Parts(ParameterPanel* owner, SceneDocument* sceneDocument, Settings* windowSettings)
        : panel(owner),
          document(sceneDocument),
          settings(windowSettings),
          editor(new SceneEditor(sceneDocument, owner)) {}

    void build();
    ParameterGroup* groupOf(const std::string& name);
    PanelRow* makeRow(const Parameter& row, QWidget* parent);
    PanelRow* makeCompanion(const Parameter& row, QWidget* parent);
    void addRow(const std::string& group, PanelRow* row);
    void showScene();
    void showNotes();
    void rememberUnfolded() const;
    [[nodiscard]] PanelRow* rowOf(const QString& parameterId) const;
    void rememberFocus(const QWidget* widget);

    ParameterPanel* panel;
    SceneDocument* document;
    Settings* settings;
    SceneEditor* editor;
    QWidget* content = nullptr;
    QVBoxLayout* column = nullptr;
    std::vector<ParameterGroup*> groups;
    QString current;
};

ParameterGroup* ParameterPanel::Parts::groupOf(const std::string& name) {
    const QString wanted = QString::fromStdString(name);
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const ParameterGroup* group) { return group->name() == wanted; });
    if (found != groups.end()) {
        return *found;
    }
    auto* group = new ParameterGroup(wanted, content);
    group->setUnfolded(settings->unfoldedGroups().contains(wanted));
    QObject::connect(group, &ParameterGroup::unfoldedChanged, panel, [this] { rememberUnfolded(); });
    column->addWidget(group);
    return groups.emplace_back(group);
}

PanelRow* ParameterPanel::Parts::makeRow(const Parameter& row, QWidget* parent) {
    if (row.kind == ParameterKind::tokens || row.kind == ParameterKind::order ||
        row.control == ParameterControl::none) {
        return nullptr;  // the token strip's, and what only files and models set
    }
    for (const Pair& pair : pairs) {
        if (row.id == pair.highId) {
            return nullptr;
        }
        if (row.id == pair.lowId) {
            return new PairRow(row, *findParameter(pair.highId), QString::fromLatin1(pair.name),
                               ParameterPanel::tr(pair.label), editor, settings, parent);
        }
    }
    for (const Leading& leading : leadingChoices()) {
        if (row.id == leading.id) {
            return new SegmentRow(row, leading.inlineChoices, leading.lineEnd, editor, parent);
        }
    }
    if (row.control == ParameterControl::token) {
        return new TokenRow(row, editor, parent);
    }
    if (row.kind == ParameterKind::text) {
        return new TextRow(row, editor, parent);
    }
    if (row.summary) {
        return new SummaryRow(row, editor, parent);
    }
    if (!row.parts.empty()) {
        return new PartsRow(row, editor, parent);
    }
    return new ParameterRow(row, editor, settings, parent);
}

/// What explains or draws a row, below it; null for most.
PanelRow* ParameterPanel::Parts::makeCompanion(const Parameter& row, QWidget* parent) {
    if (row.id == "encoding") {
        auto* about = new EncodingAbout(parent);
        about->setUnfolded(settings->encodingExplained());
        QObject::connect(about, &EncodingAbout::unfoldedChanged, panel, [this, about](bool unfolded) {
            settings->setEncodingExplained(unfolded);
            about->showScene(document->scene(), document->resetScene());
        });
        return about;
    }
    return row.id == "rope.grid_columns" ? new GridRow(editor, parent) : nullptr;
}

void ParameterPanel::Parts::addRow(const std::string& group, PanelRow* row) {
    if (row != nullptr) {
        groupOf(group)->addRow(row);
        QObject::connect(row, &PanelRow::refused, panel, &ParameterPanel::refused);
        QObject::connect(row, &PanelRow::said, panel, &ParameterPanel::said);
    }
}

void ParameterPanel::Parts::build() {
    auto* area = new QScrollArea(panel);
    area->setObjectName(QStringLiteral("parameterScroll"));
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    content = new QWidget;
    content->setObjectName(QStringLiteral("parameterContent"));
    column = new QVBoxLayout(content);
    column->setContentsMargins(16, 16, 12, 16);
    column->setSpacing(16);
    const auto rowsOf = [&](const std::string& name) {
        for (const Parameter& row : parameters()) {
            if (row.group != name) {
                continue;
            }
            addRow(name, makeRow(row, content));
            addRow(name, makeCompanion(row, content));
        }
    };
    for (const std::string& name : groupOrder()) {
        rowsOf(name);
    }
    for (const Parameter& row : parameters()) {
        const bool isPlaced =
            std::find(groupOrder().begin(), groupOrder().end(), row.group) != groupOrder().end() ||
            std::any_of(groups.begin(), groups.end(), [&](const ParameterGroup* group) {
                return group->name().toStdString() == row.group;
            });
        if (!isPlaced) {
            rowsOf(row.group);
        }
    }
    column->addStretch(1);
    area->setWidget(content);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(area);
}

void ParameterPanel::Parts::showScene() {
    for (ParameterGroup* group : groups) {
        const bool anyApplies = group->showScene(document->scene(), document->parameterResetScene());
        if (group->isHidden() == anyApplies) {
            group->setVisible(anyApplies);
        }
    }
    showNotes();
}

void ParameterPanel::Parts::showNotes() {
    const SceneNotes about = sceneNotes(document->scene());
    for (const ParameterGroup* group : groups) {
        for (PanelRow* row : group->rows()) {
            const QStringList ids = row->parameterIds();
            QStringList sentences;
            for (const std::vector<SceneNote>* notes : {&about.warnings, &about.notes}) {
                for (const SceneNote& note : *notes) {
                    if (ids.contains(QString::fromStdString(note.parameterId))) {
                        sentences.append(QString::fromStdString(note.sentence));
                    }
                }
            }
            const bool isWarning =
                std::any_of(about.warnings.begin(), about.warnings.end(), [&ids](const SceneNote& note) {
                    return ids.contains(QString::fromStdString(note.parameterId));
                });
            row->showNotes(sentences, isWarning);
        }
    }
}

void ParameterPanel::Parts::rememberUnfolded() const {
    QStringList names;
    for (const ParameterGroup* group : groups) {
        if (group->isUnfolded()) {
            names.append(group->name());
        }
    }
    settings->setUnfoldedGroups(names);
}

PanelRow* ParameterPanel::Parts::rowOf(const QString& parameterId) const {
    for (const ParameterGroup* group : groups) {
        for (PanelRow* row : group->rows()) {
            if (row->parameterIds().contains(parameterId)) {
                return row;
            }
        }
    }
    return nullptr;
}

void ParameterPanel::Parts::rememberFocus(const QWidget* widget) {
    for (const QWidget* at = widget; at != nullptr && at != panel; at = at->parentWidget()) {
        if (const auto* row = qobject_cast<const PanelRow*>(at)) {
            const QStringList ids = row->parameterIds();
            const auto focused = std::find_if(ids.begin(), ids.end(), [&](const QString& id) {
                return row->fieldOf(id) == widget || row->fieldOf(id)->isAncestorOf(widget);
            });
            const bool isHighThumb = widget->objectName().endsWith(QLatin1StringView("_high"));
            current = focused != ids.end() ? *focused : isHighThumb ? ids.last() : ids.first();
            return;
        }
    }
}

ParameterPanel::ParameterPanel(SceneDocument* document, Settings* settings, QWidget* parent)
    : QWidget(parent), m_parts(std::make_unique<Parts>(this, document, settings)) {
    setObjectName(QStringLiteral("parameterPanel"));
    setAccessibleName(tr("Parameters"));
    setAttribute(Qt::WA_StyledBackground);
    setMinimumWidth(300);
    m_parts->build();
    m_parts->showScene();
    connect(document, &SceneDocument::sceneChanged, this, [this] { m_parts->showScene(); });
    connect(document, &SceneDocument::resetSceneChanged, this, [this] { m_parts->showScene(); });
    connect(qApp, &QApplication::focusChanged, this,
            [this](const QWidget*, const QWidget* now) { m_parts->rememberFocus(now); });
}

ParameterPanel::~ParameterPanel() {
    // A field that loses focus applies its text: now, while everything is whole.
    qDeleteAll(findChildren<SliderForm*>());
    hide();
    qApp->disconnect(this);
}

bool ParameterPanel::focusField(const QString& parameterId) {
    const PanelRow* row = m_parts->rowOf(parameterId);
    if (row == nullptr || !row->applies(m_parts->document->scene())) {
        return false;
    }
    if (row->isHidden()) {
        qobject_cast<ParameterGroup*>(row->parentWidget())->setUnfolded(true);
    }
    row->fieldOf(parameterId)->setFocus(Qt::ShortcutFocusReason);
    return true;
}

QString ParameterPanel::currentParameter() const {
    return m_parts->current;
}

}  // namespace phaseladder::ui
