// SPDX-License-Identifier: Apache-2.0
#include "polyrx/table/schema.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "polyrx/table/io/csv_read.hpp"
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
              "schema.json: line 2, column 3: not valid JSON: the name of a member was expected, in double quotes");
    EXPECT_EQ(schema_trouble(""),
              "schema.json: line 1, column 1: not valid JSON: a value was expected, but the text ends here");
    EXPECT_EQ(schema_trouble(R"({"columns": {"age": {"min": 1e999}}})"),
              "schema.json: line 1, column 29: not valid JSON: this number is too large");
}

TEST(Schema, RefusesAKeyThatAppearsTwice) {
    EXPECT_EQ(schema_trouble(R"({"columns": {"age": {}, "age": {}}})"),
              "schema.json: the member 'age' stands there twice in one object");
    EXPECT_EQ(schema_trouble(R"({"columns": {"a": {"unit": "a"}, "b": {"unit": "b"}}})"), "(no error)");
}

TEST(Schema, RefusesKeysItDoesNotKnow) {
    EXPECT_EQ(column_trouble(R"({"units": "years"})"),
              "schema.json: columns.age: unknown member 'units' (did you mean 'unit'?)");
    EXPECT_EQ(column_trouble(R"({"color": "red"})"),
              "schema.json: columns.age: unknown member 'color' (known are type, unit, categories, min, max, integer)");
    EXPECT_EQ(schema_trouble(R"({"column": {}})"), "schema.json: unknown member 'column' (did you mean 'columns'?)");
}

TEST(Schema, RefusesWhatMakesNoSense) {
    EXPECT_EQ(schema_trouble("[1]"), "schema.json: an object was expected, not a list");
    EXPECT_EQ(schema_trouble(R"({"columns": 5})"), "schema.json: columns: an object was expected, not 5");
    EXPECT_EQ(column_trouble("null"), "schema.json: columns.age: an object was expected, not null");
    EXPECT_EQ(column_trouble(R"({"type": "number"})"),
              "schema.json: columns.age.type: numeric, categorical or boolean was expected, not the text 'number'");
    EXPECT_EQ(column_trouble(R"({"unit": 5})"), "schema.json: columns.age.unit: a text was expected, not 5");
    EXPECT_EQ(column_trouble(R"({"min": "0"})"),
              "schema.json: columns.age.min: a number was expected, not the text '0'");
    EXPECT_EQ(column_trouble(R"({"integer": 1})"),
              "schema.json: columns.age.integer: true or false was expected, not 1");
    EXPECT_EQ(column_trouble(R"({"min": 2, "max": 1})"),
              "schema.json: columns.age: 'min' is 2, which is above the 'max' of 1");
    EXPECT_EQ(column_trouble(R"({"type": "boolean", "min": 2})"),
              "schema.json: columns.age: only a numeric column has 'min', 'max' or 'integer'");
    EXPECT_EQ(column_trouble(R"({"type": "numeric", "categories": ["a"]})"),
              "schema.json: columns.age: a numeric column has no 'categories'");
    EXPECT_EQ(column_trouble(R"({"categories": ["a", "b", "a"]})"),
              "schema.json: columns.age.categories[2]: 'a' stands there twice");
    EXPECT_EQ(column_trouble(R"({"categories": []})"),
              "schema.json: columns.age.categories: the list is empty (leave it out to take them from the data)");
    EXPECT_EQ(column_trouble(R"({"categories": [" "]})"),
              "schema.json: columns.age.categories[0]: an empty text means a missing value");
    EXPECT_EQ(schema_trouble(R"({"treatments": ["Low"]})"), "schema.json: treatments: at least two must be named");
    EXPECT_EQ(schema_trouble(R"({"treatments": ["Low", "NA"]})"),
              "schema.json: the treatment 'NA' also means a missing value; rename it or change 'missing'");
    EXPECT_EQ(schema_trouble(R"({"missing": [-999]})"), "schema.json: missing[0]: a text was expected, not -999");
    EXPECT_EQ(
        schema_trouble(R"({"missing": ["?"], "columns": {"age": {"categories": ["?"]}}})"),
        "schema.json: column 'age': the category '?' also means a missing value; remove it here or from 'missing'");
}

// By comparing all pairs, this took minutes.
TEST(Schema, MayDeclareVeryManyColumnsCategoriesAndTreatments) {
    std::string columns;
    std::string labels;
    std::string header;
    for (int i = 0; i < 300'000; ++i) {
        columns += fmt::format("{}\"c{}\": {{}}", i > 0 ? "," : "", i);
        labels += fmt::format("{}\"t{}\"", i > 0 ? "," : "", i);
        header += fmt::format("{}c{}", i > 0 ? "," : "", i);
    }
    const Schema schema = parse_schema(
        fmt::format(R"({{"columns": {{{}, "x": {{"categories": [{}]}}}}, "treatments": [{}], "missing": [{}, "u"]}})",
                    columns, labels, "\"v\",\"w\"", "\"z\""),
        "schema.json");
    EXPECT_EQ(schema.columns.size(), 300'001U);
    EXPECT_EQ(schema.columns.back().categories.size(), 300'000U);
    const Table table = parse_csv(header + "\n", "x.csv", {.schema = schema});
    EXPECT_EQ(table.columns().size(), 300'000U);
    std::vector<std::string> wanted;
    for (const Column& column : table.columns()) wanted.push_back(column.name);
    EXPECT_EQ(parse_csv(header + "\n", "x.csv", {.columns = wanted}).columns().size(), 300'000U);
}

}  // namespace
}  // namespace polyrx
