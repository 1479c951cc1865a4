#include "ui/document.h"

#include <QFile>
#include <QFileInfo>
#include <QUndoCommand>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/attention/captured_scene.h"
#include "core/import/capture.h"
#include "core/import/position_table.h"
#include "core/import/read_file.h"
#include "core/import/text.h"
#include "core/scene_json.h"
#include "ui/figure/figure_files.h"
#include "ui/model_library.h"

namespace phaseladder::ui {
namespace {

constexpr std::size_t maximumSceneBytes = 16u << 20;
constexpr int undoSteps = 500;
constexpr int sceneCommandId = 1;

QString sentence(const Error& error) {
    return QString::fromStdString(error.message);
}

QStringList toList(const std::vector<std::string>& texts) {
    QStringList list;
    for (const std::string& text : texts) {
        list.append(QString::fromStdString(text));
    }
    return list;
}

std::filesystem::path nativePath(const QString& path) {
    return QFile::encodeName(path).toStdString();
}

bool hasSuffix(const QString& path, std::initializer_list<const char*> suffixes) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    return std::any_of(suffixes.begin(), suffixes.end(),
                       [&suffix](const char* known) { return suffix == QLatin1StringView(known); });
}

bool isExportedFigure(const QString& path) {
    return hasSuffix(path, {"png", "svg", "pdf"});
}

bool isText(const QString& path) {
    return hasSuffix(path, {"txt"});
}

bool isTable(const QString& path) {
    return hasSuffix(path, {"npy", "safetensors"});
}

}  // namespace

/// A step from one scene to another. Steps of one gesture merge: the oldest "before", the newest "after".
class SceneCommand : public QUndoCommand {
public:
    using SharedScene = SceneDocument::SharedScene;

    SceneCommand(SceneDocument& document, SharedScene scene, SharedScene preset, const QString& text)
        : QUndoCommand(text),
          m_document(document),
          m_sceneBefore(document.m_scene),
          m_sceneAfter(std::move(scene)),
          m_presetBefore(document.m_preset),
          m_presetAfter(std::move(preset)),
          m_gesture(document.m_gesture) {}

    void undo() override { m_document.applyScene(m_sceneBefore, m_presetBefore); }
    void redo() override { m_document.applyScene(m_sceneAfter, m_presetAfter); }
    int id() const override { return m_gesture == 0 ? -1 : sceneCommandId; }

    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = dynamic_cast<const SceneCommand*>(other);
        if (next == nullptr || next->m_gesture != m_gesture) {
            return false;
        }
        m_sceneAfter = next->m_sceneAfter;
        m_presetAfter = next->m_presetAfter;
        setObsolete(*m_sceneAfter == *m_sceneBefore && *m_presetAfter == *m_presetBefore);
        return true;
    }

private:
    SceneDocument& m_document;
    SharedScene m_sceneBefore, m_sceneAfter;
    SharedScene m_presetBefore, m_presetAfter;
    int m_gesture;
};

SceneDocument::SceneDocument(QObject* parent)
    : QObject(parent), m_scene(std::make_shared<const Scene>()), m_startUp(m_scene), m_preset(m_scene) {
    m_undoStack.setUndoLimit(undoSteps);
    connect(&m_undoStack, &QUndoStack::cleanChanged, this,
            [this](bool clean) { Q_EMIT modifiedChanged(!clean); });
}

SceneDocument::~SceneDocument() {
    m_undoStack.disconnect();  // it tells of its own end
}

void SceneDocument::beginGesture() {
    m_gesture = ++m_lastGesture;
    m_gestureStart.reset();
}

void SceneDocument::endGesture() {
    m_gesture = 0;
}

/// Within a gesture all that it has set, so that each change starts from what the gesture found: what a
/// change would drop on its way out (the ends of a drawn table, under a smaller K) is there on its way back.
std::vector<std::pair<QString, ParameterValue>> SceneDocument::withGesture(
    const std::vector<std::pair<QString, ParameterValue>>& values) {
    if (m_gestureStart == nullptr || m_gestureReached != m_scene) {
        m_gestureStart = m_scene;
        m_gestureValues.clear();
    }
    std::vector<std::pair<QString, ParameterValue>> all = m_gestureValues;
    for (const auto& one : values) {
        const auto known = std::find_if(all.begin(), all.end(),
                                        [&one](const auto& other) { return other.first == one.first; });
        if (known == all.end()) {
            all.push_back(one);
        } else {
            known->second = one.second;
        }
    }
    return all;
}

