// SPDX-License-Identifier: Apache-2.0
#include "polyrx/study/observations.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "polyrx/core/error.hpp"
#include "polyrx/table/io/csv_read.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using Names = std::vector<std::string>;

constexpr const char* plain = "id,age,dose,score,w\nu1,30,Low,1,1\nu2,40,High,2,0\nu3,50,Low,3,2\nu4,60,High,4,1\n";

Table table_of(std::string_view text) {
    return parse_csv(text, "train.csv");
}

Roles roles(Roles given = {}) {
    given.treatment = "dose";
    given.outcome = "score";
    return given;
}

std::string study_trouble(std::string_view text, const Roles& given = roles(), const Schema& schema = {}) {
    return test::sentence_of(ErrorKind::data, [&] { (void)observe(table_of(text), given, schema); });
}

std::string misuse(const Roles& given) {
    return test::sentence_of(ErrorKind::usage, [&] { (void)observe(table_of(plain), given); });
}

Names features_of(const Observations& seen) {
    Names names;
    for (const Column& column : seen.features.columns()) names.push_back(column.name);
    return names;
}

TEST(Observe, GivesEveryColumnWithoutARoleToTheFeatures) {
    const char* weighted = "id,age,dose,score,w\nu1,30,Low,1,1\nu2,40,High,2,0.5\nu3,50,Low,3,2\nu4,60,High,4,1\n";
    const Observations seen = observe(table_of(weighted), roles({.weight = "w", .ignore = {"id"}}));
    EXPECT_EQ(features_of(seen), (Names{"age"}));
    EXPECT_EQ(seen.treatments, (Names{"High", "Low"}));
    EXPECT_EQ(seen.treatment, (std::vector<int>{1, 0, 1, 0}));
    EXPECT_EQ(seen.outcome, (std::vector<double>{1, 2, 3, 4}));
    EXPECT_EQ(seen.weight, (std::vector<double>{1, 0.5, 2, 1}));
    EXPECT_EQ(seen.treatment_name, "dose");
    EXPECT_EQ(seen.outcome_name, "score");
    EXPECT_EQ(seen.rows(), 4u);
    EXPECT_EQ(features_of(observe(table_of(plain), roles())), (Names{"id", "age", "w"}));
    EXPECT_EQ(features_of(observe(table_of(plain), roles({.features = {"w", "age"}}))), (Names{"w", "age"}));
}

TEST(Observe, AGroupIsNoFeatureUnlessItIsNamedAsOne) {
    const char* text = "age,site,dose,score\n30,b,Low,1\n40,a,High,2\n50,b,Low,3\n60,c,High,4\n";
    const Observations seen = observe(table_of(text), roles({.group = "site"}));
    EXPECT_EQ(features_of(seen), (Names{"age"}));
    EXPECT_EQ(seen.group_name, "site");
    EXPECT_EQ(seen.groups, (Names{"a", "b", "c"}));
    EXPECT_EQ(seen.group, (std::vector<std::size_t>{1, 0, 1, 2}));
    const Observations some = take(seen, std::vector<std::size_t>{3, 0});
    EXPECT_EQ(some.group, (std::vector<std::size_t>{2, 1}));
    EXPECT_EQ(some.groups, seen.groups);
    EXPECT_EQ(features_of(observe(table_of(text), roles({.features = {"age", "site"}, .group = "site"}))),
              (Names{"age", "site"}));
    EXPECT_EQ(features_of(observe(table_of(text), roles({.ignore = {"site"}, .group = "site"}))), (Names{"age"}));
    EXPECT_EQ(misuse(roles({.group = "score"})), "column 'score' cannot be both the outcome and the group");
    EXPECT_EQ(
        study_trouble("age,site,dose,score\n30,b,Low,1\n40,,High,2\n50,b,Low,3\n60,c,High,4\n",
                      roles({.group = "site"})),
        "train.csv:3: column 'site': the group is missing here, and in 1 of 4 rows in total; every row needs one");
}

