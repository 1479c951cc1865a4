#include <QTest>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/export/figure_text.h"
#include "core/scene_json.h"
#include "tests/core/figure_test_parts.h"

namespace phaseladder::test {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    for (std::size_t end = text.find(separator); end != std::string_view::npos;
         end = text.find(separator, begin)) {
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

/// Lines of a text that must end with a line end.
std::vector<std::string_view> lines(std::string_view text) {
    std::vector<std::string_view> parts = split(text, '\n');
    if (!parts.empty() && parts.back().empty()) {
        parts.pop_back();
    }
    return parts;
}

double readNumber(std::string_view text) {
    double value = std::numeric_limits<double>::quiet_NaN();
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

bool sameBits(double left, double right) {
    return std::bit_cast<std::uint64_t>(left) == std::bit_cast<std::uint64_t>(right);
}

/// Values that a careless writer loses.
Figure awkwardMatrix() {
    Figure figure;
    figure.id = "awkward";
    figure.matrix = Matrix{2,
                           3,
                           {0.1, -0.0, 5e-324, std::nextafter(1.0, 2.0), 1.7976931348623157e308,
                            -std::numeric_limits<double>::infinity()}};
    return figure;
}

}  // namespace

class FigureTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCaptionTellsModelSettingsReadoutsAndVersion() {
        Scene scene = llama2At64k();
        scene.model = "Llama 2 7B";
        const std::string caption = writeCaption(figureOf(scene, "ladder"), scene, PanelLetters::shown);
        for (const char* words :
             {"Wavelength of each frequency pair", "Starting point: Llama 2 7B.", "theta base 10,000",
              "head width 128 channels", "target length 65,536 tokens", "above the trained length: 18;",
              "Made with Phaseladder " PHASELADDER_VERSION}) {
            QVERIFY2(caption.find(words) != caption.npos, caption.c_str());
        }
        QVERIFY(caption.find('\\') == caption.npos && caption.find('$') == caption.npos);
        QCOMPARE(std::ranges::count(caption, '\n'), 1);
    }

    void aCaptionLeavesOutWhatTheFigureDoesNotShow() {
        Scene scene;
        scene.causal = true;
        scene.view.start = 5;
        const auto caption = [&](const char* id) {
            return writeCaption(figureOf(scene, id), scene, PanelLetters::hidden);
        };
        const auto holds = [](const std::string& text, const char* words) {
            return text.find(words) != text.npos;
        };
        QVERIFY(!holds(caption("ladder"), "causal mask") && holds(caption("attention"), "causal mask on"));
        QVERIFY(!holds(caption("ladder"), "first position") && holds(caption("phases"), "first position 5"));
    }

    void aCaptionNamesPanelsOnlyByTheLettersThatAreShown() {
        const Figure ramp = figureOf(Scene{}, "ramp");
        QVERIFY(writeCaption(ramp, Scene{}, PanelLetters::shown).find("(b) frequency ratio") !=
                std::string::npos);
        QVERIFY(writeCaption(ramp, Scene{}, PanelLetters::hidden).find("(b)") == std::string::npos);
        QVERIFY(writeCaption(figureOf(Scene{}, "ladder"), Scene{}, PanelLetters::shown).find("(a)") ==
                std::string::npos);
    }

    void csvOfATableReadsBackToTheSameDoubles() {
        const Figure figure = figureOf(llama2At64k(), "ladder");
        const std::string text = writeCsv(figure);
        const auto rows = lines(text);
        QCOMPARE(rows.size(), std::size_t{65});
        QCOMPARE(rows[0], std::string_view("pair,inverse_frequency,wavelength,scaled_inverse_frequency,"
                                           "scaled_wavelength,ratio,ramp,turns_in_training"));
        QVERIFY(text.ends_with('\n'));
        for (std::size_t row = 1; row < rows.size(); ++row) {
            const auto cells = split(rows[row], ',');
            QCOMPARE(cells.size(), figure.table.size());
            for (std::size_t column = 0; column < cells.size(); ++column) {
                QVERIFY(sameBits(readNumber(cells[column]), figure.table[column].values[row - 1]));
            }
        }
    }

    void csvLeavesCellsWithoutAValueEmptyAndWritesInfinity() {
        Figure figure;
        figure.table = {
            {"a", {1.0, 2.0}},
            {"b", {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}}};
        QCOMPARE(writeCsv(figure), std::string("a,b\n1,\n2,inf\n"));
    }

    void csvOfAMapIsRowColumnValue() {
        const Figure figure = awkwardMatrix();
        const std::string text = writeCsv(figure);
        const auto rows = lines(text);
        QCOMPARE(rows.size(), std::size_t{7});
        QCOMPARE(rows[0], std::string_view("row,column,value"));
        QCOMPARE(rows[6], std::string_view("1,2,-inf"));
        for (std::size_t cell = 0; cell < 6; ++cell) {
            const auto parts = split(rows[cell + 1], ',');
            QCOMPARE(readNumber(parts[0]), static_cast<double>(cell / 3));
            QCOMPARE(readNumber(parts[1]), static_cast<double>(cell % 3));
            QVERIFY(sameBits(readNumber(parts[2]), figure.matrix->values[cell]));
        }
    }

    void csvOfAnEmptyStateIsItsHeader() {
        Scene scene;
        scene.encoding = "none";
        QCOMPARE(lines(writeCsv(figureOf(scene, "ladder"))).size(), std::size_t{1});
        QCOMPARE(writeCsv(figureOf(scene, "phases")), std::string("row,column,value\n"));
    }

    void npyIsVersionOneLittleEndianAndAligned() {
        const Figure figure = awkwardMatrix();
        const std::vector<std::uint8_t> bytes = writeNpy(figure);
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        QVERIFY(text.starts_with(std::string_view("\x93NUMPY\x01\x00", 8)));
        const std::size_t length = bytes[8] + 256u * bytes[9];
        QCOMPARE((10 + length) % 64, std::size_t{0});
        const std::string_view header = text.substr(10, length);
        QVERIFY(header.starts_with("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"));
        QVERIFY(header.ends_with('\n'));
        QCOMPARE(bytes.size(), 10 + length + 6 * sizeof(double));
        for (std::size_t cell = 0; cell < 6; ++cell) {
            std::uint64_t bits = 0;
            for (std::size_t byte = 0; byte < 8; ++byte) {
                bits |= std::uint64_t{bytes[10 + length + 8 * cell + byte]} << (8 * byte);
            }
            QCOMPARE(bits, std::bit_cast<std::uint64_t>(figure.matrix->values[cell]));
        }
    }

    void npyOfATableHasItsRowsAndColumns() {
        const std::vector<std::uint8_t> bytes = writeNpy(figureOf(llama2At64k(), "ladder"));
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        QVERIFY(text.find("'shape': (64, 8)") != std::string_view::npos);
    }

    void jsonHasTheKeysOfTheContractInOrder() {
        const Scene scene = llama2At64k();
        const std::string text = writeJson(figureOf(scene, "ladder"), scene);
        const auto json = nlohmann::ordered_json::parse(text);
        std::vector<std::string> keys;
        for (const auto& [key, value] : json.items()) {
            keys.push_back(key);
        }
        const std::vector<std::string> expected{"id",    "title",    "panels", "readouts",
                                                "notes", "warnings", "scene",  "version"};
        QCOMPARE(keys, expected);
        QCOMPARE(json["version"].get<std::string>(), std::string(PHASELADDER_VERSION));
        QVERIFY(json["scene"] == nlohmann::ordered_json::parse(writeScene(scene)));
        QCOMPARE(json["readouts"][0]["id"].get<std::string>(), std::string("pairs_beyond_trained"));
        QCOMPARE(json["readouts"][0]["value"].get<double>(), 18.0);
    }

    void jsonOfCurvesReadsBackToTheSameDoubles() {
        const Figure figure = figureOf(llama2At64k(), "ladder");
        const auto json = nlohmann::json::parse(writeJson(figure, llama2At64k()));
        const std::vector<double> live = layersOf<Curve>(figure.panels[0]).back().y;
        const nlohmann::json written = json["panels"][0]["layers"].back()["y"];
        QCOMPARE(written.size(), live.size());
        for (std::size_t pair = 0; pair < live.size(); ++pair) {
            QVERIFY(sameBits(written[pair].get<double>(), live[pair]));
        }
    }

    void jsonHasNullWhereThereIsNoNumber() {
        Scene scene;
        scene.causal = true;
        const auto json = nlohmann::json::parse(writeJson(figureOf(scene, "attention"), scene));
        const nlohmann::json& map = json["panels"][0]["layers"][0];
        QCOMPARE(map["values"].size(), std::size_t{9});
        QVERIFY(map["values"][1].is_null());
        QCOMPARE(map["states"][1].get<std::string>(), std::string("masked"));
        QCOMPARE(map["values"][0].get<double>(), 1.0);
        QCOMPARE(json["panels"][0]["x"]["labels"][2].get<std::string>(), std::string("man"));
    }

    void jsonIsAlwaysValidUtf8() {
        Figure figure = awkwardMatrix();
        figure.title = "broken \xff title";
        QVERIFY(nlohmann::json::accept(writeJson(figure, Scene{})));
    }

    void canonicalTextHasALineForEachThing() {
        const std::string text = writeCanonicalText(figureOf(llama2At64k(), "ladder"));
        const auto rows = lines(text);
        const auto count = [&](std::string_view start) {
            return std::ranges::count_if(rows, [&](std::string_view row) { return row.starts_with(start); });
        };
        QCOMPARE(count("figure ladder"), 1);
        QCOMPARE(count("panel "), 1);
        QCOMPARE(count("curve "), 2);
        QCOMPARE(count("rule "), 2);
        QCOMPARE(count("band "), 3);
        QCOMPARE(count("readout attention_factor "), 1);
        QCOMPARE(count("column "), 8);
    }

    void canonicalTextIsShortOfDoubleNoise() {
        Figure figure;
        figure.readouts.push_back(Readout{"x", "x", 0.1 + 0.2, "", std::nullopt, "", Tone::neutral});
        QVERIFY(writeCanonicalText(figure).find("readout x \"x\" 0.3\n") != std::string::npos);
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::FigureTextTest)
#include "figure_text_test.moc"
