// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/feature_rows.hpp"

#include <gtest/gtest.h>

#include "tests/support/decoded_features.hpp"
#include "tests/support/ward_rules.hpp"

namespace polyrx {
namespace {

TEST(FeatureRows, HaveTheCellsOfTheTable) {
    Rng rng(1, Draw::test);
    const Table table = test::ward_table(rng, 200);
    const Encoder encoder = make_encoder(table);
    const FeatureRows rows = feature_rows(encoder, table);
    ASSERT_EQ(rows.features(), 4U);
    EXPECT_EQ(rows.levels, (std::vector<int>{0, 0, 0, 3}));
    for (std::size_t row = 0; row < table.rows(); ++row) {
        for (std::size_t f = 0; f < 4; ++f) {
            const Column& column = table.at(encoder.features()[f].name);
            const double value = rows.values(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(f));
            ASSERT_EQ(std::isnan(value), column.is_missing(row));
            if (column.is_missing(row)) continue;
            if (const auto* numbers = std::get_if<NumericColumn>(&column.values)) {
                EXPECT_EQ(value, numbers->values[row]);
            }
            if (const auto* truths = std::get_if<BooleanColumn>(&column.values)) {
                EXPECT_EQ(value, truths->values[row]);
            }
            if (rows.levels[f] > 0) {
                EXPECT_EQ(encoder.features()[f].categories[static_cast<std::size_t>(value)], column.text(row));
            }
        }
    }
}

TEST(FeatureRows, ACategoryThatIsNotKnownIsMissing) {
    const Table known({test::texts("ward", {"north", "south"}, {0, 1})});
    const Encoder encoder = make_encoder(known);
    const Table other({test::texts("ward", {"west", "south"}, {0, 1})});
    const FeatureRows rows = feature_rows(encoder, other, Unseen::ignore);
    EXPECT_TRUE(std::isnan(rows.values(0, 0)));
    EXPECT_EQ(rows.values(1, 0), 1);
}

TEST(FeatureRows, AreWhatTheEncodedRowsSay) {
    const auto same = [](double a, double b) { return std::isnan(a) ? std::isnan(b) : a == b; };
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        Rng rng(seed, Draw::test);
        const Table known = test::ward_table(rng, seed % 2 == 0 ? 5 : 100);  // few rows: some lack missing cells
        const std::vector<DerivedFeature> derived = {
            {"sum", {.kind = Formula::Kind::add, .operands = {test::named("age"), test::named("dose")}}},
            {"no smoker", {.kind = Formula::Kind::missing, .name = "smoker"}}};
        const Encoder encoder = with_derived(make_encoder(known), derived, &known);
        Table other = test::ward_table(rng, 200);
        const FeatureRows rows = feature_rows(encoder, other, Unseen::ignore);
        const FeatureRows decoded = test::decoded_features(encoder, encoder.encode(other, Unseen::ignore));
        EXPECT_EQ(rows.levels, decoded.levels);
        ASSERT_EQ(rows.values.size(), decoded.values.size());
        for (Eigen::Index i = 0; i < rows.values.size(); ++i)
            ASSERT_TRUE(same(rows.values.data()[i], decoded.values.data()[i])) << i;
        const FeatureRows part = feature_rows(encoder, other, 30, 50, Unseen::ignore);
        for (Eigen::Index f = 0; f < rows.values.cols(); ++f)
            for (Eigen::Index i = 0; i < 50; ++i) ASSERT_TRUE(same(part.values(i, f), rows.values(30 + i, f)));
    }
}

TEST(FeatureRows, ACategoryThatIsNotKnownIsAnErrorUnlessIgnored) {
    const Table known({test::texts("ward", {"north", "south"}, {0, 1})});
    const Table other({test::texts("ward", {"west", "south"}, {0, 1})});
    EXPECT_THROW((void)feature_rows(make_encoder(known), other), Error);
}

}  // namespace
}  // namespace polyrx
