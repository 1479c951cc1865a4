#pragma once

#include <QPoint>
#include <QRect>
#include <QString>
#include <QStringList>
#include <QWidget>

namespace phaseladder::tests {

/// Real mouse and keys through the X server (xdotool), and screenshots of the whole screen (ImageMagick's
/// import).
class RealInput {
public:
    /// Screenshots go into `folder`, which is made.
    explicit RealInput(const QString& folder);

    void moveTo(const QPoint& screenPoint);
    void press(int button = 1);
    void release(int button = 1);
    void click(const QPoint& screenPoint, int button = 1);
    void doubleClick(const QPoint& screenPoint);
    /// Press at `from`, move in `steps` small moves, release at `to`.
    void drag(const QPoint& from, const QPoint& to, int steps = 20, int button = 1);
    void wheel(const QPoint& screenPoint, int clicks);  ///< above 0: up
    void key(const QString& name);                      ///< xdotool's names: "ctrl+z", "Right", "shift+Right"
    void type(const QString& text);
    /// Several xdotool commands in one go, for what opens a modal dialog; returns when all are done.
    void sequence(const QList<QStringList>& commands);
    void screenshot(const QString& name);

    /// Lets the program's own event loop run.
    static void settle(int milliseconds = 120);
    static QPoint centre(const QWidget* widget);

private:
    static void xdotool(const QStringList& arguments);
    QString m_folder;
};

}  // namespace phaseladder::tests
