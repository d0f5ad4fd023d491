// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/row_json.hpp"

#include <gtest/gtest.h>

namespace polyrx {
namespace {

TEST(RowJson, HasNumbersTruthValuesTextsAndNothingWhereAValueIsMissing) {
    const Table row(std::vector<Column>{
        {"age", NumericColumn{{81.5}}},
        {"smoker", BooleanColumn{{1}, "no", "yes"}},
        {"diabetes", BooleanColumn{{0}}},
        {"sex", CategoricalColumn{{"F", "M"}, {1}}},
        {"weight", NumericColumn{{NumericColumn::missing}}},
    });
    const Json expected{{"age", 81.5}, {"smoker", true}, {"diabetes", false}, {"sex", "M"}, {"weight", nullptr}};
    EXPECT_EQ(row_json(row).dump(), expected.dump());
}

}  // namespace
}  // namespace polyrx
