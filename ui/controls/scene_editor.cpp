#include "ui/controls/scene_editor.h"

#include "ui/document.h"

namespace phaseladder::ui {

SceneEditor::SceneEditor(SceneDocument* document, QObject* parent) : QObject(parent), m_document(document) {}

QString SceneEditor::edit(const Values& values) {
    return m_document->setParameters(values);
}

QString SceneEditor::apply(const Values& values) {
    finishOpen();
    return m_document->setParameters(values);
}

QString SceneEditor::reset(const QStringList& ids) {
    finishOpen();
    Values values;
    for (const QString& id : ids) {
        if (const Parameter* row = findParameter(id.toStdString())) {
            values.emplace_back(id, row->get(m_document->parameterResetScene()));
        }
    }
    return m_document->setParameters(values);
}

void SceneEditor::setAsDefault(const QStringList& ids) {
    finishOpen();
    m_document->setAsDefault(ids);
}

void SceneEditor::useBuiltInDefault(const QStringList& ids) {
    finishOpen();
    m_document->useBuiltInDefault(ids);
}

void SceneEditor::open(QObject* source, std::function<void()> finish) {
    finishOpen();
    m_source = source;
    m_finish = std::move(finish);
    m_document->beginGesture();
}

void SceneEditor::close(const QObject* source) {
    if (m_source == source) {
        m_source = nullptr;
        m_finish = nullptr;
        m_document->endGesture();
    }
}

void SceneEditor::finishOpen() {
    if (m_source != nullptr) {
        const std::function<void()> finish = m_finish;
        finish();
    }
}

}  // namespace phaseladder::ui
