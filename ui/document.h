#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>

#include <memory>
#include <utility>
#include <vector>

#include "core/import/model_config.h"
#include "core/parameter.h"
#include "core/scene.h"
#include "ui/own_defaults.h"

namespace phaseladder::ui {

/// The only owner of the Scene in the window. Every change is an undo step; changes within one gesture (a
/// slider drag, the keys held on a slider) merge into one.
///
/// Two kinds of files: a scene (.pldr, .json, or a figure that holds one) starts a new document; a model's
/// config.json, a table of positions, captured queries and keys, and a text are imported: one undoable step
/// of the document that is open.
class SceneDocument : public QObject {
    Q_OBJECT

public:
    explicit SceneDocument(QObject* parent = nullptr);
    ~SceneDocument() override;

    [[nodiscard]] const Scene& scene() const { return *m_scene; }
    /// What reset goes back to: the start-up scene, or the model or file that was opened last, with the
    /// person's own defaults that hold for it.
    [[nodiscard]] const Scene& resetScene() const { return m_resetScene; }
    /// What resetting a parameter goes back to: its value there, but tokens, heads and head_dim of real heads
    /// are what their files say.
    [[nodiscard]] const Scene& parameterResetScene() const { return m_parameterResetScene; }
    [[nodiscard]] QUndoStack* undoStack() { return &m_undoStack; }

    /// Changes between these two become one undo step, and none when they end where they began; nested calls
    /// are not supported.
    void beginGesture();
    void endGesture();

    /// Sets parameters together as one step: checks hard limits and validate(). Returns the refusal as one
    /// sentence, or an empty string; on refusal nothing changes. No step when nothing differs.
    QString setParameters(const std::vector<std::pair<QString, ParameterValue>>& values);
    QString setParameter(const QString& id, const ParameterValue& value);

    /// Back to the value in parameterResetScene(), one undoable step; the tokens take their order with them.
    /// Returns the refusal where that value does not fit the other settings.
    QString resetParameter(const QString& id);
    void resetAll();

    /// The person's own defaults (remembered between runs by whoever listens to ownDefaultsChanged); setting
    /// and dropping them changes what reset goes back to, not the scene, and is no undo step.
    [[nodiscard]] const OwnDefaults& ownDefaults() const { return m_ownDefaults; }
    /// Starts a new document with defaults of an earlier run.
    void startWithDefaults(const OwnDefaults::Values& values);
    /// The scene's present values become defaults.
    void setAsDefault(const QStringList& ids);
    void useBuiltInDefault(const QStringList& ids);

    /// One undoable step with a name ("Shuffle"); `becomesPreset` makes it what reset goes back to.
    void replaceScene(const Scene& scene, const QString& stepText, bool becomesPreset);

    /// Whether opening this file would start a new document (and give up unsaved work) instead of importing.
    [[nodiscard]] static bool startsNewDocument(const QString& path);

    /// Opens a file by what it is. The errors are one sentence for the person; nothing changes on failure.
    QString open(const QString& path);
    QString save(const QString& path);
    void startNew();

    /// Opens files of queries, keys, values and labels (captureOfFiles) as real heads, as one undoable step.
    QString openCapture(const QStringList& paths);

    /// Imports a built-in model (resources/models) as one undoable step.
    QString openModel(const QString& id);

    /// Layer types of the model that was imported last, where its layers differ; choosing another reads the
    /// model's settings again for that type, as one undoable step.
    [[nodiscard]] QStringList layerTypes() const { return m_layerTypes; }
    QString chooseLayerType(const QString& layerType);

    [[nodiscard]] QString filePath() const { return m_filePath; }
    [[nodiscard]] bool isModified() const { return !m_undoStack.isClean(); }

    /// Notes and warnings that came with the opened file or model.
    [[nodiscard]] QStringList fileWarnings() const { return m_fileWarnings; }
    void setFileWarnings(const QStringList& warnings);

Q_SIGNALS:
    void sceneChanged();
    void resetSceneChanged();
    void ownDefaultsChanged();
    void filePathChanged();
    void modifiedChanged(bool modified);
    void fileWarningsChanged();
    void layerTypesChanged();

private:
    friend class SceneCommand;
    using SharedScene = std::shared_ptr<const Scene>;

    std::vector<std::pair<QString, ParameterValue>> withGesture(
        const std::vector<std::pair<QString, ParameterValue>>& values);
    void pushStep(const Scene& scene, const SharedScene& preset, const QString& text);
    void applyScene(const SharedScene& scene, const SharedScene& preset);
    void startFrom(const SharedScene& scene, const SharedScene& preset, const QString& path,
                   const QStringList& warnings);
    void composeResetScene();
    void composeParameterResetScene();
    QString openScene(const std::string& text, const QString& path);
    QString importText(const QString& path);
    QString importNumbers(const QString& path);
    QString importTable(const QString& path);
    QString importConfig(const std::string& json, const QString& name);
    void applyModel(const ModelConfig& model, const QString& stepText);
    void setLayerTypes(const std::vector<std::string>& layerTypes);

    SharedScene m_scene;    // shared with the undo steps on both sides of it
    SharedScene m_startUp;  // the table's defaults
    SharedScene m_preset;   // the start-up scene, or what was opened last
    OwnDefaults m_ownDefaults;
    Scene m_resetScene;  // the preset with them
    Scene m_parameterResetScene;
    QUndoStack m_undoStack;
    QString m_filePath;
    QStringList m_fileWarnings;
    std::string m_modelConfig;  // JSON of the model that was imported last
    QStringList m_layerTypes;
    int m_gesture = 0;  // 0: no gesture
    int m_lastGesture = 0;
    // What the gesture found, what it has set since, and where that led.
    SharedScene m_gestureStart, m_gestureReached;
    std::vector<std::pair<QString, ParameterValue>> m_gestureValues;
};

}  // namespace phaseladder::ui
