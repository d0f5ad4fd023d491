// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/encoder.hpp"

#include <gtest/gtest.h>

#include "polyrx/core/error.hpp"
#include "polyrx/encode/input_columns.hpp"
#include "polyrx/table/io/csv_read.hpp"

namespace polyrx {
namespace {

Table training_table(const std::string& csv, const CsvOptions& options = {}) {
    return parse_csv(csv, "patients.csv", options);
}

const char* const training_csv =
    "age,sex,smoker,stage\n"
    "40,F,yes,I\n"
    "50,M,no,II\n"
    ",F,no,\n"
    "70,F,,II\n";

std::vector<double> row(const Matrix& matrix, Eigen::Index i) {
    return {matrix.row(i).begin(), matrix.row(i).end()};
}

std::string error_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(Encoder, NamesEveryColumnWithItsUnitAndOrigin) {
    Schema schema;
    schema.columns = {{.name = "age", .unit = "years"}};
    const Encoder encoder = make_encoder(training_table(training_csv), schema);
    std::vector<std::string> names;
    for (const EncodedColumn& column : encoder.columns()) names.push_back(column.name);
    EXPECT_EQ(names, (std::vector<std::string>{"age", "age is missing", "sex = F", "sex = M", "smoker",
                                               "smoker is missing", "stage = I", "stage = II", "stage is missing"}));
    EXPECT_EQ(encoder.columns()[0].unit, "years");
    EXPECT_EQ(encoder.columns()[1].unit, "");
    EXPECT_EQ(encoder.columns()[3].feature, 1U);
    EXPECT_EQ(encoder.columns()[3].kind, InputKind::category);
    EXPECT_EQ(encoder.columns()[3].category, 1U);
    EXPECT_EQ(encoder.columns()[8].kind, InputKind::indicator);
}

TEST(Encoder, EncodesInTheUsersUnitsAndImputesWithAnIndicator) {
    const Table table = training_table(training_csv);
    const Matrix encoded = make_encoder(table).encode(table);
    //                                                   age ?  F  M  smoker ?  I  II ?
    EXPECT_EQ(row(encoded, 0), (std::vector<double>{40, 0, 1, 0, 1, 0, 1, 0, 0}));
    EXPECT_EQ(row(encoded, 1), (std::vector<double>{50, 0, 0, 1, 0, 0, 0, 1, 0}));
    EXPECT_EQ(row(encoded, 2), (std::vector<double>{50, 1, 1, 0, 0, 0, 0, 0, 1}));
    EXPECT_EQ(row(encoded, 3), (std::vector<double>{70, 0, 1, 0, 0, 1, 0, 1, 0}));
}

TEST(Encoder, AcceptsMissingCellsWhereTheTrainingRowsHadNone) {
    const Encoder encoder = make_encoder(training_table("age,sex,smoker\n40,F,yes\n50,M,no\n60,F,no\n"));
    const Table row_without_values = training_table("age,sex,smoker\nNA,NA,NA\n", {.schema = encoder.schema()});
    // Median age, commonest sex, commoner answer: no indicator was learned.
    EXPECT_EQ(row(encoder.encode(row_without_values), 0), (std::vector<double>{50, 1, 0, 0}));
}

TEST(Encoder, NamesAnUnseenCategoryOrIgnoresIt) {
    const Encoder encoder = make_encoder(training_table(training_csv));
    const Table stranger = training_table("age,sex,smoker,stage\n40,X,yes,I\n", {.schema = encoder.schema()});
    EXPECT_EQ(error_of([&] { (void)encoder.encode(stranger); }),
              "patients.csv:2: column 'sex': 'X' was not in the training data (F, M)");
    EXPECT_EQ(row(encoder.encode(stranger, Unseen::ignore), 0), (std::vector<double>{40, 0, 0, 0, 1, 0, 1, 0, 0}));
}

TEST(Encoder, NamesAColumnThatTheTableLacks) {
    const Encoder encoder = make_encoder(training_table(training_csv));
    const std::string error = error_of([&] { (void)encoder.encode(training_table("age,sex,smoker\n1,F,no\n")); });
    EXPECT_NE(error.find("patients.csv has no column 'stage'"), std::string::npos) << error;
}

TEST(Encoder, RefusesInfiniteValuesAndOtherTypes) {
    const Encoder encoder = make_encoder(training_table("age,sex\n40,F\n50,M\n"));
    EXPECT_EQ(error_of([&] { (void)encoder.encode(training_table("age,sex\ninf,F\n")); }),
              "patients.csv:2: column 'age': an infinite value; expected a finite number");
    EXPECT_EQ(error_of([&] { (void)encoder.encode(training_table("age,sex\nold,F\n")); }),
              "patients.csv: column 'age' is categorical, but it was numeric in the training data");
}

TEST(Encoder, KnowsIntegersAndBoundsFromDataOrSchema) {
    Schema schema;
    schema.columns = {{.name = "age", .lower = 0, .upper = 120}};
    const Encoder encoder = make_encoder(training_table("age,weight\n40,70.5\n50,80\n"), schema);
    const Feature& age = encoder.features()[0];
    EXPECT_TRUE(age.integer);
    EXPECT_EQ(age.lower, 0);
    EXPECT_EQ(age.upper, 120);
    const Feature& weight = encoder.features()[1];
    EXPECT_FALSE(weight.integer);
    EXPECT_EQ(weight.lower, 70.5);
    EXPECT_EQ(weight.upper, 80);

    // Declared bounds hold for new rows too; observed ones do not bind.
    const CsvOptions options{.schema = encoder.schema()};
    EXPECT_NE(error_of([&] { (void)training_table("age,weight\n400,70\n", options); }).find("column 'age'"),
              std::string::npos);
    EXPECT_EQ(row(encoder.encode(training_table("age,weight\n60,200\n", options)), 0), (std::vector<double>{60, 200}));
}

TEST(Encoder, EncodesABlockOfRowsAsThoseRowsOfTheWhole) {
    const Table table = training_table(training_csv);
    const Encoder encoder = make_encoder(table);
    EXPECT_EQ(encoder.encode(table, 1, 2), encoder.encode(table).middleRows(1, 2));
}

TEST(Encoder, GivesSomeInputsAsColumns) {
    const Table table = training_table(training_csv);
    const Encoder encoder = make_encoder(table);
    const Matrix encoded = encoder.encode(table);
    const std::vector<Eigen::Index> inputs = {1, 3, 8};
    const InputReader reader(encoder, inputs);
    const InputColumns columns(reader, reader.match(table), 1, 3, Unseen::error);
    const InputColumns copied(inputs, encoded);
    ASSERT_EQ(columns.rows(), 3U);
    for (const Eigen::Index input : inputs)
        for (Eigen::Index i = 0; i < 3; ++i) {
            EXPECT_EQ(columns[input][i], encoded(i + 1, input));
            EXPECT_EQ(copied[input][i], encoded(i, input));
        }
}

}  // namespace
}  // namespace polyrx
