#include "ui/settings.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QObject>
#include <QStandardPaths>

#include <optional>

#include "core/figures/figure_list.h"
#include "ui/figure/figure_style.h"

namespace phaseladder::ui {
namespace {

constexpr int settingsVersion = 1;
constexpr qint64 maximumSettingsBytes = 1 << 20;
constexpr int maximumRecentFiles = 10;

const QString versionKey = QStringLiteral("phaseladder/version");

bool isPlainText(const QByteArray& bytes) {
    for (const char byte : bytes) {
        if (static_cast<unsigned char>(byte) < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') {
            return false;
        }
    }
    return true;
}

/// Whether the file is one that this program wrote and this version understands.
bool isUsable(const QString& path) {
    QFile file(path);
    if (!QFileInfo(path).isFile() || file.size() > maximumSettingsBytes || !file.open(QIODevice::ReadOnly) ||
        !isPlainText(file.readAll())) {
        return false;
    }
    const QSettings settings(path, QSettings::IniFormat);
    bool isNumber = false;
    const int version = settings.value(versionKey).toInt(&isNumber);
    return settings.status() == QSettings::NoError && isNumber && version >= 1 && version <= settingsVersion;
}

/// Why a file cannot be written, or nothing. Leaves no file behind.
std::optional<QString> writeRefusal(const QString& path) {
    const QString folder = QFileInfo(path).absolutePath();
    QDir().mkpath(folder);
    QFile probe(folder + QStringLiteral("/.phaseladder-probe"));
    if (!probe.open(QIODevice::WriteOnly)) {
        return probe.errorString();
    }
    probe.remove();
    return std::nullopt;
}

}  // namespace

QString Settings::defaultPath() {
    return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) +
           QStringLiteral("/phaseladder.ini");
}

Settings::Settings(const QString& path) {
    if (path.isEmpty()) {
        return;
    }
    const std::optional<QString> refusal = writeRefusal(path);
    if (refusal) {
        m_problem = QObject::tr("Settings cannot be saved: %1 (%2).").arg(*refusal, path);
        if (!isUsable(path)) {
            return;
        }
    } else if ((QFileInfo::exists(path) || QFileInfo(path).isSymLink()) && !isUsable(path)) {
        quarantine(path);
        if (QFileInfo::exists(path)) {
            return;
        }
    }
    m_file = std::make_unique<QSettings>(path, QSettings::IniFormat);
    setValue(versionKey, settingsVersion);
}

void Settings::quarantine(const QString& path) {
    const QString date = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss"));
    QString kept = path + QStringLiteral(".corrupt-") + date;
    for (int number = 2; QFileInfo::exists(kept); ++number) {
        kept = path + QStringLiteral(".corrupt-%1-%2").arg(date).arg(number);
    }
    m_problem =
        QFile::rename(path, kept)
            ? QObject::tr("Settings were unreadable; kept as %1; defaults used.").arg(kept)
            : QObject::tr("Settings were unreadable and are left as they are: %1; defaults used.").arg(path);
}

void Settings::setValue(const QString& key, const QVariant& value) {
    if (m_file && m_file->value(key) != value) {
        m_file->setValue(key, value);
    }
}

ThemeKind Settings::theme() const {
    return m_file && m_file->value(QStringLiteral("window/theme")).toString() == QStringLiteral("dark")
               ? ThemeKind::dark
               : ThemeKind::light;
}

void Settings::setTheme(ThemeKind theme) {
    setValue(QStringLiteral("window/theme"),
             theme == ThemeKind::dark ? QStringLiteral("dark") : QStringLiteral("light"));
}

int Settings::paneCount() const {
    const int count = m_file ? m_file->value(QStringLiteral("window/panes")).toInt() : 0;
    return count == 1 || count == 2 ? count : 4;
}

void Settings::setPaneCount(int count) {
    setValue(QStringLiteral("window/panes"), count);
}

QStringList Settings::paneFigures() const {
    QStringList ids{QStringLiteral("ladder"), QStringLiteral("attention"), QStringLiteral("phases"),
                    QStringLiteral("ramp")};
    const QStringList remembered =
        m_file ? m_file->value(QStringLiteral("window/figures")).toStringList() : QStringList();
    for (qsizetype pane = 0; pane < ids.size() && pane < remembered.size(); ++pane) {
        if (findFigure(remembered[pane].toStdString()) != nullptr) {
            ids[pane] = remembered[pane];
        }
    }
    return ids;
}

void Settings::setPaneFigures(const QStringList& ids) {
    setValue(QStringLiteral("window/figures"), ids);
}

QString Settings::colormap() const {
    const QString name = m_file ? m_file->value(QStringLiteral("window/colormap")).toString() : QString();
    return isColormap(name) ? name : QStringLiteral("viridis");
}

void Settings::setColormap(const QString& name) {
    setValue(QStringLiteral("window/colormap"), name);
}

bool Settings::reduceMotion() const {
    return m_file && m_file->value(QStringLiteral("window/reduceMotion")).toBool();
}

QStringList Settings::recentFiles() const {
    return m_file ? m_file->value(QStringLiteral("files/recent")).toStringList().mid(0, maximumRecentFiles)
                  : QStringList();
}

void Settings::addRecentFile(const QString& path) {
    QStringList files = recentFiles();
    files.removeAll(path);
    files.prepend(path);
    setValue(QStringLiteral("files/recent"), files.mid(0, maximumRecentFiles));
}

bool Settings::parameterDockShown() const {
    return !m_file || m_file->value(QStringLiteral("window/parameters"), true).toBool();
}

void Settings::setParameterDockShown(bool shown) {
    setValue(QStringLiteral("window/parameters"), shown);
}

QByteArray Settings::state(const QString& name) const {
    const QStringList parts =
        m_file ? m_file->value(QStringLiteral("state/") + name).toStringList() : QStringList();
    if (parts.size() != 2) {
        return {};
    }
    const QByteArray bytes = QByteArray::fromBase64(parts[0].toLatin1());
    return QString::number(qChecksum(bytes)) == parts[1] ? bytes : QByteArray();
}

void Settings::setState(const QString& name, const QByteArray& bytes) {
    setValue(QStringLiteral("state/") + name,
             QStringList{QString::fromLatin1(bytes.toBase64()), QString::number(qChecksum(bytes))});
}

}  // namespace phaseladder::ui