TEST(Observe, LeavesTheColumnsOfASimulationsTruthOutWhenTheyAreAllThere) {
    const char* all = "x,dose,score,y0,y1,best\n1,0,1,1,2,0\n2,0,2,1,2,0\n3,1,3,1,2,0\n4,1,4,1,2,0\n";
    EXPECT_EQ(features_of(observe(table_of(all), roles())), (Names{"x"}));
    EXPECT_EQ(features_of(observe(table_of(all), roles({.features = {"x", "y0"}}))), (Names{"x", "y0"}));
    const char* some = "x,dose,score,y0,y1\n1,0,1,1,2\n2,0,2,1,2\n3,1,3,1,2\n4,1,4,1,2\n";
    EXPECT_EQ(features_of(observe(table_of(some), roles())), (Names{"x", "y0", "y1"}));
}

TEST(Observe, OrdersTreatmentsByTheirValuesOrAsDeclared) {
    const auto seen = [](const std::string& cells, const Names& declared = {}) {
        std::string text = "x,dose,score\n";
        int row = 0;
        std::string cell;
        for (const char c : cells + " ") {
            if (c != ' ') {
                cell += c;
                continue;
            }
            text += fmt::format("{},{},{}\n", row, cell, row);
            ++row;
            cell.clear();
        }
        Schema schema;
        schema.treatments = declared;
        return observe(table_of(text), roles(), schema);
    };
    EXPECT_EQ(seen("10 2 -0 0 10 2.0").treatments, (Names{"0", "2", "10"}));
    EXPECT_EQ(seen("10 2 -0 0 10 2.0").treatment, (std::vector<int>{2, 1, 0, 0, 2, 1}));
    EXPECT_EQ(seen("yes no no yes").treatments, (Names{"no", "yes"}));
    EXPECT_EQ(seen("TRUE FALSE TRUE FALSE").treatments, (Names{"FALSE", "TRUE"}));
    EXPECT_EQ(seen("b a10 a9 b a10 a9").treatments, (Names{"a9", "a10", "b"}));
    EXPECT_EQ(seen("b a b a", {"b", "a"}).treatment, (std::vector<int>{0, 1, 0, 1}));
    EXPECT_EQ(seen("2 1 2 1", {"2.0", "1.0"}).treatment, (std::vector<int>{0, 1, 0, 1}));
    EXPECT_EQ(seen("2 1 2 1", {"2.0", "1.0"}).treatments, (Names{"2.0", "1.0"}));
    EXPECT_EQ(seen("Yes No Yes No", {"Yes", "No"}).treatment, (std::vector<int>{0, 1, 0, 1}));
}

TEST(Observe, RefusesRolesThatContradict) {
    EXPECT_EQ(misuse({}), "no treatment column was named");
    EXPECT_EQ(misuse({.treatment = "dose"}), "no outcome column was named");
    EXPECT_EQ(misuse({.treatment = "dose", .outcome = "dose"}),
              "column 'dose' cannot be both the treatment and the outcome");
    EXPECT_EQ(misuse(roles({.features = {"age", "score"}})), "column 'score' cannot be both the outcome and a feature");
    EXPECT_EQ(misuse(roles({.features = {"age", "age"}})), "column 'age' is named twice as a feature");
    EXPECT_EQ(misuse(roles({.weight = "w", .ignore = {"w"}})), "column 'w' cannot be both the weight and ignored");
}

TEST(Observe, SaysWhichColumnIsNotThere) {
    const std::string ending = " (it has id, age, dose, score, w)";
    EXPECT_EQ(study_trouble(plain, roles({.weight = "mass"})), "train.csv has no column 'mass'" + ending);
    EXPECT_EQ(study_trouble(plain, roles({.features = {"height"}})), "train.csv has no column 'height'" + ending);
    EXPECT_EQ(study_trouble(plain, roles({.ignore = {"Age"}})),
              "train.csv has no column 'Age'" + ending + "; did you mean 'age'?");
}

