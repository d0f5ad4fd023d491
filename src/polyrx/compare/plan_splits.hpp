// SPDX-License-Identifier: Apache-2.0
// The splits of a comparison: all methods have the same training and held-out rows.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "polyrx/study/observations.hpp"
#include "polyrx/study/splits/split.hpp"

namespace polyrx {

// Every row is held out once.
struct Folds {
    int folds = 5;
};

// Independent splits, stratified by treatment.
struct RandomSplits {
    int splits = 10;
    double test_fraction = 0.3;
};

using SplitPlan = std::variant<Folds, RandomSplits>;

struct PlannedSplit {
    RowSplit rows;
    std::uint64_t seed = 0;  // for every fit on this split
};

// Depends only on the received treatments, the plan and the seed, not on outcomes or methods. Throws a data error if a
// split has fewer than two training rows of a treatment.
[[nodiscard]] std::vector<PlannedSplit> plan_splits(const Observations& observations, const SplitPlan& plan,
                                                    std::uint64_t seed);

// "5 folds", "10 splits with a test fraction of 0.3"
[[nodiscard]] std::string plan_words(const SplitPlan& plan);

}  // namespace polyrx
