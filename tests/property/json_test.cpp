// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/json/json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "polyrx/core/error.hpp"
#include "polyrx/core/json/parse_json.hpp"
#include "polyrx/core/rng.hpp"
#include "tests/support/random_json.hpp"

namespace polyrx {
namespace {

constexpr auto replace = nlohmann::ordered_json::error_handler_t::replace;

TEST(Json, IsReadAndWrittenAsTheJsonLibraryDoes) {
    Rng rng(1, Draw::test);
    for (int i = 0; i < 3000; ++i) {
        const nlohmann::ordered_json expected = test::random_json(rng, 4);
        const Json read = parse_json(expected.dump(static_cast<int>(rng.below(4)) - 1), "random.json");
        ASSERT_EQ(read.dump(), expected.dump());
        ASSERT_EQ(read.dump(2), expected.dump(2));
        std::string pieces;
        read.write([&](std::string_view piece) { pieces += piece; });
        ASSERT_EQ(pieces, expected.dump());
    }
}

TEST(Json, IsSortedAsTheJsonLibraryDoes) {
    Rng rng(2, Draw::test);
    for (int i = 0; i < 1000; ++i) {
        const std::string text = test::random_json(rng, 4).dump();
        Json read = parse_json(text, "random.json");
        read.sort_members();
        ASSERT_EQ(read.dump(), nlohmann::json::parse(text).dump());
    }
}

TEST(Json, NumbersAreWrittenAsTheJsonLibraryDoes) {
    Rng rng(3, Draw::test);
    for (int i = 0; i < 100'000; ++i) {
        const double number = test::random_json_number(rng);
        ASSERT_EQ(Json(number).dump(), nlohmann::json(number).dump());
    }
}

// Also texts that are hardly JSON any more: the same are refused, and what is read has the same content.
TEST(Json, ChangedBytesAreRefusedWhereTheJsonLibraryRefusesThem) {
    constexpr std::string_view inserted = "{}[]\",:\\u0019-+.eEtfn \n\xc3\xa9\xed\xff\x01";
    Rng rng(4, Draw::test);
    int refused = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string text = test::random_json(rng, 3).dump(static_cast<int>(rng.below(3)) - 1);
        for (std::uint64_t n = 1 + rng.below(3); n > 0; --n) {
            const std::size_t at = rng.below(text.size() + 1);
            if (rng.bernoulli(0.5))
                text.insert(at, 1, inserted[rng.below(inserted.size())]);
            else
                text.erase(at, 1 + rng.below(2));
        }
        const auto expected = nlohmann::ordered_json::parse(text, nullptr, false);
        try {
            const Json read = parse_json(text, "changed.json");
            ASSERT_FALSE(expected.is_discarded()) << text;
            ASSERT_EQ(read.dump(), expected.dump());
        } catch (const Error& error) {
            ++refused;
            const std::string what = error.what();
            const bool is_only_ours = what.find("stands there twice") != std::string::npos;
            ASSERT_TRUE(is_only_ours || expected.is_discarded()) << text << "\n" << what;
        }
    }
    EXPECT_GT(refused, 5000);
    EXPECT_LT(refused, 19'000);
}

TEST(Json, BytesThatAreNotUtf8AreReplacedAsTheJsonLibraryDoes) {
    Rng rng(5, Draw::test);
    for (int i = 0; i < 20'000; ++i) {
        std::string text;
        for (std::uint64_t n = rng.below(8); n > 0; --n) {
            constexpr std::string_view bytes =
                "a\"\x80\x8f\x90\x9f\xa0\xbf\xc0\xc2\xe0\xe2\xed\xef\xf0\xf1\xf4\xf5\xff";
            text += bytes[rng.below(bytes.size())];
        }
        ASSERT_EQ(Json(text).dump({}, InvalidUtf8::replace), nlohmann::json(text).dump(-1, ' ', false, replace));
    }
}

TEST(Json, LongTextsThatAreBorrowedReadAsOthersDo) {
    Rng rng(6, Draw::test);
    int borrowed = 0;
    for (int i = 0; i < 300; ++i) {
        nlohmann::ordered_json expected = nlohmann::ordered_json::array();
        for (std::uint64_t n = rng.below(4); n > 0; --n)
            expected.push_back(std::string(4090 + rng.below(12), 'x') + (rng.bernoulli(0.5) ? "\n\xc3\xa9" : ""));
        const std::string text = expected.dump();
        const Json read = parse_json(text, "long.json", {.borrow_long_texts = true});
        ASSERT_EQ(read.dump(), expected.dump());
        for (const Json& item : read.items())
            borrowed += item.text().data() > text.data() && item.text().data() < text.data() + text.size();
    }
    EXPECT_GT(borrowed, 50);
}

}  // namespace
}  // namespace polyrx