TEST(Observe, RefusesTreatmentsThatCannotBeCompared) {
    EXPECT_EQ(study_trouble("x,dose,score\n"), "train.csv: there are no rows to learn from");
    EXPECT_EQ(study_trouble("x,dose,score\n1,a,1\n2,a,2\n"),
              "train.csv: column 'dose': every row has the treatment 'a'; at least two treatments are needed");
    EXPECT_EQ(study_trouble("x,dose,score\n1,a,1\n2,a,2\n3,b,1\n"),
              "train.csv: column 'dose': the treatment 'b' has one row only, but at least two rows are needed");
    EXPECT_EQ(study_trouble("x,dose,score\n1,a,1\n2,,2\n3,b,1\n4,NA,1\n"),
              "train.csv:3: column 'dose': the treatment is missing here, and in 2 of 4 rows in total; every row needs "
              "one");
    EXPECT_EQ(study_trouble("x,dose,score\n1,1,1\n2,inf,2\n"),
              "train.csv:3: column 'dose': the treatment is infinite; expected a finite number");
    std::string many = "x,dose,score\n";
    std::string many_texts = many;
    for (int i = 0; i < 100; ++i) {
        many += fmt::format("1,{},{}\n", i / 10.0, i);
        many_texts += fmt::format("1,t{},{}\n", i, i);
    }
    const std::string too_many =
        "train.csv: column 'dose': 100 distinct values, but at most 64 treatments are possible; group the values first";
    EXPECT_EQ(study_trouble(many), too_many);
    EXPECT_EQ(study_trouble(many_texts), too_many);
}

TEST(Observe, RefusesTreatmentsThatAreNotDeclared) {
    Schema schema;
    schema.treatments = {"Low", "Medium", "High"};
    const std::string text = "x,dose,score\n1,Low,1\n2,Low,2\n3,High,1\n4,High,1\n";
    EXPECT_EQ(study_trouble(text + "5,hgih,1\n", roles(), schema),
              "train.csv:6: column 'dose': 'hgih' is not a declared treatment (Low, Medium, High)");
    EXPECT_EQ(study_trouble(text, roles(), schema),
              "train.csv: column 'dose': the treatment 'Medium' has no rows, but at least two rows are needed");
}

TEST(Observe, RefusesOutcomesThatCannotBeLearnedFrom) {
    const auto with_last = [](const std::string& cell) {
        return study_trouble("x,dose,score\n1,a,1\n2,a,1\n3,b,1\n4,b," + cell + "\n");
    };
    EXPECT_EQ(with_last("high"), "train.csv:5: column 'score': 'high' is not a number; the outcome must be numeric");
    EXPECT_EQ(with_last(""),
              "train.csv:5: column 'score': the outcome is missing here, and in 1 of 4 rows in total (0 of 2 of 'a', 1 "
              "of 2 of "
              "'b'); every row needs one");
    EXPECT_EQ(with_last("inf"), "train.csv:5: column 'score': the outcome is infinite; expected a finite number");
    EXPECT_EQ(with_last("1.0"),
              "train.csv: column 'score': the outcome is 1 in every row, so there is nothing to learn from it");
    EXPECT_EQ(study_trouble("x,dose,score\n1,a,yes\n2,a,no\n3,b,yes\n4,b,no\n"),
              "train.csv:2: column 'score': 'yes' is not a number; the outcome must be numeric");
    const Table declared(
        {test::numbers("x", {1, 2}), test::truths("dose", {0, 1}), test::texts("score", {"1"}, {0, 0})});
    EXPECT_EQ(test::sentence_of(ErrorKind::data,
                                [&] { (void)observe(declared.take(std::vector<std::size_t>{0, 0, 1, 1}), roles()); }),
              "the table: column 'score': the column is categorical, but the outcome must be numeric");
}