QString SceneDocument::setParameters(const std::vector<std::pair<QString, ParameterValue>>& wanted) {
    const auto values = m_gesture == 0 ? wanted : withGesture(wanted);
    Scene scene = m_gesture == 0 ? *m_scene : *m_gestureStart;
    QString text;
    std::vector<std::string> ids;
    for (const auto& [id, value] : values) {
        ids.push_back(id.toStdString());
        const Result<const Parameter*> row = requireParameter(ids.back());
        if (!row) {
            return sentence(row.error());
        }
        const Result<void> set = phaseladder::setParameter(scene, **row, value);
        if (!set) {
            return sentence(set.error());
        }
        if (text.isEmpty()) {
            text = QString::fromStdString((*row)->label);
        }
    }
    if (const Result<void> followed = followCapture(scene, ids); !followed) {
        return sentence(followed.error());
    }
    const Result<void> valid = validate(scene);
    if (!valid) {
        return sentence(valid.error());
    }
    pushStep(scene, m_preset, text);
    if (m_gesture != 0) {
        m_gestureValues = values;
        m_gestureReached = m_scene;
    }
    return {};
}

QString SceneDocument::setParameter(const QString& id, const ParameterValue& value) {
    return setParameters({{id, value}});
}

QString SceneDocument::resetParameter(const QString& id) {
    const Result<const Parameter*> row = requireParameter(id.toStdString());
    if (!row) {
        return sentence(row.error());
    }
    std::vector<std::pair<QString, ParameterValue>> values{{id, (*row)->get(m_parameterResetScene)}};
    const bool otherTokens = m_scene->tokens.size() != m_parameterResetScene.tokens.size();
    if (id == QStringLiteral("tokens")) {
        values.emplace_back(QStringLiteral("order"), m_parameterResetScene.order);
    } else if (id == QStringLiteral("order") && otherTokens) {
        values.front().second = std::vector<int>();
    }
    return setParameters(values);
}

void SceneDocument::resetAll() {
    pushStep(m_resetScene, m_preset, tr("Reset all"));
}

void SceneDocument::startWithDefaults(const OwnDefaults::Values& values) {
    for (const auto& [id, value] : values) {
        m_ownDefaults.set(id, value, nullptr);
    }
    composeResetScene();
    startNew();
}

void SceneDocument::setAsDefault(const QStringList& ids) {
    for (const QString& id : ids) {
        if (const Parameter* row = findParameter(id.toStdString())) {
            m_ownDefaults.set(id, row->get(*m_scene), m_preset);
        }
    }
    composeResetScene();
    Q_EMIT ownDefaultsChanged();
}

void SceneDocument::useBuiltInDefault(const QStringList& ids) {
    for (const QString& id : ids) {
        m_ownDefaults.drop(id);
    }
    composeResetScene();
    Q_EMIT ownDefaultsChanged();
}

void SceneDocument::composeResetScene() {
    const Scene before = std::exchange(m_resetScene, m_ownDefaults.over(m_preset, m_preset == m_startUp));
    composeParameterResetScene();
    if (m_resetScene != before) {
        Q_EMIT resetSceneChanged();
    }
}

void SceneDocument::composeParameterResetScene() {
    m_parameterResetScene = m_resetScene;
    for (const Parameter& row : parameters()) {
        if (hasCapture(*m_scene) && followsCapture(row.id)) {
            row.set(m_parameterResetScene, row.get(*m_scene));
        }
    }
}

void SceneDocument::replaceScene(const Scene& scene, const QString& stepText, bool becomesPreset) {
    pushStep(scene, becomesPreset ? std::make_shared<const Scene>(scene) : m_preset, stepText);
}

bool SceneDocument::startsNewDocument(const QString& path) {
    if (isText(path) || isTable(path)) {
        return false;
    }
    if (isExportedFigure(path)) {
        return true;
    }
    const Result<std::string> text = readFile(nativePath(path), maximumSceneBytes);
    return text && !looksLikeModelConfig(*text);
}

