#include "tests/acceptance/real_input.h"

#include <QDir>
#include <QProcess>
#include <QTest>

namespace phaseladder::tests {

RealInput::RealInput(const QString& folder) : m_folder(folder) {
    QDir().mkpath(folder);
}

void RealInput::xdotool(const QStringList& arguments) {
    QProcess process;
    process.start(QStringLiteral("xdotool"), arguments);
    process.waitForFinished(10000);
    if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) {
        qFatal("xdotool %s failed", qPrintable(arguments.join(QLatin1Char(' '))));
    }
    settle(8);
}

void RealInput::moveTo(const QPoint& point) {
    xdotool({QStringLiteral("mousemove"), QString::number(point.x()), QString::number(point.y())});
}

void RealInput::press(int button) {
    xdotool({QStringLiteral("mousedown"), QString::number(button)});
}

void RealInput::release(int button) {
    xdotool({QStringLiteral("mouseup"), QString::number(button)});
}

void RealInput::click(const QPoint& point, int button) {
    moveTo(point);
    press(button);
    release(button);
    settle();
}

void RealInput::doubleClick(const QPoint& point) {
    moveTo(point);
    xdotool({QStringLiteral("click"), QStringLiteral("--repeat"), QStringLiteral("2"),
             QStringLiteral("--delay"), QStringLiteral("60"), QStringLiteral("1")});
    settle();
}

void RealInput::drag(const QPoint& from, const QPoint& to, int steps, int button) {
    moveTo(from);
    press(button);
    for (int step = 1; step <= steps; ++step) {
        moveTo(from + (to - from) * step / steps);
    }
    release(button);
    settle();
}

void RealInput::wheel(const QPoint& point, int clicks) {
    moveTo(point);
    for (int click = 0; click < qAbs(clicks); ++click) {
        xdotool({QStringLiteral("click"), clicks > 0 ? QStringLiteral("4") : QStringLiteral("5")});
    }
    settle();
}

void RealInput::key(const QString& name) {
    xdotool({QStringLiteral("key"), name});
    settle();
}

void RealInput::type(const QString& text) {
    xdotool({QStringLiteral("type"), QStringLiteral("--delay"), QStringLiteral("15"), text});
    settle();
}

void RealInput::sequence(const QList<QStringList>& commands) {
    QStringList arguments;
    for (const QStringList& command : commands) {
        arguments += command;
    }
    QProcess process;
    process.start(QStringLiteral("xdotool"), arguments);
    while (process.state() != QProcess::NotRunning) {
        settle(50);
    }
    settle(400);
}

void RealInput::screenshot(const QString& name) {
    settle(250);
    QProcess::execute(QStringLiteral("import"),
                      {QStringLiteral("-window"), QStringLiteral("root"),
                       m_folder + QLatin1Char('/') + name + QStringLiteral(".png")});
}

void RealInput::settle(int milliseconds) {
    QTest::qWait(milliseconds);
}

QPoint RealInput::centre(const QWidget* widget) {
    return widget->mapToGlobal(widget->rect().center());
}

}  // namespace phaseladder::tests
