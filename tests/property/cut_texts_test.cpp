// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/cut_texts.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "polyrx/core/rng.hpp"

namespace polyrx {
namespace {

using Json = nlohmann::json;

// Of characters that JSON writes as they are, or must escape; often long, and sometimes with what marks a text that was
// cut out.
std::string random_text(Rng& rng) {
    const std::string ends[] = {"a", "\"", "\\", "\n", "\u00e9", ":", "{", std::string(1, '\0'), "\x7f", " "};
    std::string text = rng.bernoulli(0.1) ? std::string(1, '\0') + "0" : "";
    const std::size_t length = rng.bernoulli(0.2) ? 4090 + rng.below(10) : rng.below(6);
    const bool plain = rng.bernoulli(0.5);
    for (std::size_t i = 0; i < length; ++i) text += plain ? "a" : ends[rng.below(std::size(ends))];
    return text;
}

Json random_json(Rng& rng, int depth) {
    const auto kind = rng.below(depth > 0 ? 5 : 3);
    if (kind == 0) return rng.normal();
    if (kind < 3) return random_text(rng);
    Json json = kind == 3 ? Json::array() : Json::object();
    const std::size_t parts = rng.below(5);
    for (std::size_t i = 0; i < parts; ++i) {
        if (kind == 3)
            json.push_back(random_json(rng, depth - 1));
        else
            json[random_text(rng)] = random_json(rng, depth - 1);
    }
    return json;
}

std::string put_together(const CutJson& cut) {
    std::string json;
    write_whole(Json::parse(cut.json).dump(), cut.texts, [&](std::string_view part) { json += part; });
    return json;
}

TEST(CutTexts, ComeBackAsIfTheyHadNeverBeenCut) {
    for (std::uint64_t index = 0; index < 500; ++index) {
        Rng rng(1, Draw::test, index);
        const Json json = random_json(rng, 4);
        EXPECT_EQ(put_together(cut_long_texts(json.dump())), json.dump());
        // However it is laid out, and with other spellings of the same texts.
        EXPECT_EQ(put_together(cut_long_texts(json.dump(3))), json.dump());
        EXPECT_EQ(put_together(cut_long_texts(json.dump(0, ' ', true))), json.dump());
    }
}

TEST(CutTexts, AreLongOrBeginWithTheMark) {
    const std::string tree(10'000, '=');
    const std::string text = R"({"short": "=1", "long": ")" + tree + R"(", "mark": "\u00001"})";
    const CutJson cut = cut_long_texts(text);
    EXPECT_LT(cut.json.size(), 100U);
    ASSERT_EQ(cut.texts.size(), 2U);
    const Json json = Json::parse(cut.json);
    const auto whole = [&](const char* key) { return whole_text(json[key].get<std::string>(), cut.texts); };
    EXPECT_EQ(whole("long"), tree);
    EXPECT_EQ(whole("mark"), "\\u00001");
    EXPECT_EQ(json["short"], "=1");
    EXPECT_FALSE(whole_text(std::string("\0", 1) + "2", cut.texts));
    EXPECT_FALSE(whole_text(std::string("\0", 1) + "-1", cut.texts));
}

TEST(CutTexts, WhatIsNoJsonStaysSo) {
    const std::string json = R"({"a": [1, "\\\"", {"b": ")" + std::string(5000, 'x') + R"("}], "c": "\u0000"})";
    ASSERT_TRUE(Json::accept(json));
    for (std::size_t i = 0; i < json.size(); i += i > 30 && i < 4990 ? 97 : 1)
        for (const char c : std::string("\"\\{}[]:,0 x")) {
            std::string other = json;
            other[i] = c;
            for (const std::string& text : {other, json.substr(0, i), json.substr(i)}) {
                const CutJson cut = cut_long_texts(text);
                try {
                    EXPECT_EQ(put_together(cut), Json::parse(text).dump());
                } catch (const Json::parse_error&) {
                    EXPECT_FALSE(Json::accept(text)) << text.substr(0, 40);
                }
            }
        }
}

}  // namespace
}  // namespace polyrx
