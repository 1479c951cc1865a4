#pragma once

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>

#include <memory>

#include "ui/theme.h"

namespace phaseladder::ui {

/// What the window remembers between runs, in one INI file. A file that is not ours, is damaged or is from a
/// newer version is kept aside as NAME.corrupt-DATE and defaults are used; a file that can be neither used
/// nor moved is left alone. Every value is checked when it is read.
class Settings {
public:
    /// The file of this user: phaseladder.ini in the program's configuration folder.
    [[nodiscard]] static QString defaultPath();

    /// An empty path: defaults, and nothing is remembered.
    explicit Settings(const QString& path = defaultPath());

    /// One sentence about a file that was unreadable or a folder that cannot be written; empty when all is
    /// well.
    [[nodiscard]] QString problem() const { return m_problem; }

    [[nodiscard]] ThemeKind theme() const;
    void setTheme(ThemeKind theme);

    [[nodiscard]] int paneCount() const;  ///< 1, 2 or 4
    void setPaneCount(int count);

    /// Ids of known figures, one a pane.
    [[nodiscard]] QStringList paneFigures() const;
    void setPaneFigures(const QStringList& ids);

    [[nodiscard]] QString colormap() const;
    void setColormap(const QString& name);

    /// Nothing glides on screen.
    [[nodiscard]] bool reduceMotion() const;

    /// Newest first, at most ten.
    [[nodiscard]] QStringList recentFiles() const;
    void addRecentFile(const QString& path);

    [[nodiscard]] bool parameterDockShown() const;
    void setParameterDockShown(bool shown);

    /// Bytes of QWidget::saveGeometry and the like, empty when there are none or they were changed by hand.
    [[nodiscard]] QByteArray state(const QString& name) const;
    void setState(const QString& name, const QByteArray& bytes);

private:
    void setValue(const QString& key, const QVariant& value);
    void quarantine(const QString& path);

    std::unique_ptr<QSettings> m_file;  // null: nothing is remembered
    QString m_problem;
};

}  // namespace phaseladder::ui
