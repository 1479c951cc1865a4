#include <QDirIterator>
#include <QTest>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "core/parameter.h"
#include "tests/fuzz/inputs.h"

using phaseladder::tests::FuzzedInput;
using phaseladder::tests::fuzzedInputs;

namespace {

const QString sourceFolder = QStringLiteral(PHASELADDER_SOURCE_DIR);

std::string bytesOf(const QString& path) {
    std::ifstream file(path.toStdString(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Reads an input; fails with the reason where the reader breaks its word.
void readInput(const FuzzedInput& input, std::string_view bytes) {
    try {
        input.read(bytes);
    } catch (const std::logic_error& broken) {
        QFAIL(broken.what());
    }
}

}  // namespace

class CorpusTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everySeedAndEveryFindingIsReadOrRefused_data();
    void everySeedAndEveryFindingIsReadOrRefused();
    void everyReaderTakesEveryKindOfFile();
    void everyPieceOfASeedIsReadOrRefused();
    void everyParameterAtItsLimitsComesBackFromAScene();
};

void CorpusTest::everySeedAndEveryFindingIsReadOrRefused_data() {
    QTest::addColumn<int>("input");
    QTest::addColumn<QString>("path");
    int index = 0;
    for (const FuzzedInput& input : fuzzedInputs()) {
        const QString name = QString::fromUtf8(input.name.data(), qsizetype(input.name.size()));
        int files = 0;
        for (const QString& folder :
             {QStringLiteral("/tests/fuzz/corpus/") + name, QStringLiteral("/tests/golden/tables")}) {
            QDirIterator found(sourceFolder + folder, QDir::Files);
            while (found.hasNext()) {
                const QString path = found.next();
                QTest::addRow("%s %s", qPrintable(name), qPrintable(found.fileName())) << index << path;
                files += folder.contains(name) ? 1 : 0;
            }
        }
        QVERIFY2(files >= 5, qPrintable(name + QStringLiteral(" has too few seeds")));
        ++index;
    }
}

void CorpusTest::everySeedAndEveryFindingIsReadOrRefused() {
    QFETCH(int, input);
    QFETCH(QString, path);
    const std::string bytes = bytesOf(path);
    QVERIFY(!bytes.empty());
    readInput(fuzzedInputs()[std::size_t(input)], bytes);
}

void CorpusTest::everyReaderTakesEveryKindOfFile() {
    QDirIterator found(sourceFolder + QStringLiteral("/tests/fuzz/corpus"), QDir::Files,
                       QDirIterator::Subdirectories);
    while (found.hasNext()) {
        const std::string bytes = bytesOf(found.next());
        for (const FuzzedInput& input : fuzzedInputs()) {
            readInput(input, bytes);
        }
    }
}

void CorpusTest::everyPieceOfASeedIsReadOrRefused() {
    for (const FuzzedInput& input : fuzzedInputs()) {
        const QString name = QString::fromUtf8(input.name.data(), qsizetype(input.name.size()));
        QDirIterator found(sourceFolder + QStringLiteral("/tests/fuzz/corpus/") + name, QDir::Files);
        while (found.hasNext()) {
            const std::string bytes = bytesOf(found.next());
            const std::size_t step = bytes.size() / 100 + 1;
            for (std::size_t end = 0; end < bytes.size(); end += step) {
                readInput(input, std::string_view(bytes).substr(0, end));
            }
        }
    }
}

void CorpusTest::everyParameterAtItsLimitsComesBackFromAScene() {
    for (const phaseladder::Parameter& row : phaseladder::parameters()) {
        for (const double limit : {row.hardMinimum, row.hardMaximum}) {
            readInput(fuzzedInputs().back(),
                      fmt::format("{{\"phaseladder\": 1, \"{}\": {}}}", row.id, limit));
        }
    }
}

QTEST_GUILESS_MAIN(CorpusTest)
#include "corpus_test.moc"
