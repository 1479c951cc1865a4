#pragma once

#include <QByteArray>
#include <QHash>
#include <QMap>
#include <QPointF>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <memory>

#include "ui/controls/slider_change.h"
#include "ui/own_defaults.h"
#include "ui/theme.h"

namespace phaseladder::ui {

/// The choices by the names that settings and controls give them: system, light, dark; and for "reduce
/// motion" system, on, off. An unknown name means the system's.
[[nodiscard]] QString themeId(ThemeChoice theme);
[[nodiscard]] ThemeChoice themeChoice(const QString& id);
[[nodiscard]] QString motionId(MotionChoice motion);
[[nodiscard]] MotionChoice motionChoice(const QString& id);

/// What the window remembers between runs, in one INI file. A file that is not ours, is damaged or is from a
/// newer version is kept aside as NAME.corrupt-DATE and defaults are used; a file that can be neither used
/// nor moved is left alone. Every value is checked when it is read.
class Settings {
public:
    /// The file of this user: phaseladder.ini in the program's configuration folder.
    [[nodiscard]] static QString defaultPath();

    /// An empty path: defaults, and what is set is forgotten at the end.
    explicit Settings(const QString& path = defaultPath());

    /// One sentence about a file that was unreadable or a folder that cannot be written; empty when all is
    /// well.
    [[nodiscard]] QString problem() const { return m_problem; }

    [[nodiscard]] ThemeChoice theme() const;
    void setTheme(ThemeChoice theme);

    /// Whether animations are wanted ("reduceMotion": system, on or off).
    [[nodiscard]] MotionChoice motion() const;
    void setMotion(MotionChoice motion);

    /// The command of the GPU helper, for example "ssh host phaseladder-gpu"; empty: the bundled one.
    [[nodiscard]] QString helperCommand() const;
    void setHelperCommand(const QString& command);

    /// The keys that the person gave to commands: id of the command to its keys as
    /// QKeySequence::listToString writes them; an empty text is no keys. Whether a command of that id exists
    /// and the keys are free is for Shortcuts to check.
    [[nodiscard]] QMap<QString, QString> shortcuts() const;
    void setShortcuts(const QMap<QString, QString>& keys);

    [[nodiscard]] int paneCount() const;  ///< 1, 2 or 4
    void setPaneCount(int count);

    /// Ids of known figures, one a pane.
    [[nodiscard]] QStringList paneFigures() const;
    void setPaneFigures(const QStringList& ids);

    /// The pane that was used last: with one pane shown it is the one.
    [[nodiscard]] int currentPane() const;
    void setCurrentPane(int pane);

    /// The shares of the first column and of the first row in the grid of panes, from 0.1 to 0.9.
    [[nodiscard]] QPointF paneShares() const;
    void setPaneShares(const QPointF& shares);

    [[nodiscard]] QString colormap() const;
    void setColormap(const QString& name);

    /// Newest first, at most ten.
    [[nodiscard]] QStringList recentFiles() const;
    void addRecentFile(const QString& path);

    [[nodiscard]] bool parameterDockShown() const;
    void setParameterDockShown(bool shown);

    /// The person's own defaults, one a parameter.
    [[nodiscard]] OwnDefaults::Values ownDefaults() const;
    void setOwnDefaults(const OwnDefaults::Values& values);

    /// What the person changed of a parameter's slider; empty when it is the table's own.
    [[nodiscard]] SliderChange slider(const Parameter& row) const;
    void setSlider(const Parameter& row, const SliderChange& change);

    /// Groups of the parameter panel whose rarely used rows are unfolded.
    [[nodiscard]] QStringList unfoldedGroups() const;
    void setUnfoldedGroups(const QStringList& groups);

    /// Whether the explanation of the encoding is unfolded.
    [[nodiscard]] bool encodingExplained() const;
    void setEncodingExplained(bool explained);

    /// Bytes of QWidget::saveGeometry and the like, empty when there are none or they were changed by hand.
    [[nodiscard]] QByteArray state(const QString& name) const;
    void setState(const QString& name, const QByteArray& bytes);

private:
    [[nodiscard]] QVariant value(const QString& key, const QVariant& ifMissing = {}) const;
    void setValue(const QString& key, const QVariant& value);
    void remove(const QString& key);
    void quarantine(const QString& path);

    std::unique_ptr<QSettings> m_file;  // null: values are kept in memory only
    QHash<QString, QVariant> m_memory;
    QString m_problem;
};

}  // namespace phaseladder::ui
