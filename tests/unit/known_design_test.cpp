// SPDX-License-Identifier: Apache-2.0
// Known probabilities of treatment: constants or columns, checked row by row.
#include "polyrx/study/known_design.hpp"

#include <gtest/gtest.h>

#include "polyrx/study/observations.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::numbers;
using test::texts;

Table trial() {
    return Table({numbers("x", {1, 2, 3, 4, 5}), texts("arm", {"A", "B"}, {0, 1, 0, 1, 0}),
                  numbers("y", {1, 2, 3, 4, 5}), numbers("pa", {0.5, 0.25, 1, 0.5, 0.5}),
                  numbers("pb", {0.5, 0.75, 0, 0.5, 0.5}), numbers("w", {0, 1, 1, 1, 1})});
}

Observations with_propensities(std::vector<std::string> propensities, const Table& table = trial()) {
    return observe(table,
                   {.treatment = "arm", .outcome = "y", .ignore = {"w"}, .propensities = std::move(propensities)});
}

std::string design_error(ErrorKind kind, const std::vector<std::string>& propensities) {
    return test::sentence_of(kind, [&] { (void)with_propensities(propensities); });
}

TEST(KnownDesign, IsReadFromNumbersOrColumns) {
    const Observations constant = with_propensities({"1/4", "0.75"});
    ASSERT_EQ(constant.design.rows(), 5);
    EXPECT_EQ(constant.design(3, 0), 0.25);
    EXPECT_EQ(constant.design(3, 1), 0.75);
    EXPECT_EQ(constant.design_name, "1/4,0.75");
    EXPECT_NE(constant.features.find("pa"), nullptr);
    const Observations columns = with_propensities({"B=pb", "A=pa"});
    EXPECT_EQ(columns.design(1, 0), 0.25);
    EXPECT_EQ(columns.design(2, 1), 0);
    EXPECT_EQ(columns.features.find("pa"), nullptr) << "a propensity is no feature";
    EXPECT_NEAR(with_propensities({"B=1/3", "A=2/3"}).design(0, 0), 2.0 / 3, 1e-15);
}

TEST(KnownDesign, GoesWithItsRows) {
    const Observations some = take(with_propensities({"pa", "pb"}), std::vector<std::size_t>{3, 1});
    ASSERT_EQ(some.design.rows(), 2);
    EXPECT_EQ(some.design(0, 0), 0.5);
    EXPECT_EQ(some.design(1, 0), 0.25);
    const Observations weighted =
        observe(trial(), {.treatment = "arm", .outcome = "y", .weight = "w", .propensities = {"pa", "pb"}});
    ASSERT_EQ(weighted.design.rows(), 4);
    EXPECT_EQ(weighted.design(1, 0), 1);
}

TEST(KnownDesign, RefusesWhatIsNone) {
    EXPECT_EQ(design_error(ErrorKind::data, {"0.5", "0.6"}), "row 1: the propensities sum to 1.1; expected 1");
    EXPECT_EQ(design_error(ErrorKind::data, {"-0.5", "1.5"}),
              "row 1: the propensity of treatment 'A' is -0.5; expected a number from 0 to 1");
    EXPECT_EQ(design_error(ErrorKind::data, {"0", "1"}),
              "row 1: the treatment 'A' was received, but its propensity is 0");
    EXPECT_EQ(design_error(ErrorKind::usage, {"0.5", "pb"}),
              "--propensities: expected numbers for all treatments or columns for all treatments");
    EXPECT_EQ(design_error(ErrorKind::usage, {"pa", "pa"}), "--propensities names the column 'pa' for two treatments");
    EXPECT_EQ(design_error(ErrorKind::usage, {"1/2"}),
              "--propensities names 1 column, but there are 2 treatments (A, B)");
    EXPECT_NE(design_error(ErrorKind::data, {"pa", "pc"}).find("pc"), std::string::npos);
}

}  // namespace
}  // namespace polyrx
