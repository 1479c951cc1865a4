#include <QTest>

#include <cstdint>
#include <string>
#include <vector>

#include "core/import/safetensors.h"
#include "import_test_parts.h"

using phaseladder::listTensors;
using phaseladder::NumberTable;
using phaseladder::OpenFile;
using phaseladder::parseSafetensorsHeader;
using phaseladder::readTensor;
using phaseladder::Result;
using phaseladder::TensorEntry;
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

Result<std::vector<TensorEntry>> list(const std::filesystem::path& path) {
    return OpenFile::open(path).and_then([](OpenFile&& file) { return listTensors(file); });
}

Result<NumberTable> read(const std::filesystem::path& path, std::string_view name) {
    return OpenFile::open(path).and_then([&](OpenFile&& file) { return readTensor(file, name); });
}

template <class Value>
std::string refusal(const Result<Value>& result) {
    return result ? "accepted" : result.error().message;
}

std::string headerRefusal(const std::string& header, std::uint64_t dataBytes = 0) {
    return refusal(parseSafetensorsHeader(header, dataBytes));
}

std::string safetensors(const std::string& header, const std::string& data = {}) {
    return littleEndian(header.size(), 8) + header + data;
}

/// `"q": {"dtype": ..., "shape": ..., "data_offsets": ...}`.
std::string entry(const std::string& name, const std::string& type, const std::string& shape,
                  const std::string& offsets) {
    return "\"" + name + "\": {\"dtype\": \"" + type + "\", \"shape\": " + shape +
           ", \"data_offsets\": " + offsets + "}";
}

/// The message about one entry "q".
std::string entryRefusal(const std::string& type, const std::string& shape, const std::string& offsets,
                         std::uint64_t dataBytes) {
    return headerRefusal("{" + entry("q", type, shape, offsets) + "}", dataBytes);
}

/// Bytes that this process has asked the system for by reading, or 0 where it does not say.
std::uint64_t bytesReadSoFar() {
    std::ifstream file("/proc/self/io");
    std::string label;
    std::uint64_t bytes = 0;
    return file >> label >> bytes && label == "rchar:" ? bytes : 0;
}

}  // namespace

class SafetensorsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theListHasNamesTypesAndShapesInTheOrderOfTheHeader() {
        const auto tensors = list(goldenTable("gpt2.safetensors"));
        QVERIFY2(tensors, refusal(tensors).c_str());
        std::vector<std::string> lines;
        for (const TensorEntry& tensor : *tensors) {
            lines.push_back(tensor.name + " " + tensor.type + " " + phaseladder::shapeText(tensor.shape));
        }
        QCOMPARE(lines, (std::vector<std::string>{"position_ids I64 [1, 3]", "h.0.ln_1.weight F32 [5]",
                                                  "wpe.weight F32 [3, 5]", "wte.weight F32 [4, 5]"}));
    }

    void tensorsOfAllFourTypesHaveTheSameValues() {
        for (const char* name : {"half", "bfloat16", "single", "double"}) {
            const auto table = read(goldenTable("types.safetensors"), name);
            QVERIFY2(table, refusal(table).c_str());
            QCOMPARE(table->shape, (std::vector<std::int64_t>{3, 5}));
            QCOMPARE(table->values, goldenValues({3, 5}));
            QCOMPARE(table->name, std::string(name));
        }
        QCOMPARE(read(goldenTable("gpt2.safetensors"), "wte.weight")->values, goldenValues({4, 5}));
    }

    void scalarsAndEmptyTensorsAreTensorsToo() {
        const auto one = read(goldenTable("types.safetensors"), "one");
        QVERIFY(one && one->shape.empty());
        QCOMPARE(one->values, std::vector<double>{1.0});
        const auto nothing = read(goldenTable("types.safetensors"), "nothing");
        QVERIFY(nothing && nothing->values.empty());
        QCOMPARE(nothing->shape, (std::vector<std::int64_t>{0, 5}));
        QCOMPARE(headerRefusal("{}"), "accepted"s);
        QCOMPARE(headerRefusal("{\"__metadata__\": {\"format\": \"pt\"}}      "), "accepted"s);
    }

    void aNameThatIsNotThereNamesTheNearest() {
        QCOMPARE(refusal(read(goldenTable("gpt2.safetensors"), "wpe.wieght")),
                 "No tensor 'wpe.wieght' in the file (did you mean 'wpe.weight'?)."s);
    }

    // The bad inputs by name.

    void aFileWithoutRoomForItsLengthIsRefused() {
        QCOMPARE(refusal(list(m_files.write("short", "1234567"))),
                 "File is 7 bytes; a header length needs 8."s);
        QCOMPARE(refusal(list(m_files.write("none", ""))), "File is 0 bytes; a header length needs 8."s);
    }

    void aLengthBeyondTheFileIsRefusedBeforeAnyAllocation() {
        const std::string rest(804, ' ');
        QVERIFY(says(refusal(list(m_files.write("huge", littleEndian(std::uint64_t{1} << 63, 8) + rest))),
                     "Header claims 8 EiB, file has 812 B."));
        QVERIFY(says(refusal(list(m_files.write("most", littleEndian(~std::uint64_t{0}, 8) + rest))),
                     "Header claims 16.0 EiB, file has 812 B."));
        QVERIFY(says(refusal(list(m_files.write("one", littleEndian(805, 8) + rest))),
                     "Header claims 805 B, file has 812 B."));
    }

    void aHeaderAboveTheLimitIsRefusedWithBothNumbers() {
        const auto path = m_files.write("long", littleEndian(9u << 20, 8) + "{");
        std::filesystem::resize_file(path, 10u << 20);
        QCOMPARE(refusal(list(path)), "Header is 9 MiB; the limit is 8 MiB."s);
        m_files.write("long", littleEndian((8u << 20) + 1, 8) + "{");
        std::filesystem::resize_file(path, 10u << 20);
        QCOMPARE(refusal(list(path)), "Header is 8 388 609 B; the limit is 8 MiB."s);
        const std::string padding((8u << 20) - 2, ' ');
        QCOMPARE(refusal(list(m_files.write("longest", safetensors("{}" + padding)))), "accepted"s);
    }

    void aHeaderThatIsNoObjectIsRefusedWithItsFirstByte() {
        QCOMPARE(headerRefusal("PK\x03\x04"), "Not a safetensors file (first byte 0x50)."s);
        QCOMPARE(headerRefusal(" {}"), "Not a safetensors file (first byte 0x20)."s);
        QVERIFY(says(refusal(list(m_files.write("zeros", std::string(64, '\0')))), "its header is empty"));
    }

    void overlapsAndGapsAreRefusedWithPlaceAndNames() {
        const auto two = [](const std::string& firstOffsets, const std::string& secondOffsets) {
            return "{" + entry("q", "F32", "[16]", secondOffsets) + ", " +
                   entry("k", "F32", "[32]", firstOffsets) + "}";
        };
        QCOMPARE(headerRefusal(two("[0, 128]", "[64, 128]"), 128), "Tensor 'q' overlaps 'k' at byte 64."s);
        QCOMPARE(headerRefusal(two("[0, 128]", "[136, 200]"), 200), "Gap of 8 bytes before 'q'."s);
        QCOMPARE(headerRefusal(two("[8, 136]", "[136, 200]"), 200), "Gap of 8 bytes before 'k'."s);
        QCOMPARE(headerRefusal(two("[0, 128]", "[0, 64]"), 128), "Tensor 'k' overlaps 'q' at byte 0."s);
        QCOMPARE(headerRefusal(two("[0, 128]", "[128, 192]"), 192), "accepted"s);
    }

    void aRangeThatIsNotTheSizeIsRefusedWithBothSizes() {
        QCOMPARE(entryRefusal("F32", "[16, 16]", "[0, 1000]", 1000),
                 "Tensor 'q' needs 1024 B, header gives 1000 B."s);
        QCOMPARE(entryRefusal("F4", "[3]", "[0, 2]", 2), "accepted"s);
        QCOMPARE(entryRefusal("F4", "[3]", "[0, 3]", 3), "Tensor 'q' needs 2 B, header gives 3 B."s);
    }

    void aSizeBeyond64BitsIsRefused() {
        for (const char* shape : {"[4294967296, 4294967296]", "[9223372036854775807, 2]",
                                  "[9223372036854775807, 9223372036854775807, 0]", "[576460752303423488]"}) {
            const std::string message = entryRefusal("F32", shape, "[0, 8]", 8);
            QVERIFY2(says(message, "Tensor 'q' size overflows"), message.c_str());
        }
    }

    void bytesAfterTheLastTensorAreRefused() {
        const std::string header = "{" + entry("q", "F32", "[2]", "[0, 8]") + "}";
        QCOMPARE(refusal(list(m_files.write("zip", safetensors(header, std::string(308, 'P'))))),
                 "300 unused bytes after the data; refused."s);
    }

    void typesThatAreNotReadAreListedAndRefusedByName() {
        QCOMPARE(refusal(read(goldenTable("types.safetensors"), "eighth")),
                 "Type 'F8_E4M3' of 'eighth' is not supported; F32, F16, BF16, F64 are."s);
        const std::string header = "{" + entry("q", "I4", "[2, 8]", "[0, 8]") + "}";
        QCOMPARE(refusal(read(m_files.write("i4", safetensors(header, std::string(8, '\0'))), "q")),
                 "Type 'I4' of 'q' is not supported; F32, F16, BF16, F64 are."s);
    }

    void ofA40GigabyteFileOnlyHeaderAndTensorAreRead() {
        constexpr std::uint64_t large = 40'000'000'000;
        const std::string header = "{" + entry("mlp", "F32", "[10000000000]", "[0, 40000000000]") + ", " +
                                   entry("wpe.weight", "F32", "[2, 2]", "[40000000000, 40000000016]") + "}";
        const auto path = m_files.write("model.safetensors", safetensors(header));
        std::error_code error;
        std::filesystem::resize_file(path, 8 + header.size() + large, error);
        if (error) {
            QSKIP("no room for a file with a hole of 40 GB");
        }
        std::ofstream(path, std::ios::binary | std::ios::app)
            << littleEndian(0x3F800000, 4) << littleEndian(0x40000000, 4) << std::string(8, '\0');
        const std::uint64_t before = bytesReadSoFar();
        const auto table = read(path, "wpe.weight");
        QVERIFY2(table, refusal(table).c_str());
        QCOMPARE(table->values, (std::vector<double>{1.0, 2.0, 0.0, 0.0}));
        QVERIFY(bytesReadSoFar() - before < 1'000'000);
        QCOMPARE(refusal(read(path, "mlp")),
                 "Table of shape [10000000000] has 10 000 000 000 numbers; the limit is 33 554 432."s);
    }

    // And more of their kind.

    void entriesOfTheWrongKindAreRefusedByName_data() {
        QTest::addColumn<std::string>("header");
        QTest::addColumn<std::string>("sentence");
        const auto row = [](const char* name, const std::string& header, const std::string& sentence) {
            QTest::newRow(name) << header << sentence;
        };
        const auto q = [](const std::string& shape, const std::string& offsets) {
            return "{" + entry("q", "F32", shape, offsets) + "}";
        };
        row("number", "{\"q\": 1}", "Tensor 'q' lacks 'dtype', 'shape' or 'data_offsets'");
        row("list", "{\"q\": [1, 2]}", "Tensor 'q' lacks");
        row("no shape", R"({"q": {"dtype": "F32", "data_offsets": [0, 8]}})", "Tensor 'q' lacks");
        row("type", R"({"q": {"dtype": 3, "shape": [2], "data_offsets": [0, 8]}})", "Tensor 'q' lacks");
        row("shape is a number", q("2", "[0, 8]"), "Tensor 'q': 'shape' must be whole numbers");
        row("negative", q("[-2]", "[0, 8]"), "(got '[-2]')");
        row("fraction", q("[2.0]", "[0, 8]"), "(got '[2.0]')");
        row("dimension beyond", q("[18446744073709551615]", "[0, 8]"), "2^63 - 1 (got");
        row("rank", q("[1,1,1,1,1,1,1,1,2]", "[0, 8]"), "Tensor 'q' has 9 dimensions; the limit is 8");
        row("three offsets", q("[2]", "[0, 8, 9]"), "'data_offsets' must be two whole numbers");
        row("backwards", q("[2]", "[8, 0]"), "begin and end (got '[8,0]')");
        row("offset beyond", q("[2]", "[0, 16]"), "needs 8 B, header gives 16 B");
        row("data beyond", q("[3]", "[0, 12]"),
            "Tensor 'q' ends at byte 12 of the data, file has 8 B of data");
        row("metadata", R"({"__metadata__": {"a": 1}})", "'__metadata__' must hold texts only");
        row("metadata list", R"({"__metadata__": []})", "'__metadata__' must hold texts only");
        row("twice", "{\"q\": 1,\n\"q\": 2}", "In the header: Key 'q' appears twice (lines 1, 2)");
        row("cut", "{\"q\": {", "In the header: File is incomplete (JSON ends at byte 7)");
        row("deep", "{\"q\": " + std::string(100'000, '['), "Nested deeper than 64 levels");
        row("zero byte", "{}\0"s, "In the header: Not valid JSON");
        row("control characters", "{\"\\n\\u001b[31m\": 1}", "Tensor '\\n\\x1b[31m' lacks");
        row("long name", "{\"" + std::string(5'000, 'q') + "\": 1}", "qqq…' lacks");
    }

    void entriesOfTheWrongKindAreRefusedByName() {
        QFETCH(std::string, header);
        QFETCH(std::string, sentence);
        const std::string message = headerRefusal(header, 8);
        QVERIFY2(says(message, sentence), message.c_str());
        QVERIFY(message.size() < 300);
    }

    void asManyTensorsAsTheLimitAreRead() {
        std::string header = "{";
        for (int tensor = 0; tensor < 65'536; ++tensor) {
            header += (tensor == 0 ? "" : ",") + entry(std::to_string(tensor), "F32", "[0]", "[0,0]");
        }
        QCOMPARE(headerRefusal(header + "}"), "accepted"s);
        QCOMPARE(headerRefusal(header + "," + entry("x", "F32", "[0]", "[0,0]") + "}"),
                 "Header lists 65 537 tensors; the limit is 65 536."s);
    }

    void aFileThatChangesWhileItIsReadIsRefused() {
        const auto path = m_files.write("changing", fileBytes(goldenTable("gpt2.safetensors")));
        Result<OpenFile> file = OpenFile::open(path);
        const auto tensors = listTensors(*file);
        QVERIFY(tensors);
        std::filesystem::resize_file(path, 200);
        QCOMPARE(refusal(readTensor(*file, tensors->back())), "File changed while reading; try again."s);
        QCOMPARE(refusal(listTensors(*file)), "File changed while reading; try again."s);
    }

    void spoiledHeadersGiveAListOrOneSentence() {
        phaseladder::Random random(20'261);
        int lists = 0;
        for (const char* name : {"types", "gpt2", "bart"}) {
            const std::string file = fileBytes(goldenTable(name + ".safetensors"s));
            const std::size_t end = file.rfind('}') + 1;
            for (int copy = 0; copy < 2'000; ++copy) {
                const std::string header = mutated(file.substr(8, end - 8), random);
                const auto tensors = parseSafetensorsHeader(header, file.size() - end);
                if (!tensors) {
                    QVERIFY2(isSentence(tensors.error()), tensors.error().message.c_str());
                    continue;
                }
                ++lists;
                for (const TensorEntry& tensor : *tensors) {
                    QVERIFY(tensor.begin <= tensor.end);
                    QVERIFY(tensor.end <= 8 + header.size() + file.size() - end);
                }
            }
        }
        QVERIFY(lists > 100 && lists < 5'900);
    }

    void spoiledFilesGiveTablesOrOneSentence() {
        phaseladder::Random random(20'262);
        const std::string good = fileBytes(goldenTable("types.safetensors"));
        for (int copy = 0; copy < 100; ++copy) {
            const auto path = m_files.write("spoiled" + std::to_string(copy), mutated(good, random));
            const auto tensors = list(path);
            if (!tensors) {
                QVERIFY2(isSentence(tensors.error()), tensors.error().message.c_str());
                continue;
            }
            for (const TensorEntry& tensor : *tensors) {
                const Result<NumberTable> table = read(path, tensor.name);
                QVERIFY(table ? phaseladder::checkedProduct(table->shape, 1) == table->values.size()
                              : isSentence(table.error()));
            }
        }
    }

private:
    TemporaryFiles m_files;
};

QTEST_APPLESS_MAIN(SafetensorsTest)
#include "safetensors_test.moc"
