#include "core/encodings/learned.h"

#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include <QTemporaryDir>
#include <QTest>

#include "core/attention/problem.h"
#include "core/parameter.h"
#include "core/random.h"
#include "tests/core/figure_test_parts.h"

using phaseladder::applySettings;
using phaseladder::CellState;
using phaseladder::EncodingPlan;
using phaseladder::Figure;
using phaseladder::findEncoding;
using phaseladder::Heatmap;
using phaseladder::LearnedTable;
using phaseladder::learnedTable;
using phaseladder::makePlan;
using phaseladder::Scene;
using phaseladder::sceneNotes;
using phaseladder::validate;
using phaseladder::test::figureOf;
using phaseladder::test::layersOf;
using phaseladder::test::readoutNumber;

namespace {

/// A .npy (version 1) of float32 (or of zeros in float64), written by hand.
std::string npyOf(int rows, int columns, const std::string& type = "<f4") {
    std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" +
                         std::to_string(rows) + ", " + std::to_string(columns) + "), }";
    header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
    header += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() % 256);
    bytes += static_cast<char>(header.size() / 256);
    bytes += header;
    if (type == "<f8") {
        return bytes.append(static_cast<std::size_t>(rows * columns) * sizeof(double), '\0');
    }
    for (int at = 0; at < rows * columns; ++at) {
        const auto value = static_cast<float>(at) / 8.0F;
        char raw[sizeof value];
        std::memcpy(raw, &value, sizeof value);
        bytes.append(raw, sizeof value);
    }
    return bytes;
}

Scene learnedScene() {
    Scene scene;
    scene.encoding = "learned";
    scene.headDim = 4;
    return scene;
}

}  // namespace

class LearnedTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void robertaUses512OfIts514Rows() {
        // Case I05: rows 2 .. 513.
        Scene scene = learnedScene();
        scene.learned.rows = 514;
        scene.learned.offset = 2;
        scene.textLength = 514;
        const LearnedTable table = learnedTable(scene, 514).value();
        QCOMPARE(table.tableRows, std::int64_t{514});
        QCOMPARE(table.usable, std::int64_t{512});
        QCOMPARE(table.rows.size(), std::size_t{512 * 4});
        const EncodingPlan plan = makePlan(scene, 514).value();
        QCOMPARE(plan.definedTokens.value(), std::int64_t{512});
        QVERIFY(sceneNotes(scene).warnings.front().sentence.find("Positions 512 .. 513 have no row") !=
                std::string::npos);
        const Figure map = figureOf(scene, "attention");
        QVERIFY(map.warnings.size() >= 1);
    }

    void offsetMovesTheRows() {
        Scene scene = learnedScene();
        const std::vector<double> plain = learnedTable(scene, 5)->rows;
        scene.learned.offset = 2;
        const std::vector<double> moved = learnedTable(scene, 3)->rows;
        QVERIFY(std::equal(moved.begin(), moved.end(), plain.begin() + 2 * 4, plain.end()));
        scene.learned.rows = 2;
        QVERIFY(validate(scene).error().message.find("learned.offset must be below learned.rows 2 (got 2)") !=
                std::string::npos);
    }

    void longerTableBeginsAsAShorterOne() {
        Scene scene = learnedScene();
        scene.learned.rows = 3;
        const std::vector<double> three = learnedTable(scene, 9)->rows;
        scene.learned.rows = 9;
        const std::vector<double> nine = learnedTable(scene, 9)->rows;
        QCOMPARE(three.size(), std::size_t{12});
        QVERIFY(std::equal(three.begin(), three.end(), nine.begin()));
    }

    void rowsPastTheTableAreHatchedNotZero() {
        Scene scene = learnedScene();
        scene.learned.rows = 20;
        scene.view.positions = 64;
        const Figure figure = figureOf(scene, "encoding");
        const Heatmap map = layersOf<Heatmap>(figure.panels.front()).front();
        QCOMPARE(map.rows, std::int64_t{64});
        for (std::int64_t row = 0; row < 64; ++row) {
            const auto cell = static_cast<std::size_t>(row * 4);
            QVERIFY((map.states[cell] == CellState::undefined) == (row >= 20));
            QVERIFY(std::isnan(figure.matrix->values[cell]) == (row >= 20));
        }
        QCOMPARE(readoutNumber(figure, "usable_positions"), 20.0);
    }

    void undefinedTokensSeeNothingAndAreNotSeen() {
        Scene scene = learnedScene();
        scene.tokens = {"a", "b", "c", "d"};
        scene.learned.rows = 2;
        const Figure figure = figureOf(scene, "attention");
        const Heatmap map = layersOf<Heatmap>(figure.panels.front()).front();
        for (int row = 0; row < 4; ++row) {
            for (int column = 0; column < 4; ++column) {
                const auto cell = static_cast<std::size_t>(4 * row + column);
                QVERIFY((map.states[cell] == CellState::noKeys) == (row > 1));
                QVERIFY((map.states[cell] == CellState::undefined) == (row <= 1 && column > 1));
            }
        }
        QVERIFY(std::abs(figure.matrix->values[0] + figure.matrix->values[1] - 1.0) < 1e-12);
    }

    void numbersThatOverflowAreRefusedInEveryFigure() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("huge.npy")).toStdString();
        std::string bytes = npyOf(6, 4, "<f8");
        const double bad[] = {1e200, std::numeric_limits<double>::quiet_NaN()};
        const char* sentences[] = {"numbers up to ±1e+100 (got 1e+200 in row 3, column 2)",
                                   "must be finite (got nan in row 3, column 2)"};
        for (int index = 0; index < 2; ++index) {
            std::memcpy(bytes.data() + bytes.size() - (6 * 4 - 14) * sizeof(double), &bad[index],
                        sizeof(double));
            std::filesystem::remove(path);
            std::ofstream(path, std::ios::binary) << bytes;
            std::filesystem::last_write_time(
                path, std::filesystem::file_time_type::clock::now() + std::chrono::hours(index));
            Scene scene = learnedScene();
            scene.learned.table = path;
            phaseladder::Engine engine;
            for (const phaseladder::FigureKind& kind : phaseladder::figureKinds()) {
                phaseladder::FigureRequest request;
                request.id = kind.id;
                const auto figure = engine.figure(scene, request);
                const std::string said = figure ? figure->emptyState : figure.error().message;
                // Only a figure of scalings has nothing to do with the table.
                QVERIFY2(said.find(sentences[index]) != std::string::npos || kind.id == "ramp",
                         (kind.id + ": " + said).c_str());
            }
        }
    }

    void whatAFileLeavesAsideIsSaid() {
        Scene scene = learnedScene();
        const auto said = [&scene] {
            std::string all;
            for (const std::string& sentence : sentencesOf(sceneNotes(scene).notes)) {
                all += sentence + "\n";
            }
            return all;
        };
        QCOMPARE(said(), std::string());
        scene.learned.table = "/tables/wpe.npy";
        QCOMPARE(said(), std::string());
        scene.learned.rows = 1024;
        scene.learned.tensor = "wpe.weight";
        QVERIFY(said().find("learned.rows 1024 is not read: the file brings its own rows.") !=
                std::string::npos);
        QVERIFY(said().find("learned.tensor 'wpe.weight' is not read: a .npy file holds one table.") !=
                std::string::npos);
        scene.learned.table = "/tables/model.safetensors";
        QVERIFY(said().find("learned.tensor") == std::string::npos);
        scene.learned.table.clear();
        QVERIFY(said().find("the table is seeded") != std::string::npos);
        QVERIFY(said().find("learned.rows") == std::string::npos);
    }

    void theEndOfTheTableIsSaidOnce() {
        Scene scene = learnedScene();
        scene.learned.rows = 20;
        scene.view.positions = 64;
        QCOMPARE(figureOf(scene, "encoding").warnings.size(), std::size_t{1});
        scene.textLength = 30;
        QCOMPARE(figureOf(scene, "encoding").warnings.size(), std::size_t{1});
    }

    void fileIsTheTable() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("wpe.npy")).toStdString();
        std::ofstream(path, std::ios::binary) << npyOf(6, 4);
        Scene scene = learnedScene();
        scene.learned.table = path;
        scene.learned.offset = 2;
        const LearnedTable table = learnedTable(scene, 100).value();
        QCOMPARE(table.usable, std::int64_t{4});
        QCOMPARE(table.rows.front(), 1.0);  // row 2, first number: 8 / 8
        QVERIFY(findEncoding("learned")->numbers(scene).find("6 rows of 4 numbers, first used row 2") == 0);
        scene.headDim = 8;
        const auto wide = learnedTable(scene, 3);
        QVERIFY(!wide && wide.error().message.find("6 × 4 numbers and head_dim is 8: set head_dim to 4") !=
                             std::string::npos);
        scene.headDim = 4;
        scene.learned.offset = 6;
        QVERIFY(learnedTable(scene, 3).error().message.find("below the table's 6 rows (got 6)") !=
                std::string::npos);
        QVERIFY(learnedTable(scene, 3).error().message.find("wpe.npy") != std::string::npos);
        QVERIFY(wide.error().message.find("wpe.npy") != std::string::npos);
        scene.learned.table = folder.filePath(QStringLiteral("absent.npy")).toStdString();
        QVERIFY(!makePlan(scene, 3).has_value());
    }
};

QTEST_GUILESS_MAIN(LearnedTest)
#include "learned_test.moc"