TEST(Observe, RefusesFeaturesThatCannotBeLearnedFrom) {
    EXPECT_EQ(study_trouble("x,dose,score\n1,a,1\n2,a,1\n-inf,b,1\n4,b,2\n"),
              "train.csv:4: column 'x': the value is infinite; a feature must be finite or missing");
    EXPECT_EQ(study_trouble("x,dose,score\n,a,1\n,a,1\nNA,b,1\n,b,2\n"),
              "train.csv: column 'x': no row has a value; leave it out with --ignore x");
    EXPECT_EQ(study_trouble("dose,score\na,1\na,1\nb,1\nb,2\n"),
              "train.csv: no columns are left as features; at least one is needed");
    std::string identified = "id,dose,score\n";
    for (int i = 0; i < 2002; ++i) identified += fmt::format("p{},{},{}\n", i / 2, i % 2, i);
    EXPECT_EQ(study_trouble(identified),
              "train.csv: column 'id': 1001 distinct texts look like an identifier, not a feature (at most 1000 "
              "categories are inferred); leave it out with --ignore id, or declare its categories in a schema");
}

TEST(Observe, RefusesWeightsThatAreNone) {
    const auto with_weights = [](const std::string& a, const std::string& b) {
        return study_trouble("x,dose,score,w\n1,a,1," + a + "\n2,a,1,0\n3,b,1,0\n4,b,2," + b + "\n",
                             roles({.weight = "w"}));
    };
    EXPECT_EQ(with_weights("1", "-2"), "train.csv:5: column 'w': the weight -2 is negative; expected 0 or more");
    EXPECT_EQ(with_weights("1", "inf"), "train.csv:5: column 'w': the weight is infinite; expected a finite number");
    EXPECT_EQ(with_weights("", ""),
              "train.csv:2: column 'w': the weight is missing here, and in 2 of 4 rows in total; every row needs one");
    EXPECT_EQ(with_weights("0", "0"), "train.csv: column 'w': the weight is 0 in every row, so no row counts");
    EXPECT_EQ(with_weights("1", "heavy"),
              "train.csv:5: column 'w': 'heavy' is not a number; the weight must be numeric");
}

TEST(Fingerprint, IsTheSameForTheSameDataInAnotherLayout) {
    const std::string print = fingerprint(observe(table_of(plain), roles()));
    EXPECT_EQ(print.size(), 64u);
    const char* other =
        "score\tw\tage\tid\tdose\r\n1.0\t1\t30\tu1\tLow\r\n2\t-0\t4e1\t\"u2\"\tHigh\r\n"
        "3\t2\t50\tu3\tLow\r\n4\t1\t60\tu4\tHigh";
    const Observations seen = observe(parse_csv(other, "other.tsv"), roles({.features = {"id", "age", "w"}}));
    EXPECT_EQ(fingerprint(seen), print);
}

TEST(Fingerprint, DoesNotDependOnHowCategoriesAreNumbered) {
    const auto print = [](Column sex) {
        return fingerprint(
            observe(Table({std::move(sex), test::truths("dose", {0, 0, 1, 1}), test::numbers("score", {1, 2, 3, 4})}),
                    roles()));
    };
    EXPECT_EQ(print(test::texts("sex", {"F", "M"}, {0, 1, -1, 1})),
              print(test::texts("sex", {"M", "F"}, {1, 0, -1, 0})));
    EXPECT_NE(print(test::texts("sex", {"F", "M"}, {0, 1, -1, 1})),
              print(test::texts("sex", {"F", "M"}, {0, 1, 0, 1})));
}

TEST(Fingerprint, ChangesWithEveryPart) {
    const Observations seen = observe(table_of(plain), roles());
    const auto changed = [&](auto change) {
        Observations other = seen;
        change(other);
        return fingerprint(other) != fingerprint(seen);
    };
    EXPECT_TRUE(changed([](Observations& o) { o.outcome[3] = 4.5; }));
    EXPECT_TRUE(changed([](Observations& o) { o.treatment[0] = 0; }));
    EXPECT_TRUE(changed([](Observations& o) { o.treatments[0] = "high"; }));
    EXPECT_TRUE(changed([](Observations& o) { o.weight = {1, 1, 1, 1}; }));
    EXPECT_TRUE(changed([](Observations& o) { o.outcome_name = "y"; }));
    EXPECT_TRUE(changed([](Observations& o) { o.treatment_name = "t"; }));
    EXPECT_TRUE(changed([](Observations& o) { o.features = o.features.select(Names{"age", "id", "w"}); }));
}

