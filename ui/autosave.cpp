#include "ui/autosave.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "core/import/read_file.h"
#include "core/scene_json.h"
#include "ui/document.h"
#include "ui/figure/figure_files.h"

namespace phaseladder::ui {
namespace {

constexpr int intervalMilliseconds = 10000;
constexpr std::size_t maximumSceneBytes = 16u << 20;

QString lockName(const QString& file) {
    return file + QStringLiteral(".lock");
}

}  // namespace

QString Autosave::defaultFolder() {
    const QString state =
        qEnvironmentVariable("XDG_STATE_HOME", QDir::homePath() + QStringLiteral("/.local/state"));
    return state + QStringLiteral("/phaseladder");
}

Autosave::Autosave(SceneDocument* document, const QString& folder, QObject* parent)
    : QObject(parent), m_document(document), m_folder(folder) {
    QDir().mkpath(folder);
    m_file = QStringLiteral("%1/unsaved-%2.pldr").arg(folder).arg(QCoreApplication::applicationPid());
    m_lock = std::make_unique<QLockFile>(lockName(m_file));
    m_lock->setStaleLockTime(0);
    m_lock->tryLock(0);
    m_timer.setInterval(intervalMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::save);
    m_timer.start();
}

void Autosave::save() {
    if (!m_document->isModified()) {
        discard();
        return;
    }
    if (m_kept == m_document->scene() && QFile::exists(m_file)) {
        return;
    }
    // A folder that cannot be written costs the safety net, never the work.
    if (writeFileSafely(m_file, QByteArray::fromStdString(writeScene(m_document->scene())))) {
        m_kept = m_document->scene();
    }
}

void Autosave::discard() {
    m_kept.reset();
    QFile::remove(m_file);
}

QString Autosave::lostFile() const {
    const QStringList files =
        QDir(m_folder).entryList({QStringLiteral("unsaved-*.pldr")}, QDir::Files, QDir::Time);
    for (const QString& name : files) {
        const QString file = m_folder + QLatin1Char('/') + name;
        QLockFile lock(lockName(file));
        lock.setStaleLockTime(0);
        if (file != m_file && lock.tryLock(0)) {  // false while its program runs
            return file;
        }
    }
    return {};
}

QString Autosave::restore(const QString& file) {
    const Result<std::string> text = readFile(QFile::encodeName(file).toStdString(), maximumSceneBytes);
    const Result<SceneFile> lost = text ? readScene(*text) : tl::unexpected(text.error());
    if (!lost) {
        return QString::fromStdString(lost.error().message);
    }
    m_document->replaceScene(lost->scene, tr("Restore unsaved work"), true);
    QFile::remove(file);
    return {};
}

}  // namespace phaseladder::ui
