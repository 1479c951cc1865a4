#include "ui/gpu_link.h"

#include <utility>

#include "core/attention/backends.h"
#include "ui/compute_controller.h"
#include "ui/settings.h"
#include "ui/status_line.h"

namespace phaseladder::ui {

GpuLink::GpuLink(ComputeController* controller, StatusLine* statusLine, Settings* settings, QObject* parent)
    : QObject(parent), m_controller(controller), m_statusLine(statusLine), m_settings(settings) {
    connect(controller, &ComputeController::gpuChanged, this, &GpuLink::setInfo);
    connect(controller, &ComputeController::noticed, statusLine, &StatusLine::say);
    connect(statusLine, &StatusLine::tryAgainRequested, controller, &ComputeController::tryGpuAgain);
}

void GpuLink::setFactory(GpuFactory factory) {
    m_factory = std::move(factory);
    m_controller->replaceGpu(m_factory(m_settings->helperCommand()));
}

void GpuLink::setCommand(const QString& command) {
    if (command == m_settings->helperCommand()) {
        return;
    }
    m_settings->setHelperCommand(command);
    if (m_factory) {
        m_controller->replaceGpu(m_factory(command));
    }
}

void GpuLink::setInfo(const BackendInfo& info) {
    m_info = info;
    m_statusLine->setGpu(state(), info.canTryAgain);
    Q_EMIT changed();
}

QString GpuLink::state() const {
    if (m_info.id.empty()) {
        return {};
    }
    const QString processor = QString::fromStdString(processorText());
    if (m_info.available) {
        return tr("Large maps are computed on %1.").arg(QString::fromStdString(m_info.label));
    }
    if (m_info.isPending) {
        return tr("A GPU is being looked for; computing on the %1.").arg(processor);
    }
    return tr("No GPU: %1; computing on the %2.").arg(QString::fromStdString(m_info.reason), processor);
}

QString GpuLink::fault() const {
    return m_info.isFault && !m_info.available ? state() : QString();
}

}  // namespace phaseladder::ui
