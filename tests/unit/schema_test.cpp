// SPDX-License-Identifier: Apache-2.0
#include "polyrx/table/schema.hpp"

#include <gtest/gtest.h>

#include "tests/support/table_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace polyrx {
namespace {

constexpr const char* clinic_json = R"({
  "columns": {
    "weight": {
      "type": "numeric",
      "unit": "kg",
      "min": 0.5,
      "max": 300
    },
    "age": {
      "min": 0,
      "integer": true
    },
    "sex": {
      "type": "categorical",
      "categories": [
        "F",
        "M"
      ]
    },
    "smoker": {
      "type": "boolean"
    }
  },
  "treatments": [
    "Low",
    "High"
  ],
  "missing": [
    "NA",
    "-999"
  ]
}
)";

std::string schema_trouble(const std::string& json) {
    return test::sentence_of(ErrorKind::data, [&] { (void)parse_schema(json, "schema.json"); });
}

std::string column_trouble(const std::string& json) {
    return schema_trouble(R"({"columns": {"age": )" + json + "}}");
}

TEST(Schema, IsReadFromJson) {
    const Schema schema = parse_schema(clinic_json, "schema.json");
    ASSERT_EQ(schema.columns.size(), 4u);
    const ColumnSchema& weight = schema.columns[0];
    EXPECT_EQ(weight.name, "weight");
    EXPECT_EQ(weight.type, ColumnType::numeric);
    EXPECT_EQ(weight.unit, "kg");
    EXPECT_EQ(weight.lower, 0.5);
    EXPECT_EQ(weight.upper, 300);
    EXPECT_FALSE(weight.integer);
    EXPECT_FALSE(schema.columns[1].type.has_value());
    EXPECT_TRUE(schema.columns[1].integer);
    EXPECT_EQ(schema.find("sex")->categories, (std::vector<std::string>{"F", "M"}));
    EXPECT_EQ(schema.find("smoker")->type, ColumnType::boolean);
    EXPECT_EQ(schema.find("height"), nullptr);
    EXPECT_EQ(schema.treatments, (std::vector<std::string>{"Low", "High"}));
    EXPECT_EQ(schema.missing, (std::vector<std::string>{"NA", "-999"}));
}

TEST(Schema, IsWrittenAsItIsRead) {
    EXPECT_EQ(schema_json(parse_schema(clinic_json, "schema.json")), clinic_json);
    EXPECT_EQ(schema_json(Schema{}), "{\n  \"columns\": {}\n}\n");
}

TEST(Schema, LeavesOpenWhatIsNotSaid) {
    const Schema schema = parse_schema("{}", "schema.json");
    EXPECT_TRUE(schema.columns.empty());
    EXPECT_TRUE(schema.treatments.empty());
    EXPECT_FALSE(schema.missing.has_value());
}

TEST(Schema, IsReadFromAFile) {
    const test::TemporaryFolder folder;
    test::put(folder / "schema.json", clinic_json);
    EXPECT_EQ(read_schema(folder / "schema.json").columns.size(), 4u);
    EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)read_schema(folder / "absent.json"); }),
              (folder / "absent.json").string() + ": No such file or directory");
}

TEST(Schema, SaysWhereTheJsonIsBroken) {
    EXPECT_EQ(schema_trouble("{\"columns\":\n {x}}"),
              "schema.json: not valid JSON: line 2, column 3: syntax error while parsing object key - invalid literal; "
              "expected string literal");
    EXPECT_EQ(schema_trouble(""),
              "schema.json: not valid JSON: line 1, column 1: syntax error while parsing value - unexpected end of "
              "input; expected '[', '{', or a literal");
    EXPECT_EQ(schema_trouble(R"({"columns": {"age": {"min": 1e999}}})"),
              "schema.json: not valid JSON: number overflow parsing '1e999'");
}

TEST(Schema, RefusesAKeyThatAppearsTwice) {
    EXPECT_EQ(schema_trouble(R"({"columns": {"age": {}, "age": {}}})"),
              "schema.json: the key 'age' appears twice in one object");
    EXPECT_EQ(schema_trouble(R"({"columns": {"a": {"unit": "a"}, "b": {"unit": "b"}}})"), "(no error)");
}

TEST(Schema, RefusesKeysItDoesNotKnow) {
    EXPECT_EQ(column_trouble(R"({"units": "years"})"),
              "schema.json: column 'age': unknown key 'units' (did you mean 'unit'?)");
    EXPECT_EQ(column_trouble(R"({"color": "red"})"),
              "schema.json: column 'age': unknown key 'color' (known are type, unit, categories, min, max, integer)");
    EXPECT_EQ(schema_trouble(R"({"column": {}})"), "schema.json: unknown key 'column' (did you mean 'columns'?)");
}

TEST(Schema, RefusesWhatMakesNoSense) {
    EXPECT_EQ(schema_trouble("[1]"), "schema.json: an object with 'columns' was expected, not a list");
    EXPECT_EQ(schema_trouble(R"({"columns": 5})"), "schema.json: 'columns' must be an object, not 5");
    EXPECT_EQ(column_trouble("null"), "schema.json: column 'age': an object was expected, not null");
    EXPECT_EQ(column_trouble(R"({"type": "number"})"),
              "schema.json: column 'age': 'type' must be numeric, categorical or boolean, not the text 'number'");
    EXPECT_EQ(column_trouble(R"({"unit": 5})"), "schema.json: column 'age': 'unit' must be a text, not 5");
    EXPECT_EQ(column_trouble(R"({"min": "0"})"), "schema.json: column 'age': 'min' must be a number, not the text '0'");
    EXPECT_EQ(column_trouble(R"({"integer": 1})"), "schema.json: column 'age': 'integer' must be true or false, not 1");
    EXPECT_EQ(column_trouble(R"({"min": 2, "max": 1})"),
              "schema.json: column 'age': 'min' is 2, which is above the 'max' of 1");
    EXPECT_EQ(column_trouble(R"({"type": "boolean", "min": 2})"),
              "schema.json: column 'age': only a numeric column has 'min', 'max' or 'integer'");
    EXPECT_EQ(column_trouble(R"({"type": "numeric", "categories": ["a"]})"),
              "schema.json: column 'age': a numeric column has no 'categories'");
    EXPECT_EQ(column_trouble(R"({"categories": ["a", "b", "a"]})"),
              "schema.json: column 'age': 'categories' names 'a' twice");
    EXPECT_EQ(column_trouble(R"({"categories": []})"),
              "schema.json: column 'age': 'categories' is empty (leave it out to take them from the data)");
    EXPECT_EQ(column_trouble(R"({"categories": [" "]})"),
              "schema.json: column 'age': 'categories' holds an empty text, which means a missing value");
    EXPECT_EQ(schema_trouble(R"({"treatments": ["Low"]})"), "schema.json: 'treatments' must name at least two");
    EXPECT_EQ(schema_trouble(R"({"treatments": ["Low", "NA"]})"),
              "schema.json: the treatment 'NA' also means a missing value; rename it or change 'missing'");
    EXPECT_EQ(schema_trouble(R"({"missing": [-999]})"), "schema.json: 'missing' must hold texts only, not -999");
    EXPECT_EQ(
        schema_trouble(R"({"missing": ["?"], "columns": {"age": {"categories": ["?"]}}})"),
        "schema.json: column 'age': the category '?' also means a missing value; remove it here or from 'missing'");
}

}  // namespace
}  // namespace polyrx
