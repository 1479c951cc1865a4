#include <QApplication>
#include <QFile>
#include <QGuiApplication>

#include <memory>

#include <fmt/format.h>

#include "app/command_line.h"
#include "app/signals.h"
#include "core/engine.h"
#include "gpu/gpu_backend.h"
#include "ui/document.h"
#include "ui/main_window.h"
#include "ui/window_layout.h"

namespace phaseladder::app {
namespace {

/// A file that cannot be opened is refused before a window is made, with or without a display.
Result<void> checkFile(const QString& file) {
    ui::SceneDocument document;
    const QString refusal = document.open(file);
    if (!refusal.isEmpty()) {
        return fail(ErrorKind::invalidInput, refusal.toStdString());
    }
    return {};
}

/// Lets Qt look for a display, and fall back to none instead of ending the process.
void choosePlatform() {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM",
                qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ? "wayland;xcb;offscreen" : "xcb;offscreen");
        qputenv("QT_LOGGING_RULES", "qt.qpa.xcb*=false;qt.qpa.wayland*=false;qt.qpa.plugin*=false");
    }
}

}  // namespace

int runWindow(const QString& file, int& argc, char** argv) {
    if (!file.isEmpty()) {
        const Result<void> readable = checkFile(file);
        if (!readable) {
            return report(readable.error());
        }
    }
    const bool displayIsGiven = qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
    choosePlatform();
    watchSignals();
    const QApplication application(argc, argv);
    if (!displayIsGiven && QGuiApplication::platformName() == QStringLiteral("offscreen")) {
        return report({ErrorKind::failed,
                       "The window needs a display and none was found (DISPLAY and WAYLAND_DISPLAY); "
                       "figure, list and benchmark work without one."});
    }
    ui::MainWindow window(std::make_unique<Engine>());
    window.useGpu([](const QString& command) {
        return gpu::makeGpuBackend({.command = command, .looksInBackground = true});
    });
    window.parts()->resizeToStartup();
    window.show();
    if (!file.isEmpty()) {
        window.openFile(file);
    }
    if (qEnvironmentVariableIsSet("PHASELADDER_QUIT_AFTER_PAINT")) {  // how `benchmark` times the start
        return window.waitForPainted(10000) ? exitDone : exitFailed;
    }
    return QApplication::exec();
}

}  // namespace phaseladder::app