TEST(Observe, SaysWhichColumnOneStrayTextTurnedIntoCategories) {
    const Table table =
        parse_csv("age,stage,t,y\n40,1,0,1\n50,x,0,2\n61,y,1,3\nunknown,z,1,4\n72,1,1,5\n55,2,0,6\n", "train.csv");
    const Observations seen = observe(table, {.treatment = "t", .outcome = "y"});
    ASSERT_EQ(seen.notes.size(), 1U);
    EXPECT_EQ(seen.notes[0],
              "column 'age' is read as categories, not numbers, because of 'unknown'; a schema can change that");
    Schema schema;
    schema.columns = {{.name = "age", .type = ColumnType::categorical}};
    EXPECT_TRUE(observe(table, {.treatment = "t", .outcome = "y"}, schema).notes.empty());
}

TEST(Observe, SaysThatTheTruthOfSimulatedDataIsLeftOut) {
    const Table table =
        parse_csv("x,t,y,y0,y1,best\n1,0,1,1,2,0\n2,0,2,1,2,0\n3,1,3,1,2,0\n4,1,4,1,2,0\n", "train.csv");
    const Observations seen = observe(table, {.treatment = "t", .outcome = "y"});
    EXPECT_EQ(seen.features.columns().size(), 1U);
    EXPECT_EQ(seen.notes,
              std::vector<std::string>{
                  "not used as features, because they are the true outcomes of simulated data: y0, y1, best"});
}

std::string weighted_trouble(const char* csv) {
    return test::sentence_of(ErrorKind::data, [&] {
        (void)observe(parse_csv(csv, "train.csv"), {.treatment = "t", .outcome = "y", .weight = "w"});
    });
}

TEST(Observe, LeavesRowsOfWeightZeroOutAsIfTheyWereNotThere) {
    const char* rows = "x,z,t,y,w\n1,5,0,1,1\n2,6,0,2,1\n3,5,1,3,2\n4,6,1,4,1\n";
    const char* more = "x,z,t,y,w\n1,5,0,1,1\n1e300,old,1,1e300,0\n2,6,0,2,1\n3,5,1,3,2\n4,6,1,4,1\n";
    const Roles weighted{.treatment = "t", .outcome = "y", .weight = "w", .ignore = {"z"}};
    const Observations seen = observe(parse_csv(more, "train.csv"), weighted);
    EXPECT_EQ(fingerprint(seen), fingerprint(observe(parse_csv(rows, "train.csv"), weighted)));
    EXPECT_EQ(seen.notes, std::vector<std::string>{"1 of 5 rows have weight 0 and are left out"});
    const char* arm = "x,t,y,w\n1,0,1,1\n2,0,2,1\n3,1,3,0\n4,1,4,1\n";
    EXPECT_EQ(weighted_trouble(arm),
              "train.csv: column 't': the treatment '1' has one row only, but at least two rows are needed");
}

TEST(Observe, SaysWhichColumnNeverVaries) {
    const Table table = parse_csv("year,x,t,y\n2023,1,0,1\n2023,2,0,2\n2023,3,1,3\n2023,4,1,4\n", "train.csv");
    EXPECT_EQ(observe(table, {.treatment = "t", .outcome = "y"}).notes,
              std::vector<std::string>{"column 'year' is the same in every row, so it has no effect"});
}

TEST(Observe, RefusesTreatmentCodesThatADoubleCannotTellApart) {
    EXPECT_NE(weighted_trouble("x,t,y,w\n1,999000011000001104,1,1\n2,999000011000001112,2,1\n")
                  .find("lose digits as numbers"),
              std::string::npos);
}

TEST(Observe, SaysWhichDeclaredColumnIsNotThere) {
    Schema schema;
    schema.columns = {{.name = "wieght", .unit = "kg"}};
    const Table table = parse_csv("x,t,y\n1,0,1\n2,0,2\n3,1,3\n4,1,4\n", "train.csv");
    EXPECT_EQ(observe(table, {.treatment = "t", .outcome = "y"}, schema).notes,
              std::vector<std::string>{"the schema declares column 'wieght', which is not in train.csv"});
}

}  // namespace
}  // namespace polyrx
