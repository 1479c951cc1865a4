#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "core/import/read_file.h"

using phaseladder::OpenFile;
using phaseladder::quotedPath;
using phaseladder::readFile;

namespace {

constexpr std::size_t limit = 1u << 20;

bool says(const std::string& message, std::string_view part) {
    return message.find(part) != std::string::npos;
}

}  // namespace

class ReadFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>();
        QVERIFY(m_directory->isValid());
    }

    void cleanup() { std::filesystem::remove_all(path("")); }

    void aFileIsReadByteForByte() {
        std::string bytes(200'000, 'x');
        bytes[1] = '\0';
        bytes[2] = '\n';
        bytes[3] = '\r';
        QCOMPARE(readFile(write("plain", bytes), limit).value(), bytes);
        QCOMPARE(readFile(write("empty", ""), limit).value(), std::string());
    }

    void directoriesPipesAndDevicesAreRefusedWithoutWaiting() {
        const std::filesystem::path pipe = path("pipe");
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        for (const std::filesystem::path& other : {path(""), pipe, std::filesystem::path("/dev/zero")}) {
            const auto read = readFile(other, limit);
            QVERIFY(!read.has_value());
            QVERIFY2(says(read.error().message, "Not a regular file"), read.error().message.c_str());
            QVERIFY(read.error().kind == phaseladder::ErrorKind::invalidInput);
        }
    }

    void aMissingFileAndACircleOfLinksSaySo() {
        QVERIFY(says(readFile(path("missing"), limit).error().message, "no such file"));
        QVERIFY(says(readFile(path("missing/deeper"), limit).error().message, "no such file"));
        QVERIFY(says(readFile(write("file", "x") / "deeper", limit).error().message, "no such file"));
        std::filesystem::create_symlink(path("b"), path("a"));
        std::filesystem::create_symlink(path("a"), path("b"));
        QVERIFY(says(readFile(path("a"), limit).error().message, "circle"));
        QVERIFY(says(readFile(path(std::string(5000, 'x')), limit).error().message, "too long"));
    }

    void aLinkToAFileIsFollowed() {
        std::filesystem::create_symlink(write("target", "content"), path("link"));
        QCOMPARE(readFile(path("link"), limit).value(), std::string("content"));
    }

    void largeFilesAreRefusedWithBothNumbers() {
        QVERIFY(readFile(write("at", std::string(20'000, 'x')), 20'000).has_value());
        const auto read = readFile(write("above", std::string(20'001, 'x')), 20'000);
        QVERIFY(says(read.error().message, "is 20 001 bytes; the limit is 20 000"));
    }

    void filesThatSayZeroBytesAreReadToTheirEnd() {
        QVERIFY(says(readFile("/proc/self/status", limit).value(), "Pid:"));
        QVERIFY(says(readFile("/proc/self/status", 10).error().message, "the limit is 10"));
    }

    void piecesOfAFileAreReadInAnyOrder() {
        auto file = OpenFile::open(write("pieces", "0123456789"));
        QVERIFY(file.has_value());
        QCOMPARE(file->bytes(), std::uint64_t{10});
        std::string piece(3, ' ');
        for (const auto& [offset, expected] :
             {std::pair(7, "789"), std::pair(0, "012"), std::pair(4, "456")}) {
            QVERIFY(file->read(static_cast<std::uint64_t>(offset), piece).has_value());
            QCOMPARE(piece, std::string(expected));
        }
        QVERIFY(file->read(10, {}).has_value());
        QVERIFY(file->checkUnchanged().has_value());
        QVERIFY(says(OpenFile::open(path("")).error().message, "Not a regular file"));
        QVERIFY(says(OpenFile::open(path("missing")).error().message, "no such file"));
    }

    void aFileThatChangesBetweenPiecesIsRefused() {
        const std::string sentence = "File changed while reading; try again.";
        auto shorter = OpenFile::open(write("shorter", "0123456789"));
        std::filesystem::resize_file(path("shorter"), 5);
        std::string piece(10, ' ');
        QCOMPARE(shorter->read(0, piece).error().message, sentence);
        auto other = OpenFile::open(write("other", "0123456789"));
        write("other", "9876543210");
        std::filesystem::last_write_time(path("other"), other->changedAt() + std::chrono::seconds(1));
        QVERIFY(other->read(0, piece).has_value());
        QCOMPARE(other->checkUnchanged().error().message, sentence);
    }

    void strangeNamesOpenAndAreQuotedInOneLine() {
        std::string longName(255, 'n');
        longName.replace(0, 1, "\n");
        longName.replace(1, 4, "😀");
        QCOMPARE(longName.size(), std::size_t{255});
        for (const std::string& name :
             {longName, std::string("a b'c\"d"), std::string("-dash"), std::string("\xff bytes")}) {
            QCOMPARE(readFile(write(name, "content"), limit).value(), std::string("content"));
        }
        QCOMPARE(quotedPath("a\n😀\x1b"), std::string("'a\\n😀\\x1b'"));
        QVERIFY(says(quotedPath(longName), "\\n😀nnn"));
        QVERIFY(quotedPath(longName).size() > 250);
        std::filesystem::create_directory(path("dir\nectory"));
        const auto read = readFile(path("dir\nectory"), limit);
        QVERIFY(says(read.error().message, "dir\\nectory"));
    }

private:
    std::filesystem::path path(const std::string& name) const {
        return std::filesystem::path(m_directory->path().toStdString()) / name;
    }

    std::filesystem::path write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }

    std::unique_ptr<QTemporaryDir> m_directory;
};

QTEST_APPLESS_MAIN(ReadFileTest)
#include "read_file_test.moc"
