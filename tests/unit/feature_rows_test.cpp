// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/feature_rows.hpp"

#include <gtest/gtest.h>

#include "tests/support/ward_rules.hpp"

namespace polyrx {
namespace {

TEST(FeatureRows, HaveTheCellsOfTheTable) {
    Rng rng(1, Draw::test);
    const Table table = test::ward_table(rng, 200);
    const Encoder encoder = make_encoder(table);
    const FeatureRows rows = feature_rows(encoder, encoder.encode(table));
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
    const FeatureRows rows = feature_rows(encoder, encoder.encode(other, Unseen::ignore));
    EXPECT_TRUE(std::isnan(rows.values(0, 0)));
    EXPECT_EQ(rows.values(1, 0), 1);
}

}  // namespace
}  // namespace polyrx