QString SceneDocument::open(const QString& path) {
    if (isExportedFigure(path)) {
        const QByteArray scene = QFileInfo(path).isFile() ? embeddedScene(path) : QByteArray();
        if (scene.isEmpty()) {
            return tr("%1 holds no scene; only figures exported by Phaseladder do.")
                .arg(QString::fromStdString(quotedPath(nativePath(path))));
        }
        return openScene(scene.toStdString(), {});
    }
    if (isText(path)) {
        return importText(path);
    }
    if (isTable(path)) {
        return importNumbers(path);
    }
    const Result<std::string> text = readFile(nativePath(path), maximumSceneBytes);
    if (!text) {
        return sentence(text.error());
    }
    if (looksLikeModelConfig(*text)) {
        return importConfig(*text, QFileInfo(path).fileName());
    }
    return openScene(*text, QFileInfo(path).absoluteFilePath());
}

QString SceneDocument::openScene(const std::string& text, const QString& path) {
    const Result<SceneFile> file = readScene(text);
    if (!file) {
        return sentence(file.error());
    }
    OpenedCapture opened = reopenHeads(file->scene);
    const auto scene = std::make_shared<const Scene>(std::move(opened.scene));
    startFrom(scene, scene, path, toList(file->warnings) + toList(opened.notes));
    return {};
}

QString SceneDocument::importText(const QString& path) {
    // One byte more than allowed: the text's own sentence names the limit.
    const Result<std::string> text = readFile(nativePath(path), maximumTextBytes + 1);
    if (!text) {
        return sentence(text.error());
    }
    const Result<TokenText> words = readTokens(*text);
    if (!words) {
        return sentence(words.error());
    }
    const Scene scene = withWords(*m_scene, words->tokens);
    const Result<void> valid = validate(scene);
    if (!valid) {
        return sentence(valid.error());
    }
    replaceScene(scene, tr("Open %1").arg(QFileInfo(path).fileName()), false);
    setFileWarnings(toList(words->warnings));
    return {};
}

/// Real heads, where a file holds queries and keys; else a table of positions.
QString SceneDocument::importNumbers(const QString& path) {
    if (!capturedQueries(nativePath(QFileInfo(path).absoluteFilePath())).empty()) {
        return openCapture({path});
    }
    const QString refusal = importTable(path);
    const QString other = tr("For queries and keys of a model, choose File > Open Q and K….");
    if (!refusal.isEmpty()) {
        return refusal + QLatin1Char(' ') + other;
    }
    if (hasSuffix(path, {"npy"})) {  // in a .safetensors the names tell
        setFileWarnings({tr("%1 is read as a table of positions.").arg(QFileInfo(path).fileName()) +
                         QLatin1Char(' ') + other});
    }
    return {};
}

QString SceneDocument::openCapture(const QStringList& paths) {
    std::vector<std::filesystem::path> files;
    for (const QString& path : paths) {
        files.push_back(nativePath(QFileInfo(path).absoluteFilePath()));
    }
    const Result<OpenedCapture> opened = captureOfFiles(files).and_then(
        [this](CaptureSettings settings) { return openHeads(*m_scene, std::move(settings)); });
    if (!opened) {
        return sentence(opened.error());
    }
    replaceScene(opened->scene, tr("Open %1").arg(QFileInfo(paths.front()).fileName()), false);
    setFileWarnings(toList(opened->notes));
    return {};
}

/// The table becomes the learned encoding of tokens that are as wide as its rows.
QString SceneDocument::importTable(const QString& path) {
    const QString file = QFileInfo(path).absoluteFilePath();
    const Result<std::shared_ptr<const NumberTable>> table = readPositionTable(nativePath(file), {});
    if (!table) {
        return sentence(table.error());
    }
    Scene scene = *m_scene;
    scene.capture = {};  // rows are added to words
    scene.encoding = "learned";
    scene.learned.table = nativePath(file);
    scene.learned.tensor.clear();
    scene.learned.offset = 0;
    const Parameter* width = findParameter("head_dim");
    if (const Result<void> set =
            phaseladder::setParameter(scene, *width, static_cast<double>((*table)->shape.at(1)));
        !set) {
        return sentence(set.error());
    }
    if (const Result<void> valid = validate(scene); !valid) {
        return sentence(valid.error());
    }
    replaceScene(scene, tr("Open %1").arg(QFileInfo(path).fileName()), false);
    return {};
}

