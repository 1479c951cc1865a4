#pragma once

#include <QFile>
#include <QHash>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStringList>
#include <QTemporaryDir>

#include <cstddef>
#include <cstring>

namespace phaseladder::app::test {

struct Outcome {
    int code = -1;
    QByteArray output;
    QByteArray errors;
};

struct NpyMatrix {
    QList<int> shape;
    QList<double> values;
    bool isSingle = false;
};

/// A reader of its own for little-endian float64 and float32 NPY files in C order.
inline NpyMatrix readNpy(const QByteArray& bytes) {
    NpyMatrix matrix;
    const qsizetype headerSize = uchar(bytes[8]) + 256 * uchar(bytes[9]);
    const QByteArray header = bytes.mid(10, headerSize);
    const qsizetype open = header.indexOf('(');
    for (const QByteArray& part : header.mid(open + 1, header.indexOf(')') - open - 1).split(',')) {
        if (!part.trimmed().isEmpty()) {
            matrix.shape.append(part.trimmed().toInt());
        }
    }
    const QByteArray data = bytes.mid(10 + headerSize);
    matrix.isSingle = header.contains("'<f4'");
    if (matrix.isSingle) {
        QList<float> singles(data.size() / 4);
        std::memcpy(singles.data(), data.constData(), std::size_t(data.size()));
        matrix.values = QList<double>(singles.begin(), singles.end());
    } else {
        matrix.values.resize(data.size() / 8);
        std::memcpy(matrix.values.data(), data.constData(), std::size_t(data.size()));
    }
    return matrix;
}

/// Columns of a CSV by name.
inline QHash<QString, QStringList> readCsv(const QByteArray& text) {
    QHash<QString, QStringList> columns;
    const QStringList lines = QString::fromUtf8(text).trimmed().split(QLatin1Char('\n'));
    const QStringList names = lines.first().split(QLatin1Char(','));
    for (const QString& line : lines.mid(1)) {
        const QStringList cells = line.split(QLatin1Char(','));
        for (qsizetype column = 0; column < names.size(); ++column) {
            columns[names[column]].append(cells.value(column));
        }
    }
    return columns;
}

/// Runs the program without a display; its files lie in a folder of their own.
struct CommandLineFixture {
    QTemporaryDir m_folder;

    static Outcome run(const QStringList& arguments) {
        return runProgram(QStringLiteral(PHASELADDER_PROGRAM), arguments);
    }

    /// A line of shell, in which $P is the program.
    static Outcome runShell(const QString& line) {
        return runProgram(QStringLiteral("/bin/sh"),
                          {QStringLiteral("-c"), QStringLiteral("P='" PHASELADDER_PROGRAM "'; ") + line});
    }

    static Outcome runProgram(const QString& program, const QStringList& arguments) {
        QProcess process;
        QProcessEnvironment noDisplay = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR"}) {
            noDisplay.remove(QLatin1String(name));
        }
        process.setProcessEnvironment(noDisplay);
        process.start(program, arguments);
        process.waitForFinished(60000);
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
                process.readAllStandardOutput(), process.readAllStandardError()};
    }

    QString path(const QString& name) const { return m_folder.filePath(name); }

    QString write(const QString& name, const QByteArray& content) const {
        QFile file(path(name));
        file.open(QIODevice::WriteOnly);
        file.write(content);
        return file.fileName();
    }
};

}  // namespace phaseladder::app::test
