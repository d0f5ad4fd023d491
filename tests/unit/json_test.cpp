// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/json/json.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/core/json/json_cursor.hpp"

namespace polyrx {
namespace {

template <class Act>
std::string error_of(const Act& act) {
    try {
        act();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::data);
        return error.what();
    }
    return "no error";
}

std::string parse_error(std::string_view text) {
    return error_of([&] { (void)parse_json(text, "x.json"); });
}

TEST(Json, IsWrittenInTheOrderOfItsMembers) {
    Json json = {{"rows", 12}, {"model", "tree"}, {"share", 1.0}, {"bounds", Json::array({-1, 2.5, nullptr})}};
    json["nested"]["yes"] = true;
    json["rows"] = std::optional<double>();
    json["names"] = std::vector<std::string>{"a", "b"};
    json["none"] = Json::object();
    EXPECT_EQ(json.dump(), R"({"rows":null,"model":"tree","share":1.0,"bounds":[-1,2.5,null],"nested":{"yes":true},)"
                           R"("names":["a","b"],"none":{}})");
    json.erase("names");
    json.erase("bounds");
    EXPECT_EQ(json.dump(1),
              "{\n \"rows\": null,\n \"model\": \"tree\",\n \"share\": 1.0,\n \"nested\": {\n  \"yes\": true\n },\n"
              " \"none\": {}\n}");
}

TEST(Json, KeepsWholeNumbersApartFromOthers) {
    const Json read = parse_json("[1, 1.0, -1, 18446744073709551615, -9223372036854775808, 18446744073709551616]", "x");
    EXPECT_EQ(read.dump(), "[1,1.0,-1,18446744073709551615,-9223372036854775808,1.8446744073709552e+19]");
    EXPECT_EQ(read.items()[0].whole<int>(), 1);
    EXPECT_EQ(read.items()[1].whole<int>(), std::nullopt);
    EXPECT_EQ(read.items()[2].whole<std::size_t>(), std::nullopt);
    EXPECT_EQ(read.items()[3].whole<std::int64_t>(), std::nullopt);
    EXPECT_EQ(read.items()[4].whole<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
}

TEST(Json, WritesNullForANumberThatIsNotFinite) {
    EXPECT_EQ(Json::array({std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}).dump(),
              "[null,null]");
}

TEST(Json, CopiesDoNotShareTheirParts) {
    Json first = {{"list", Json::array({1})}};
    Json second = first;
    second["list"].push_back(2);
    first = first["list"];
    EXPECT_EQ(first.dump(), "[1]");
    EXPECT_EQ(second.dump(), R"({"list":[1,2]})");
}

TEST(Json, RefusesToWriteATextThatIsNotUtf8) {
    EXPECT_EQ(error_of([] { (void)Json("a\xff").dump(); }), "'a?' is not UTF-8, so it cannot be written as JSON");
    EXPECT_EQ(Json("a\xff").dump({}, InvalidUtf8::replace), "\"a\xef\xbf\xbd\"");
}

TEST(ParseJson, SaysWhereATextIsNotJson) {
    EXPECT_EQ(parse_error(""),
              "x.json: line 1, column 1: not valid JSON: a value was expected, but the text ends here");
    EXPECT_EQ(parse_error("{\n \"a\": 1,\n}"),
              "x.json: line 3, column 1: not valid JSON: the name of a member was expected, in double quotes");
    EXPECT_EQ(parse_error("[1 2]"), "x.json: line 1, column 4: not valid JSON: ',' or ']' was expected");
    EXPECT_EQ(parse_error("[01]"), "x.json: line 1, column 3: not valid JSON: ',' or ']' was expected");
    EXPECT_EQ(parse_error("[1.]"), "x.json: line 1, column 4: not valid JSON: a digit was expected");
    EXPECT_EQ(parse_error("nul"), "x.json: line 1, column 1: not valid JSON: a value was expected");
    EXPECT_EQ(parse_error("1 1"), "x.json: line 1, column 3: not valid JSON: nothing more was expected");
    EXPECT_EQ(parse_error("[1e999]"), "x.json: line 1, column 2: not valid JSON: this number is too large");
    EXPECT_EQ(parse_error("\"a\xc3\xa9 \xe9\""), "x.json: line 1, column 6: not valid JSON: the text is not UTF-8");
    EXPECT_EQ(parse_error("\"\\ud800x\""),
              "x.json: line 1, column 8: not valid JSON: the other half of a surrogate pair was expected");
    EXPECT_EQ(parse_error("{\"a\":{\"b\":1,\"b\":2}}"), "x.json: the member 'b' stands there twice in one object");
}

TEST(ParseJson, FindsARepeatedNameAmongMany) {
    std::string text = "{";
    for (int i = 0; i < 100; ++i) text += "\"n" + std::to_string(i) + "\":1,";
    EXPECT_EQ(parse_json(text + "\"m\":1}", "x").members().size(), 101U);
    EXPECT_EQ(parse_error(text + "\"n57\":1}"), "x.json: the member 'n57' stands there twice in one object");
}

TEST(ParseJson, RefusesWhatIsNestedTooDeeply) {
    const auto nested = [](int levels) {
        return std::string(static_cast<std::size_t>(levels), '[') + std::string(static_cast<std::size_t>(levels), ']');
    };
    EXPECT_EQ(parse_json(nested(deepest_json), "x").dump(), nested(deepest_json));
    EXPECT_EQ(parse_error(nested(deepest_json + 1)), "x.json: nested more than 1024 levels deep");
    EXPECT_EQ(parse_error(std::string(1'000'000, '[')), "x.json: nested more than 1024 levels deep");
}

TEST(ParseJson, LeavesOutWhatIsDeeperThanAskedFor) {
    const std::string text = R"({"a":[1,{"b":2}],"c":3})";
    EXPECT_EQ(parse_json(text, "x", {.deepest_kept = 1}).dump(), R"({"a":null,"c":3})");
    EXPECT_EQ(parse_json(text, "x", {.deepest_kept = 2}).dump(), R"({"a":[1,null],"c":3})");
}

TEST(ParseJson, SkipsAByteOrderMark) {
    EXPECT_EQ(parse_json("\xef\xbb\xbf [1]", "x").dump(), "[1]");
}

TEST(JsonCursor, SaysWhereAValueIsNotAsExpected) {
    const JsonDocument document =
        parse_json_document(R"({"rules":[{"if":3,"allow":["A",2]}],"two words":{"n":-1,"x":1.5}})", "rules.json");
    const JsonCursor root = document.root();
    const JsonCursor rule = root.at("rules").items()[0];
    EXPECT_EQ(error_of([&] { (void)rule.at("if").text(); }), "rules.json: rules[0].if: a text was expected, not 3");
    EXPECT_EQ(error_of([&] { (void)rule.at("allow").texts(); }),
              "rules.json: rules[0].allow[1]: a text was expected, not 2");
    EXPECT_EQ(error_of([&] { (void)rule.at("allow").items()[0].number(); }),
              "rules.json: rules[0].allow[0]: a number was expected, not the text 'A'");
    EXPECT_EQ(error_of([&] { (void)rule.at("then"); }), "rules.json: rules[0]: 'then' is missing");
    EXPECT_EQ(error_of([&] { (void)rule.items(); }), "rules.json: rules[0]: a list was expected, not an object");
    EXPECT_EQ(error_of([&] { (void)root.at("rules").at("if"); }),
              "rules.json: rules: an object was expected, not a list");
    EXPECT_EQ(error_of([&] { (void)rule.at("allow").items(3); }),
              "rules.json: rules[0].allow: a list of 3 was expected, not of 2");
    EXPECT_EQ(error_of([&] { rule.expect_object({"if", "alow"}); }),
              "rules.json: rules[0]: unknown member 'allow' (did you mean 'alow'?)");
    EXPECT_EQ(error_of([&] { (void)root.at("two words").at("n").whole<int>(0, 9); }),
              "rules.json: 'two words'.n: a whole number from 0 to 9 was expected, not -1");
    EXPECT_EQ(error_of([&] { (void)root.at("two words").at("x").whole<int>(); }),
              "rules.json: 'two words'.x: a whole number from -2147483648 to 2147483647 was expected, not 1.5");
    EXPECT_EQ(error_of([&] { (void)root.truth(); }), "rules.json: true or false was expected, not an object");
}

}  // namespace
}  // namespace polyrx
