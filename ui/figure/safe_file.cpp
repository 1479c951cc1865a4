#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QStorageInfo>

#include "ui/figure/figure_files.h"

namespace phaseladder::ui {

namespace {

tl::unexpected<Error> notWritten(const QString& sentence) {
    return fail(ErrorKind::notWritten, sentence.toStdString());
}

/// The file that a name leads to through symbolic links; a link to nothing leads to where its target would
/// be.
QString targetOf(const QString& path) {
    constexpr int mostLinks = 40;
    QString target = path;
    for (int link = 0; link < mostLinks && QFileInfo(target).isSymLink(); ++link) {
        target = QFileInfo(target).symLinkTarget();
    }
    return target;
}

/// "permission denied" of "Permission denied".
QString reasonOf(const QSaveFile& file) {
    QString reason = file.errorString();
    reason.replace(0, 1, reason.left(1).toLower());
    return reason;
}

QString mebibytes(double bytes) {
    return QString::number(bytes / (1024.0 * 1024.0), 'f', bytes < 10.0 * 1024.0 * 1024.0 ? 2 : 0);
}

}  // namespace

Result<void> writeFileSafely(const QString& path, const QByteArray& bytes) {
    const QString target = targetOf(path);
    const QFileInfo info(target);
    const QString folder = QDir::toNativeSeparators(info.absolutePath());
    const QString name = info.fileName();
    if (info.isDir()) {
        return notWritten(QStringLiteral("Cannot write %1: it is a folder.").arg(target));
    }
    if (info.exists() && !info.isFile()) {
        return notWritten(QStringLiteral("Cannot write %1: it is not a regular file.").arg(target));
    }
    if (!QFileInfo(info.absolutePath()).isDir()) {
        return notWritten(
            QStringLiteral("Cannot write in %1 (no such folder). Choose another folder.").arg(folder));
    }
    QSaveFile file(target);
    if (!file.open(QIODevice::WriteOnly)) {
        return notWritten(
            QStringLiteral("Cannot write in %1 (%2). Choose another folder.").arg(folder, reasonOf(file)));
    }
    if (file.write(bytes) == bytes.size() && file.commit()) {
        return {};
    }
    const QString kept = info.exists() ? QStringLiteral(" %1 is unchanged.").arg(name) : QString();
    const QString reason = reasonOf(file);
    file.cancelWriting();
    file.commit();  // removes what was written, so that it does not count as used
    const double free = static_cast<double>(QStorageInfo(info.absolutePath()).bytesAvailable());
    if (free >= 0.0 && free < static_cast<double>(bytes.size())) {
        return notWritten(
            QStringLiteral("Disk full: %1 needs %2 MiB, %3 MiB free in %4.%5")
                .arg(name, mebibytes(static_cast<double>(bytes.size())), mebibytes(free), folder, kept));
    }
    return notWritten(QStringLiteral("Cannot write %1 (%2).%3").arg(target, reason, kept));
}

}  // namespace phaseladder::ui
