#include "app/signals.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QMetaObject>

#include <atomic>
#include <chrono>
#include <thread>

namespace phaseladder::app {
namespace {

std::atomic<int> caughtSignal{0};

std::stop_source& stopSource() {
    static std::stop_source source;
    return source;
}

void waitForSignal(sigset_t signals) {
    int number = 0;
    if (sigwait(&signals, &number) != 0) {
        return;
    }
    caughtSignal = number;
    stopSource().request_stop();
    if (QCoreApplication* application = QCoreApplication::instance()) {
        // exit, not quit: quit would let a window ask about unsaved work.
        QMetaObject::invokeMethod(
            application, [] { QCoreApplication::exit(0); }, Qt::QueuedConnection);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    _exit(128 + number);
}

}  // namespace

std::stop_token watchSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals,
                    nullptr);  // every later thread inherits the mask; only the waiter takes them
    std::thread(waitForSignal, signals).detach();
    return stopSource().get_token();
}

int exitCodeAfterSignals(int code) {
    const int number = caughtSignal;
    return number == 0 ? code : 128 + number;
}

}  // namespace phaseladder::app