QString SceneDocument::importConfig(const std::string& json, const QString& name) {
    const Result<ModelConfig> model = readModelConfig(json, *m_scene);
    if (!model) {
        return sentence(model.error());
    }
    m_modelConfig = json;
    applyModel(*model, tr("Open %1").arg(name));
    return {};
}

QString SceneDocument::openModel(const QString& id) {
    const Result<ModelConfig> model = loadBuiltInModel(id, *m_scene);
    if (!model) {
        return sentence(model.error());
    }
    const QList<BuiltInModel>& models = builtInModels();
    const auto builtIn = std::find_if(models.begin(), models.end(),
                                      [&id](const BuiltInModel& candidate) { return candidate.id == id; });
    m_modelConfig = builtIn->config.toStdString();
    applyModel(*model, tr("Open %1").arg(builtIn->label));
    return {};
}

QString SceneDocument::chooseLayerType(const QString& layerType) {
    Result<ModelConfig> model = readModelConfig(m_modelConfig, *m_scene, layerType.toStdString());
    if (!model) {
        return sentence(model.error());
    }
    model->scene.model = m_scene->model;
    applyModel(*model, tr("Layer type %1").arg(layerType));
    return {};
}

void SceneDocument::applyModel(const ModelConfig& model, const QString& stepText) {
    Scene scene = model.scene;
    if (const Result<Scene> followed = withCapture(scene); followed) {
        scene = *followed;  // real heads stay, and say how many and how wide they are
    }
    Scene preset = scene;
    preset.order.clear();  // reset goes back to the words in their own order
    pushStep(scene, std::make_shared<const Scene>(std::move(preset)), stepText);
    setFileWarnings(toList(model.warnings) + toList(model.notes));
    setLayerTypes(model.layerTypes);
}

QString SceneDocument::save(const QString& path) {
    const Result<void> written = writeFileSafely(path, QByteArray::fromStdString(writeScene(*m_scene)));
    if (!written) {
        return sentence(written.error());
    }
    m_filePath = QFileInfo(path).absoluteFilePath();
    m_undoStack.setClean();
    Q_EMIT filePathChanged();
    return {};
}

void SceneDocument::startNew() {
    startFrom(std::make_shared<const Scene>(m_ownDefaults.over(m_startUp, true)), m_startUp, {}, {});
}

void SceneDocument::startFrom(const SharedScene& scene, const SharedScene& preset, const QString& path,
                              const QStringList& warnings) {
    m_gesture = 0;
    m_undoStack.clear();
    m_filePath = path;
    m_modelConfig.clear();
    applyScene(scene, preset);
    Q_EMIT filePathChanged();
    setFileWarnings(warnings);
    setLayerTypes({});
}

void SceneDocument::setFileWarnings(const QStringList& warnings) {
    if (m_fileWarnings != warnings) {
        m_fileWarnings = warnings;
        Q_EMIT fileWarningsChanged();
    }
}

void SceneDocument::setLayerTypes(const std::vector<std::string>& layerTypes) {
    m_layerTypes = layerTypes.size() > 1 ? toList(layerTypes) : QStringList();
    Q_EMIT layerTypesChanged();
}

void SceneDocument::pushStep(const Scene& scene, const SharedScene& preset, const QString& text) {
    if (scene == *m_scene && *preset == *m_preset) {
        return;
    }
    m_undoStack.push(new SceneCommand(*this, std::make_shared<const Scene>(scene), preset, text));
}

void SceneDocument::applyScene(const SharedScene& scene, const SharedScene& preset) {
    const bool sceneDiffers = *scene != *m_scene;
    m_scene = scene;
    composeParameterResetScene();
    if (preset != m_preset) {
        m_preset = preset;
        composeResetScene();
    }
    if (sceneDiffers) {
        Q_EMIT sceneChanged();
    }
}

}  // namespace phaseladder::ui
