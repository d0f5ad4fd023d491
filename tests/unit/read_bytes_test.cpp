// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/read_bytes.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include "tests/support/table_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace polyrx {
namespace {

std::string gzip(const std::string& bytes) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, bytes.size()) + 32, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

std::string long_text() {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += std::to_string(i * 7919 % 100'003) + (i % 10 == 9 ? "\n" : ",");
    return text;
}

std::string bytes_trouble(const std::string& bytes) {
    return test::sentence_of(ErrorKind::data, [&] { (void)unpack_if_gzip(bytes, "x.csv.gz"); });
}

TEST(ReadBytes, ReadsAFileWhole) {
    const test::TemporaryFolder folder;
    for (const std::string& bytes : {std::string(), std::string("a\0b", 3), long_text()}) {
        test::put(folder / "x", bytes);
        EXPECT_EQ(read_bytes((folder / "x").string()), bytes);
    }
}

TEST(ReadBytes, UnpacksGzipWhateverTheNameIs) {
    const test::TemporaryFolder folder;
    test::put(folder / "x.csv", gzip(long_text()));
    EXPECT_EQ(read_bytes((folder / "x.csv").string()), long_text());
    EXPECT_EQ(unpack_if_gzip(gzip(""), "x"), "");
}

TEST(ReadBytes, UnpacksSeveralGzipMembersInARow) {
    EXPECT_EQ(unpack_if_gzip(gzip("a,b\n") + gzip(long_text()) + gzip("") + gzip("end"), "x"),
              "a,b\n" + long_text() + "end");
    EXPECT_EQ(unpack_if_gzip(gzip("a") + std::string(512, '\0'), "x"), "a");
}

TEST(ReadBytes, RefusesGzipThatIsCutShortOrDamaged) {
    const std::string packed = gzip(long_text());
    const std::string cut = "x.csv.gz: not a readable gzip file: the file is truncated";
    for (const std::size_t length :
         {std::size_t{2}, std::size_t{9}, std::size_t{100}, packed.size() / 2, packed.size() - 8, packed.size() - 1})
        EXPECT_EQ(bytes_trouble(packed.substr(0, length)), cut) << length;
    EXPECT_EQ(bytes_trouble(packed + "x"), "x.csv.gz: not a readable gzip file: unexpected bytes after its end");
    std::string damaged = packed;
    damaged[packed.size() - 6] ^= 1;
    EXPECT_EQ(bytes_trouble(damaged), "x.csv.gz: not a readable gzip file: incorrect data check");
}

TEST(ReadBytes, BelievesNoLengthThatGzipCannotReach) {
    std::string packed = gzip("a");
    for (std::size_t i = 1; i <= 4; ++i) packed[packed.size() - i] = '\xff';
    EXPECT_EQ(bytes_trouble(packed), "x.csv.gz: not a readable gzip file: incorrect length check");
}

TEST(ReadBytes, SaysWhyAFileCannotBeRead) {
    const test::TemporaryFolder folder;
    const std::string absent = (folder / "absent.csv").string();
    EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)read_bytes(absent); }),
              absent + ": No such file or directory");
    const std::string path = folder.path().string();
    EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)read_bytes(path); }),
              path + ": this is a directory, not a file");
}

TEST(ReadBytes, StopsWhenTheListenerSaysSo) {
    const test::TemporaryFolder folder;
    test::put(folder / "x", "a\n");
    EXPECT_EQ(test::sentence_of(
                  ErrorKind::canceled,
                  [&] { (void)read_bytes((folder / "x").string(), [](double, std::string_view) { return false; }); }),
              "canceled");
}

}  // namespace
}  // namespace polyrx
