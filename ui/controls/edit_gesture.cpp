#include "ui/controls/edit_gesture.h"

#include <chrono>

namespace phaseladder::ui {

EditGesture::EditGesture(QObject* parent) : QObject(parent) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(std::chrono::milliseconds(600));
    connect(&m_pause, &QTimer::timeout, this, &EditGesture::end);
}

void EditGesture::begin() {
    end();
    m_isOpen = true;
    Q_EMIT started();
}

void EditGesture::touch() {
    if (!m_isOpen) {
        m_isOpen = true;
        Q_EMIT started();
    }
    m_pause.start();
}

void EditGesture::end() {
    m_pause.stop();
    if (m_isOpen) {
        m_isOpen = false;
        Q_EMIT ended();
    }
}

}  // namespace phaseladder::ui
