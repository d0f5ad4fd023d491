// SPDX-License-Identifier: Apache-2.0
#include "polyrx/compare/plan_splits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/study/splits/grouped_folds.hpp"

namespace polyrx {
namespace {

// Stream 0 of this purpose is what a split draws from; the others give each split a seed of its own. (Seeds that only
// count up would give comparisons with neighboring seeds the same splits.) 31 bits: exact in any reader of JSON.
std::uint64_t seed_of_split(std::uint64_t seed, std::size_t index) {
    return Rng(seed, Draw::split, index + 1).next() >> 33;
}

std::vector<RowSplit> rows_of(const Observations& observations, const Folds& plan, std::uint64_t seed) {
    const auto folds = static_cast<std::size_t>(std::max(plan.folds, 0));
    return observations.group.empty() ? k_folds(observations.treatment, folds, seed)
                                      : grouped_folds(observations.treatment, observations.group, folds, seed);
}

std::vector<RowSplit> rows_of(const Observations& observations, const RandomSplits& plan, std::uint64_t seed) {
    if (plan.splits < 1) throw usage_error(fmt::format("there must be at least 1 split, not {}", plan.splits));
    std::vector<RowSplit> splits;
    for (std::size_t i = 0; i < static_cast<std::size_t>(plan.splits); ++i) {
        const std::uint64_t own = seed_of_split(seed, i);
        splits.push_back(observations.group.empty() ? stratified_split(observations.treatment, plan.test_fraction, own)
                                                    : grouped_split(observations.group, plan.test_fraction, own));
        if (splits.back().held_out.empty())
            throw usage_error(fmt::format("a test fraction of {} holds out none of {} rows", plan.test_fraction,
                                          observations.rows()));
    }
    return splits;
}

// As observe() demands of the whole: one row of a treatment says nothing of how outcomes vary under it.
void check_enough_to_learn_from(const Observations& observations, const RowSplit& split, const SplitPlan& plan) {
    std::vector<std::size_t> kept(observations.treatments.size());
    for (const std::size_t row : split.kept) ++kept[static_cast<std::size_t>(observations.treatment[row])];
    for (std::size_t k = 0; k < kept.size(); ++k)
        if (kept[k] < 2)
            throw data_error(fmt::format(
                "{}: treatment {} was given in {} rows only, too few for {}: a method must learn from at least 2",
                observations.features.where(), in_quotes(observations.treatments[k]),
                std::ranges::count(observations.treatment, static_cast<int>(k)), plan_words(plan)));
}

}  // namespace

std::vector<PlannedSplit> plan_splits(const Observations& observations, const SplitPlan& plan, std::uint64_t seed) {
    const auto splits = std::visit([&](const auto& each) { return rows_of(observations, each, seed); }, plan);
    std::vector<PlannedSplit> planned;
    for (const RowSplit& split : splits) {
        check_enough_to_learn_from(observations, split, plan);
        planned.push_back({split, seed_of_split(seed, planned.size())});
    }
    return planned;
}

std::string plan_words(const SplitPlan& plan) {
    if (const auto* folds = std::get_if<Folds>(&plan)) return fmt::format("{} folds", folds->folds);
    const auto& random = std::get<RandomSplits>(plan);
    return fmt::format("{} split{} with a test fraction of {}", random.splits, random.splits == 1 ? "" : "s",
                       random.test_fraction);
}

}  // namespace polyrx
