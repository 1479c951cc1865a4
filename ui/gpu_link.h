#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <memory>

#include "core/attention/backend.h"

namespace phaseladder::ui {

class ComputeController;
class Settings;
class StatusLine;

/// Makes the GPU of a helper command; an empty command is the bundled helper. The window knows nothing of how
/// it is reached.
using GpuFactory = std::function<std::unique_ptr<Backend>(const QString& command)>;

/// The GPU as the window has it: made from the setting, told of in the status line, looked for again.
class GpuLink : public QObject {
    Q_OBJECT

public:
    GpuLink(ComputeController* controller, StatusLine* statusLine, Settings* settings,
            QObject* parent = nullptr);

    /// From now on there is a GPU, of the setting's command.
    void setFactory(GpuFactory factory);
    /// Remembers a helper command and takes it on at once: pictures that are shown stay.
    void setCommand(const QString& command);

    /// How it is, in one sentence; empty: this program has none.
    [[nodiscard]] QString state() const;
    /// What went wrong with it, as long as it is away for that; empty: nothing.
    [[nodiscard]] QString fault() const;

Q_SIGNALS:
    void changed();

private:
    void setInfo(const BackendInfo& info);

    ComputeController* m_controller;
    StatusLine* m_statusLine;
    Settings* m_settings;
    GpuFactory m_factory;
    BackendInfo m_info;  // without an id: none
};

}  // namespace phaseladder::ui
