#include <QTest>

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "core/import/position_table.h"
#include "import_test_parts.h"

using phaseladder::ErrorKind;
using phaseladder::FileLook;
using phaseladder::looksLikePositionTable;
using phaseladder::NumberTable;
using phaseladder::readPositionTable;
using phaseladder::Result;
using phaseladder::tests::fileBytes;
using phaseladder::tests::goldenTable;
using phaseladder::tests::goldenValues;
using phaseladder::tests::isSentence;
using phaseladder::tests::littleEndian;
using phaseladder::tests::mutated;
using phaseladder::tests::says;
using phaseladder::tests::TemporaryFiles;
using std::string_literals::operator""s;

namespace {

std::string refusal(const std::filesystem::path& path, const std::string& tensorName = {}) {
    const auto table = readPositionTable(path, tensorName);
    return table ? "accepted" : table.error().message;
}

/// A .npy of doubles.
std::string npy(const std::string& shape, const std::vector<double>& values) {
    std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + "}";
    std::string bytes = "\x93NUMPY\x01\x00"s + littleEndian(header.size(), 2) + header;
    for (const double value : values) {
        bytes += littleEndian(std::bit_cast<std::uint64_t>(value), 8);
    }
    return bytes;
}

/// A .safetensors of float32 zeros with these names and shapes.
std::string safetensors(const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& tensors) {
    std::string header = "{";
    std::uint64_t end = 0;
    for (const auto& [name, shape] : tensors) {
        const std::uint64_t begin = end;
        end += phaseladder::checkedProduct(shape, 4).value();
        header += (header.size() == 1 ? "\"" : ",\"") + name +
                  "\":{\"dtype\":\"F32\",\"shape\":" + phaseladder::shapeText(shape) + ",\"data_offsets\":[" +
                  std::to_string(begin) + "," + std::to_string(end) + "]}";
    }
    header += "}";
    return littleEndian(header.size(), 8) + header + std::string(end, '\0');
}

}  // namespace

class PositionTableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTableOfEitherKindOfFileIsPositionsByWidth() {
        for (const char* file : {"f4.npy", "f8_fortran.npy", "f4_batch.npy", "gpt2.safetensors"}) {
            const auto table = readPositionTable(goldenTable(file), {});
            QVERIFY2(table, refusal(goldenTable(file)).c_str());
            QCOMPARE((*table)->shape, (std::vector<std::int64_t>{3, 5}));
            QCOMPARE((*table)->values, goldenValues({3, 5}));
        }
        QCOMPARE((*readPositionTable(goldenTable("gpt2.safetensors"), {}))->name, "wpe.weight"s);
        QCOMPARE((*readPositionTable(goldenTable("f4.npy"), {}))->name, "f4"s);
    }

    void aTensorNameChoosesItAndLeadingOnesAreDropped() {
        const auto named = readPositionTable(goldenTable("gpt2.safetensors"), "wte.weight");
        QVERIFY(named);
        QCOMPARE((*named)->values, goldenValues({4, 5}));
        const auto image = readPositionTable(goldenTable("types.safetensors"), "vit.pos_embed");
        QVERIFY(image);
        QCOMPARE((*image)->shape, (std::vector<std::int64_t>{3, 5}));
        QCOMPARE((*readPositionTable(goldenTable("types.safetensors"), {}))->name, "vit.pos_embed"s);
        QCOMPARE((*readPositionTable(goldenTable("f4.npy"), "of no use here"))->name, "f4"s);
    }

    void theContentDecidesNotTheEnding() {
        const std::string gpt2 = fileBytes(goldenTable("gpt2.safetensors"));
        QCOMPARE((*readPositionTable(m_files.write("a.npy", gpt2), {}))->name, "wpe.weight"s);
        const std::string array = fileBytes(goldenTable("f8.npy"));
        QCOMPARE((*readPositionTable(m_files.write("b.safetensors", array), {}))->name, "b"s);
        QCOMPARE((*readPositionTable(m_files.write("no ending", array), {}))->name, "no ending"s);
    }

    void filesOfNeitherKindGetTheSentenceOfTheirEnding() {
        QVERIFY(says(refusal(m_files.write("c.npy", "1 2 3")), "c.npy': Not a NumPy file (first byte 0x31)"));
        QVERIFY(says(refusal(m_files.write("d.safetensors", "1234567")), "File is 7 bytes"));
        QVERIFY(
            says(refusal(m_files.write("e.safetensors", "GGUF    GGUF")), "Not a safetensors file, or cut"));
        QVERIFY(says(refusal(m_files.write("f.gguf", "GGUF    GGUF")), "Neither a .npy nor a .safetensors"));
        QVERIFY(says(refusal(m_files.write("g", "")), "Neither a .npy nor a .safetensors"));
        QVERIFY(says(refusal(goldenTable("two.npz")), "Archives are not read; open the .npy inside"));
        const std::string archive = fileBytes(goldenTable("two.npz"));
        QVERIFY(says(refusal(m_files.write("model.pt", archive)), "PyTorch's files too, are not read"));
    }

    void withoutATensorNameTheCandidatesAreNamed() {
        QVERIFY(
            says(refusal(goldenTable("bart.safetensors")),
                 "2 tensors look like position tables; choose one: 'decoder.embed_positions.weight' [3, 5], "
                 "'encoder.embed_positions.weight' [3, 5]."));
        QVERIFY(
            says(refusal(m_files.write("other", safetensors({{"a", {2, 3}}, {"b", {4}}, {"c", {1, 5, 6}}}))),
                 "No tensor's name looks like a position table; choose one: 'a' [2, 3], 'c' [1, 5, 6]."));
        QVERIFY(says(refusal(m_files.write("pe", safetensors({{"a", {2, 3}}, {"pe", {50, 1, 3}}}))),
                     "two dimensions, positions × width; the file has 'pe' [50, 1, 3]"));
        QVERIFY(says(refusal(m_files.write("vectors", safetensors({{"a", {2}}, {"b", {4}}}))),
                     "None of the 2 tensors is a table"));
        std::vector<std::pair<std::string, std::vector<std::int64_t>>> many;
        for (int layer = 0; layer < 20; ++layer) {
            many.push_back({"layer." + std::to_string(layer), {2, 2}});
        }
        QVERIFY(says(refusal(m_files.write("many", safetensors(many))), "'layer.7' [2, 2] and 12 more"));
    }

    void namesThatModelsGiveTheirTableAreKnown() {
        for (const char* name :
             {"wpe.weight", "transformer.wpe.weight", "embeddings.position_embeddings.weight",
              "model.decoder.embed_positions.weight", "positions_embed.weight", "pos_embed",
              "vit.embeddings.position_embeddings", "visual.positional_embedding",
              "text_model.embeddings.position_embedding.weight", "pos_encoder.pe"}) {
            QVERIFY2(looksLikePositionTable(name), name);
        }
        for (const char* name :
             {"wte.weight", "position_ids", "embeddings.position_ids", "h.0.attn.c_attn.weight",
              "relative_attention_bias.weight", "position_embeddings.bias", "wpe.weight.weight", "", "weight",
              ".weight", "word_embeddings.weight", "xpe"}) {
            QVERIFY2(!looksLikePositionTable(name), name);
        }
    }

    void otherRanksAreRefusedWithTheirShape() {
        QVERIFY(says(refusal(goldenTable("vector.npy")), "positions × width; 'vector' has 1 (shape [7])"));
        QVERIFY(says(refusal(goldenTable("scalar.npy")), "'scalar' has 0 (shape [])"));
        QVERIFY(says(refusal(goldenTable("f4_rank4.npy")), "'f4_rank4' has 4 (shape [2, 3, 4, 2])"));
        QVERIFY(says(refusal(goldenTable("gpt2.safetensors"), "h.0.ln_1.weight"), "(shape [5])"));
        QVERIFY(says(refusal(goldenTable("empty.npy")), "'empty' is empty (shape [0, 5])"));
    }

    void infinitiesAndNaNAreRefusedWithRowAndColumn() {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const double infinity = std::numeric_limits<double>::infinity();
        QVERIFY(says(refusal(m_files.write("nan.npy", npy("(2, 3)", {0, 1, 2, 3, 4, nan}))),
                     "'nan' must be finite (got nan in row 1, column 2)"));
        QVERIFY(says(refusal(m_files.write("inf.npy", npy("(3, 2)", {0, 1, 2, -infinity, nan, 5}))),
                     "(got -inf in row 1, column 1)"));
    }

    void otherKindsOfFilesAreRefusedWithoutWaiting() {
        const std::filesystem::path pipe = m_files.path("pipe");
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        for (const std::filesystem::path& path :
             {m_files.path(""), pipe, std::filesystem::path("/dev/zero")}) {
            QVERIFY(says(refusal(path), "Not a regular file"));
        }
        QVERIFY(says(refusal(m_files.path("missing.npy")), "no such file"));
        QVERIFY(readPositionTable(pipe, {}).error().kind == ErrorKind::invalidInput);
        QVERIFY(readPositionTable(goldenTable("vector.npy"), {}).error().kind == ErrorKind::invalidInput);
    }

    void strangeNamesOpenAndAreShownInOneLine() {
        const std::string name = "\n😀" + std::string(246, 'n') + ".npy";
        QCOMPARE(name.size(), std::size_t{255});
        QVERIFY(readPositionTable(m_files.write(name, npy("(1, 1)", {1})), {}).has_value());
        const std::string message = refusal(m_files.write(name, npy("(2,)", {1, 2})));
        QVERIFY(says(message, "\\n😀nnn") && !says(message, "\n"));
        const auto bytes = readPositionTable(m_files.write("\xff.npy", npy("(1, 1)", {1})), {});
        QCOMPARE((*bytes)->name, "\ufffd"s);
    }

    void askingAgainGivesTheSameTableUntilTheFileChanges() {
        const auto path = m_files.write("cached.npy", npy("(1, 2)", {1, 2}));
        const auto first = readPositionTable(path, {});
        QVERIFY(first);
        QCOMPARE(readPositionTable(path, {})->get(), first->get());
        const auto changed = std::filesystem::last_write_time(path) + std::chrono::seconds(2);
        m_files.write("cached.npy", npy("(1, 2)", {3, 4}));
        std::filesystem::last_write_time(path, changed);
        const auto second = readPositionTable(path, {});
        QCOMPARE((*second)->values, (std::vector<double>{3, 4}));
        QCOMPARE((*first)->values, (std::vector<double>{1, 2}));
        std::filesystem::remove(path);
        QVERIFY(says(refusal(path), "no such file"));
    }

    void theNewestAnswerWillDoWithoutALookAtTheFile() {
        const auto path = m_files.write("remembered.npy", npy("(1, 2)", {1, 2}));
        const auto first = readPositionTable(path, {}, FileLook::remembered);  // the first look
        QVERIFY(first);
        std::filesystem::remove(path);
        QCOMPARE(readPositionTable(path, {}, FileLook::remembered)->get(), first->get());
        QVERIFY(!readPositionTable(path, {}));
        m_files.write("remembered.npy", npy("(1, 2)", {3, 4}));
        QVERIFY(!readPositionTable(path, {}, FileLook::remembered));
        QVERIFY(readPositionTable(path, {}).has_value());
        QCOMPARE((*readPositionTable(path, {}, FileLook::remembered))->values, (std::vector<double>{3, 4}));
    }

    void tensorsOfOneFileAreKeptApart() {
        const auto path = goldenTable("types.safetensors");
        const auto half = readPositionTable(path, "half");
        const auto single = readPositionTable(path, "single");
        QCOMPARE((*half)->name, "half"s);
        QCOMPARE((*single)->name, "single"s);
        QCOMPARE(readPositionTable(path, "half")->get(), half->get());
        QVERIFY(says(refusal(path, "hlaf"), "did you mean 'half'?"));
        QVERIFY(says(refusal(path, "hlaf"), "did you mean 'half'?"));
    }

    void manyThreadsMayAskAtOnce() {
        constexpr int files = 12, turns = 100, askers = 4;
        for (int file = 0; file < files; ++file) {
            m_files.write(std::to_string(file) + ".npy", npy("(1, 1)", {double(file)}));
        }
        std::vector<std::thread> threads;
        std::atomic<int> right = 0;
        for (int asker = 0; asker < askers; ++asker) {
            threads.emplace_back([&, asker] {
                for (int turn = 0; turn < turns; ++turn) {
                    const int file = (turn * (asker + 1)) % files;
                    const auto table = readPositionTable(m_files.path(std::to_string(file) + ".npy"), {});
                    right += table && (*table)->values.front() == file ? 1 : 0;
                }
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        QCOMPARE(right.load(), turns * askers);
    }

    void spoiledCopiesGiveAFiniteTableOrOneSentence() {
        phaseladder::Random random(20'262);
        for (const char* name : {"f2.npy", "f4_batch.npy", "gpt2.safetensors", "bart.safetensors"}) {
            const std::string good = fileBytes(goldenTable(name));
            for (int copy = 0; copy < 50; ++copy) {
                const auto path = m_files.write(std::to_string(copy) + name, mutated(good, random));
                const Result<std::shared_ptr<const NumberTable>> table = readPositionTable(path, {});
                if (table) {
                    const NumberTable& read = **table;
                    QCOMPARE(read.shape.size(), std::size_t{2});
                    QCOMPARE(phaseladder::checkedProduct(read.shape, 1), read.values.size());
                    QVERIFY(std::all_of(read.values.begin(), read.values.end(),
                                        [](double value) { return std::isfinite(value); }));
                } else {
                    QVERIFY2(isSentence(table.error()), table.error().message.c_str());
                }
            }
        }
    }

private:
    TemporaryFiles m_files;
};

QTEST_APPLESS_MAIN(PositionTableTest)
#include "position_table_test.moc"
