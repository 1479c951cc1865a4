#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>

#include <functional>
#include <utility>
#include <vector>

#include "core/parameter.h"

namespace phaseladder::ui {

class SceneDocument;

/// What the controls use to change the scene: at most one gesture is open at a time, and a change that stands
/// alone (typed, chosen, reset) ends it, so that it is an undo step of its own.
class SceneEditor : public QObject {
    Q_OBJECT

public:
    using Values = std::vector<std::pair<QString, ParameterValue>>;

    explicit SceneEditor(SceneDocument* document, QObject* parent = nullptr);

    /// Brackets a slider's (or EditGesture's) edits; Source has gestureStarted, gestureEnded and
    /// finishGesture().
    template <class Source>
    void follow(Source* source) {
        connect(source, &Source::gestureStarted, this,
                [this, source] { open(source, [source] { source->finishGesture(); }); });
        connect(source, &Source::gestureEnded, this, [this, source] { close(source); });
    }

    /// Part of the open gesture, if any. Each returns the refusal as one sentence, or an empty string.
    QString edit(const Values& values);
    /// A step of its own.
    QString apply(const Values& values);
    /// Back to the preset, one step for all of them.
    QString reset(const QStringList& ids);
    /// The present values become what reset goes back to; and the table's values again.
    void setAsDefault(const QStringList& ids);
    void useBuiltInDefault(const QStringList& ids);

    [[nodiscard]] const SceneDocument& document() const { return *m_document; }

private:
    void open(QObject* source, std::function<void()> finish);
    void close(const QObject* source);
    void finishOpen();

    SceneDocument* m_document;
    QPointer<QObject> m_source;
    std::function<void()> m_finish;
};

}  // namespace phaseladder::ui
