#include <QTest>

#include <cmath>
#include <limits>
#include <string>

#include "core/export/figure_text.h"
#include "core/import/npy.h"
#include "import_test_parts.h"

using std::string_literals::operator""s;
using phaseladder::NumberTable;
using phaseladder::OpenFile;
using phaseladder::parseNpyHeader;
using phaseladder::readNpy;
using phaseladder::Result;
using phaseladder::tests::fileBytes;
using phaseladder::tests::goldenTable;
using phaseladder::tests::goldenValues;
using phaseladder::tests::isSentence;
using phaseladder::tests::littleEndian;
using phaseladder::tests::mutated;
using phaseladder::tests::says;
using phaseladder::tests::TemporaryFiles;

namespace {

Result<NumberTable> read(const std::filesystem::path& path) {
    return OpenFile::open(path).and_then([](OpenFile&& file) { return readNpy(file); });
}

std::string refusal(const std::filesystem::path& path) {
    const Result<NumberTable> table = read(path);
    return table ? "accepted" : table.error().message;
}

/// A file of version 1.0 with a header as it stands, and so many bytes of data.
std::string npy(const std::string& header, std::size_t dataBytes = 0) {
    return "\x93NUMPY\x01\x00"s + littleEndian(header.size(), 2) + header + std::string(dataBytes, '\0');
}

std::string headerRefusal(const std::string& header, std::size_t dataBytes = 0) {
    const std::string bytes = npy(header, dataBytes);
    const auto layout = parseNpyHeader(bytes, bytes.size());
    return layout ? "accepted" : layout.error().message;
}

}  // namespace

class NpyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void arraysThatNumPyWroteAreReadInRowMajorOrder_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<std::vector<std::int64_t>>("shape");
        const auto row = [](const char* file, const std::vector<std::int64_t>& shape) {
            QTest::newRow(file) << QString::fromLatin1(file) << shape;
        };
        for (const char* file : {"f8", "f4", "f2", "f8_fortran", "version2", "version3"}) {
            row(file, {3, 5});
        }
        row("f2_fortran_rank4", {2, 3, 4, 2});
        row("f4_rank4", {2, 3, 4, 2});
        row("scalar", {});
        row("vector", {7});
        row("empty", {0, 5});
    }

    void arraysThatNumPyWroteAreReadInRowMajorOrder() {
        QFETCH(QString, file);
        QFETCH(std::vector<std::int64_t>, shape);
        const auto table = read(goldenTable(file.toStdString() + ".npy"));
        QVERIFY2(table, table ? "" : table.error().message.c_str());
        QCOMPARE(table->shape, shape);
        QCOMPARE(table->values, goldenValues(shape));
        QCOMPARE(table->name, file.toStdString());
    }

    void specialValuesKeepTheirKind() {
        const double infinity = std::numeric_limits<double>::infinity();
        const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }";
        const std::string data = littleEndian(0x7F800000, 4) + littleEndian(0xFFC00000, 4) +
                                 littleEndian(0x00000001, 4) + littleEndian(0x80000000, 4);
        const auto table = read(m_files.write("special.npy", npy(header) + data));
        QVERIFY(table);
        QCOMPARE(table->values[0], infinity);
        QVERIFY(std::isnan(table->values[1]));
        QCOMPARE(table->values[2], 0x1p-149);
        QVERIFY(table->values[3] == 0.0 && std::signbit(table->values[3]));
    }

    void whatOurOwnExportWritesComesBack() {
        phaseladder::Figure figure;
        figure.matrix = phaseladder::Matrix{2, 3, {0.1, -2.0, 3e300, 4.0, 5.0, -0.0}};
        const auto bytes = phaseladder::writeNpy(figure);
        const auto table = read(m_files.write("own.npy", std::string(bytes.begin(), bytes.end())));
        QVERIFY(table);
        QCOMPARE(table->shape, (std::vector<std::int64_t>{2, 3}));
        QCOMPARE(table->values, figure.matrix->values);
    }

    void largeArraysAreReadPieceByPiece() {
        std::string data;
        constexpr std::int64_t rows = 300'000;
        for (std::int64_t row = 0; row < rows; ++row) {
            data += littleEndian(static_cast<std::uint64_t>(row) << 41 | 0x4000000000000000, 8);
        }
        const std::string header = "{'descr': '<f8', 'fortran_order': True, 'shape': (300000, 1)}";
        const auto table = read(m_files.write("large.npy", npy(header) + data));
        QVERIFY(table);
        QCOMPARE(table->values.size(), std::size_t{rows});
        for (std::int64_t row = 1; row < rows; ++row) {
            QVERIFY(table->values[row] > table->values[row - 1]);
        }
    }

    void headersMayBeSpacedQuotedAndOrderedInOtherWays() {
        for (const char* header :
             {"{'descr':'<f8','fortran_order':False,'shape':(2,3)}",
              "{\"shape\": (2, 3,), \"fortran_order\": True, \"descr\": \"<f8\"}   \n",
              "  { 'fortran_order' : False , 'shape' : ( 2L , 3L ) , 'descr' : '<f8' , }\n"}) {
            QCOMPARE(headerRefusal(header, 48), std::string("accepted"));
        }
    }

    // The bad inputs by name.

    void objectArraysAreRefusedBecauseTheyCanRunCode() {
        QCOMPARE(refusal(goldenTable("object.npy")),
                 std::string("Object arrays are refused: they can run code."));
    }

    void aHeaderAboveTheLimitIsRefusedWithBothNumbers() {
        const std::string longest = "{'descr': '<f8', 'fortran_order': False, 'shape': ()}";
        const std::string padding(10'000 - longest.size(), ' ');
        QCOMPARE(headerRefusal(longest + padding, 8), std::string("accepted"));
        QCOMPARE(refusal(m_files.write("long.npy", npy(longest + padding + " ", 8))),
                 std::string("Header is 10 001 B; the limit is 10 000."));
        QVERIFY(says(refusal(m_files.write("huge.npy", "\x93NUMPY\x02\x00\xff\xff\xff\xff{}"s)),
                     "Header is 4.0 GiB; the limit is 10 000"));
    }

    void aShapeBeyondTheFileIsRefusedBeforeAnyAllocation() {
        const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (65536, 65536), }";
        QCOMPARE(refusal(m_files.write("claims.npy", npy(header))),
                 std::string("Needs 32 GiB of data for the shape [65536, 65536], file holds 0 B."));
        QVERIFY(says(headerRefusal("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 5)}", 119),
                     "Needs 120 B of data for the shape [3, 5], file holds 119 B"));
    }

    void bigEndianAndOtherTypesAreNamed() {
        QCOMPARE(refusal(goldenTable("big_endian.npy")),
                 std::string("Type '>f8' (big-endian) is not read; '<f2', '<f4' and '<f8' are."));
        QVERIFY(says(refusal(goldenTable("whole_numbers.npy")), "Type '<i8' is not read"));
        QVERIFY(says(refusal(goldenTable("records.npy")), "Arrays of records are not read"));
    }

    void fiveDimensionsAreRefused() {
        QCOMPARE(refusal(goldenTable("rank5.npy")), std::string("Array has 5 dimensions; the limit is 4."));
    }

    void codeInTheHeaderIsRefusedAtItsFirstCharacter() {
        QCOMPARE(headerRefusal("{'descr': __import__('os').system('id'), 'shape': ()}"),
                 std::string("Header is not a plain NumPy header (unexpected '_' at 11)."));
    }

    void archivesAreNotRead() {
        QCOMPARE(refusal(goldenTable("two.npz")),
                 std::string("Archives are not read; open the .npy inside."));
        QVERIFY(says(refusal(m_files.write("empty.npz", "PK\x05\x06" + std::string(18, '\0'))), "Archives"));
    }

    // And more of their kind.

    void headersThatAreNotPlainAreRefusedWithThePlace_data() {
        QTest::addColumn<std::string>("header");
        QTest::addColumn<std::string>("sentence");
        const auto row = [](const char* name, const std::string& header, const std::string& sentence) {
            QTest::newRow(name) << header << sentence;
        };
        const std::string start = "{'descr': '<f8', 'fortran_order': False, 'shape': ";
        row("empty", "", "it ends at 0");
        row("spaces", "   \n", "it ends at 4");
        row("list", "['descr']", "unexpected '[' at 1");
        row("cut", start + "(2, 3", "it ends at 55");
        row("rest", start + "(1,)} + x", "unexpected '+' at 57");
        row("second", start + "(1,)}{}", "unexpected '{' at 56");
        row("no tuple", start + "(3)}", "unexpected ')' at 53");
        row("list for shape", start + "[3, 4]}", "unexpected '[' at 51");
        row("negative", start + "(-3, 4)}", "unexpected '-' at 52");
        row("fraction", start + "(3.0, 4)}", "unexpected '.' at 53");
        row("expression", start + "(9**9, 4)}", "unexpected '*' at 53");
        row("only comma", start + "(,)}", "unexpected ',' at 52");
        row("huge", start + "(99999999999999999999,)}",
            "A dimension is beyond 64 bits ('99999999999999999999')");
        row("truth", "{'descr': '<f8', 'fortran_order': 0, 'shape': ()}", "unexpected '0' at 35");
        row("zero byte", start + "(1,)\0}"s, "unexpected '\\x00' at 55");
        row("not UTF-8", "{'descr': \xff}", "unexpected '\\xff' at 11");
        row("escape", "{'de\\x73cr': '<f8'}", "unexpected '\\' at 5");
        row("open text", "{'descr': '<f8", "it ends at 14");
        row("text in bytes", "{b'descr': '<f8'}", "unexpected 'b' at 2");
        row("no colon", "{'descr' '<f8'}", "unexpected ''' at 10");
        row("no comma", "{'descr': '<f8' 'shape': ()}", "unexpected ''' at 17");
        row("unknown", "{'descr': '<f8', 'order': 1}", "unknown key 'order'");
        row("twice", "{'shape': (1,), 'shape': (2,)}", "Key 'shape' appears twice");
        row("no type", "{'fortran_order': False, 'shape': (1,)}", "'descr' is missing");
        row("no order", "{'descr': '<f8', 'shape': (1,)}", "'fortran_order' is missing");
        row("no shape", "{'descr': '<f8', 'fortran_order': False}", "'shape' is missing");
        row("overflow", start + "(4294967296, 4294967296, 2)}", "[4294967296, 4294967296, 2] overflows");
        row("zero after overflow", start + "(9223372036854775807, 9, 0)}", "overflows");
        row("other objects", "{'descr': 'O8', 'fortran_order': False, 'shape': ()}", "can run code");
        row("text type", "{'descr': '<U8', 'fortran_order': False, 'shape': ()}", "Type '<U8' is not read");
        row("no byte order", "{'descr': 'f8', 'fortran_order': False, 'shape': ()}", "Type 'f8' is not read");
    }

    void headersThatAreNotPlainAreRefusedWithThePlace() {
        QFETCH(std::string, header);
        QFETCH(std::string, sentence);
        const std::string message = headerRefusal(header, 8);
        QVERIFY2(says(message, sentence), message.c_str());
    }

    void otherFilesAndVersionsAreRefused() {
        QVERIFY(says(refusal(m_files.write("nothing.npy", "")), "File is 0 B"));
        QVERIFY(says(refusal(m_files.write("short.npy", "\x93NUM")), "File is 4 B"));
        QVERIFY(says(refusal(m_files.write("magic.npy", "\x93NUMPY\x02\x00\x10\x00"s)), "needs 12 B"));
        QVERIFY(says(refusal(m_files.write("text.npy", "1 2 3")), "Not a NumPy file (first byte 0x31)"));
        QVERIFY(
            says(refusal(m_files.write("v4.npy", "\x93NUMPY\x04\x00\x02\x00\x00\x00{}"s)), "version 4.0"));
        QVERIFY(says(refusal(m_files.write("v0.npy", "\x93NUMPY\x00\x00\x02\x00{}"s)), "version 0.0"));
        QVERIFY(says(refusal(m_files.write("v1.1.npy", "\x93NUMPY\x01\x01\x02\x00{}"s)), "version 1.1"));
        QVERIFY(says(refusal(m_files.write("cut.npy", npy("{'descr'").substr(0, 14))),
                     "Header claims 8 B, file has 4 B after its length"));
    }

    void bytesAfterTheDataAreRefused() {
        QCOMPARE(headerRefusal("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 308),
                 std::string("300 unused bytes after the data; refused."));
    }

    void moreNumbersThanTheLimitAreRefusedWithBothNumbers() {
        const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (33554433,)}";
        const auto path = m_files.write("many.npy", npy(header));
        std::filesystem::resize_file(path, npy(header).size() + 4 * std::uintmax_t{33'554'433});
        QCOMPARE(refusal(path), std::string("Table of shape [33554433] has 33 554 433 numbers; the limit is "
                                            "33 554 432."));
    }

    void aFileThatChangesWhileItIsReadIsRefused() {
        const auto path = m_files.write("changing.npy", fileBytes(goldenTable("f8.npy")));
        Result<OpenFile> longer = OpenFile::open(path);
        std::ofstream(path, std::ios::binary | std::ios::app) << "more";
        QCOMPARE(readNpy(*longer).error().message, std::string("File changed while reading; try again."));
        Result<OpenFile> shorter = OpenFile::open(path);
        std::filesystem::resize_file(path, 100);
        QCOMPARE(readNpy(*shorter).error().message, std::string("File changed while reading; try again."));
        m_files.write("changing.npy", fileBytes(goldenTable("f8.npy")));
        Result<OpenFile> touched = OpenFile::open(path);
        std::filesystem::last_write_time(path, touched->changedAt() + std::chrono::seconds(1));
        QCOMPARE(readNpy(*touched).error().message, std::string("File changed while reading; try again."));
        Result<OpenFile> removed = OpenFile::open(path);
        std::filesystem::remove(path);
        QCOMPARE(readNpy(*removed).error().message, std::string("File changed while reading; try again."));
    }

    void spoiledCopiesGiveATableOrOneSentence() {
        phaseladder::Random random(20'260);
        int tables = 0;
        for (const char* name : {"f8.npy", "f2_fortran_rank4.npy", "version3.npy"}) {
            const std::string good = fileBytes(goldenTable(name));
            for (int copy = 0; copy < 2'000; ++copy) {
                const std::string bytes = mutated(good, random);
                const auto layout = parseNpyHeader(bytes, bytes.size());
                if (!layout) {
                    QVERIFY2(isSentence(layout.error()), layout.error().message.c_str());
                } else if (++tables % 20 == 0) {  // files take their time on a busy disk
                    const Result<NumberTable> table = read(m_files.write(std::to_string(tables), bytes));
                    QVERIFY2(table, table ? "" : table.error().message.c_str());
                    QCOMPARE(phaseladder::checkedProduct(table->shape, 1), table->values.size());
                }
            }
        }
        QVERIFY(tables > 200 && tables < 5'800);
    }

private:
    TemporaryFiles m_files;
};

QTEST_APPLESS_MAIN(NpyTest)
#include "npy_test.moc"
