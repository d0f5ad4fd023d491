// SPDX-License-Identifier: Apache-2.0
// The splits of a comparison: the same rows to learn from and to be judged on for every method.
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

// Independent splits, each stratified by treatment.
struct RandomSplits {
    int splits = 10;
    double test_fraction = 0.3;
};

using SplitPlan = std::variant<Folds, RandomSplits>;

struct PlannedSplit {
    RowSplit rows;
    std::uint64_t seed = 0;  // of every fit on it
};

// Depends on the treatments given, the plan and the seed, and on nothing else: not on outcomes, nor on who is compared.
// Throws a data error where some split would leave fewer than two rows of a treatment to learn from.
[[nodiscard]] std::vector<PlannedSplit> plan_splits(const Observations& observations, const SplitPlan& plan,
                                                    std::uint64_t seed);

// "5 folds", "10 splits with a test fraction of 0.3"
[[nodiscard]] std::string plan_words(const SplitPlan& plan);

}  // namespace polyrx
