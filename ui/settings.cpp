#include "ui/settings.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QObject>
#include <QStandardPaths>

#include <algorithm>
#include <optional>

#include "core/figures/figure_list.h"
#include "ui/figure/figure_style.h"

namespace phaseladder::ui {
namespace {

constexpr int settingsVersion = 1;
constexpr qint64 maximumSettingsBytes = 1 << 20;
constexpr int maximumRecentFiles = 10;

const QString versionKey = QStringLiteral("phaseladder/version");
const QString themeKey = QStringLiteral("window/theme");
const QString motionKey = QStringLiteral("window/reduceMotion");
const QString helperKey = QStringLiteral("gpu/helper");
const QString shortcutsKey = QStringLiteral("window/shortcuts");
constexpr double leastShare = 0.1;

QString defaultKey(const Parameter& row) {
    return QStringLiteral("defaults/") + QString::fromStdString(row.id);
}

QString sliderKey(const Parameter& row) {
    return QStringLiteral("sliders/") + QString::fromStdString(row.id);
}

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

QString themeId(ThemeChoice theme) {
    return theme == ThemeChoice::dark    ? QStringLiteral("dark")
           : theme == ThemeChoice::light ? QStringLiteral("light")
                                         : QStringLiteral("system");
}

ThemeChoice themeChoice(const QString& id) {
    return id == QStringLiteral("dark")    ? ThemeChoice::dark
           : id == QStringLiteral("light") ? ThemeChoice::light
                                           : ThemeChoice::system;
}

QString motionId(MotionChoice motion) {
    return motion == MotionChoice::reduced ? QStringLiteral("on")
           : motion == MotionChoice::full  ? QStringLiteral("off")
                                           : QStringLiteral("system");
}

MotionChoice motionChoice(const QString& id) {
    return id == QStringLiteral("on")    ? MotionChoice::reduced
           : id == QStringLiteral("off") ? MotionChoice::full
                                         : MotionChoice::system;
}

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

QVariant Settings::value(const QString& key, const QVariant& ifMissing) const {
    return m_file ? m_file->value(key, ifMissing) : m_memory.value(key, ifMissing);
}

void Settings::setValue(const QString& key, const QVariant& value) {
    if (!m_file) {
        m_memory.insert(key, value);
    } else if (m_file->value(key) != value) {
        m_file->setValue(key, value);
    }
}

void Settings::remove(const QString& key) {
    if (m_file) {
        m_file->remove(key);
    } else {
        m_memory.remove(key);
    }
}

ThemeChoice Settings::theme() const {
    return themeChoice(value(themeKey).toString());
}

void Settings::setTheme(ThemeChoice theme) {
    setValue(themeKey, themeId(theme));
}

MotionChoice Settings::motion() const {
    return motionChoice(value(motionKey).toString());
}

void Settings::setMotion(MotionChoice motion) {
    setValue(motionKey, motionId(motion));
}

QString Settings::helperCommand() const {
    return value(helperKey).toString();
}

void Settings::setHelperCommand(const QString& command) {
    setValue(helperKey, command);
}

QMap<QString, QString> Settings::shortcuts() const {
    QMap<QString, QString> keys;
    for (const QString& entry : value(shortcutsKey).toStringList()) {
        const qsizetype end = entry.indexOf(QLatin1Char('='));
        if (end > 0) {
            keys.insert(entry.left(end), entry.mid(end + 1));
        }
    }
    return keys;
}

void Settings::setShortcuts(const QMap<QString, QString>& keys) {
    QStringList entries;
    for (auto entry = keys.begin(); entry != keys.end(); ++entry) {
        entries.append(entry.key() + QLatin1Char('=') + entry.value());
    }
    setValue(shortcutsKey, entries);
}

int Settings::paneCount() const {
    const int count = value(QStringLiteral("window/panes")).toInt();
    return count == 1 || count == 2 ? count : 4;
}

void Settings::setPaneCount(int count) {
    setValue(QStringLiteral("window/panes"), count);
}

QStringList Settings::paneFigures() const {
    QStringList ids{QStringLiteral("ladder"), QStringLiteral("attention"), QStringLiteral("phases"),
                    QStringLiteral("ramp")};
    const QStringList remembered = value(QStringLiteral("window/figures")).toStringList();
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

int Settings::currentPane() const {
    const int pane = value(QStringLiteral("window/currentPane")).toInt();
    return pane >= 0 && pane < 4 ? pane : 0;
}

void Settings::setCurrentPane(int pane) {
    setValue(QStringLiteral("window/currentPane"), pane);
}

QPointF Settings::paneShares() const {
    const QStringList shares = value(QStringLiteral("window/shares")).toStringList();
    const auto share = [&shares](qsizetype index) {
        const double number = index < shares.size() ? shares[index].toDouble() : 0.0;
        return number >= leastShare && number <= 1.0 - leastShare ? number : 0.5;
    };
    return {share(0), share(1)};
}

void Settings::setPaneShares(const QPointF& shares) {
    setValue(QStringLiteral("window/shares"),
             QStringList{QString::number(shares.x(), 'f', 4), QString::number(shares.y(), 'f', 4)});
}

QString Settings::colormap() const {
    const QString name = value(QStringLiteral("window/colormap")).toString();
    return isColormap(name) ? name : QStringLiteral("viridis");
}

void Settings::setColormap(const QString& name) {
    setValue(QStringLiteral("window/colormap"), name);
}

QStringList Settings::recentFiles() const {
    return value(QStringLiteral("files/recent")).toStringList().mid(0, maximumRecentFiles);
}

void Settings::addRecentFile(const QString& path) {
    QStringList files = recentFiles();
    files.removeAll(path);
    files.prepend(path);
    setValue(QStringLiteral("files/recent"), files.mid(0, maximumRecentFiles));
}

bool Settings::parameterDockShown() const {
    return value(QStringLiteral("window/parameters"), true).toBool();
}

void Settings::setParameterDockShown(bool shown) {
    setValue(QStringLiteral("window/parameters"), shown);
}

OwnDefaults::Values Settings::ownDefaults() const {
    OwnDefaults::Values values;
    for (const Parameter& row : parameters()) {
        const QVariant remembered = value(defaultKey(row));
        if (!remembered.isValid()) {
            continue;
        }
        const Result<ParameterValue> own = parseValue(row, remembered.toString().toStdString());
        if (own && checkParameter(row, *own)) {
            values.emplace_back(QString::fromStdString(row.id), *own);
        }
    }
    return values;
}

void Settings::setOwnDefaults(const OwnDefaults::Values& values) {
    for (const Parameter& row : parameters()) {
        const auto own = std::find_if(values.begin(), values.end(), [&row](const auto& entry) {
            return entry.first.toStdString() == row.id;
        });
        if (own != values.end()) {
            setValue(defaultKey(row), QString::fromStdString(formatValue(row, own->second)));
        } else {
            remove(defaultKey(row));
        }
    }
}

SliderChange Settings::slider(const Parameter& row) const {
    const SliderChange change = sliderChangeFrom(value(sliderKey(row)).toStringList());
    return refusalOf(row, change).isEmpty() ? change : SliderChange();
}

void Settings::setSlider(const Parameter& row, const SliderChange& change) {
    if (change != SliderChange()) {
        setValue(sliderKey(row), textsOf(change));
    } else {
        remove(sliderKey(row));
    }
}

QStringList Settings::unfoldedGroups() const {
    return value(QStringLiteral("window/unfolded")).toStringList();
}

void Settings::setUnfoldedGroups(const QStringList& groups) {
    setValue(QStringLiteral("window/unfolded"), groups);
}

bool Settings::encodingExplained() const {
    return value(QStringLiteral("window/encodingExplained"), true).toBool();
}

void Settings::setEncodingExplained(bool explained) {
    setValue(QStringLiteral("window/encodingExplained"), explained);
}

QByteArray Settings::state(const QString& name) const {
    const QStringList parts = value(QStringLiteral("state/") + name).toStringList();
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
