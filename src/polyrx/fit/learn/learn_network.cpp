// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/learn/learn_network.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/fit/learn/scaled_rows.hpp"
#include "polyrx/network/ensemble.hpp"
#include "polyrx/study/splits/grouped_folds.hpp"
#include "polyrx/study/splits/split.hpp"
#include "polyrx/train/gradient/objective.hpp"
#include "polyrx/train/train_all.hpp"

namespace polyrx {
namespace {

// Bootstrap sample with the same number of rows of each treatment.
std::vector<std::size_t> bag_of(std::span<const std::size_t> rows, std::span<const int> treatment, Rng rng) {
    std::vector<std::vector<std::size_t>> by_treatment;
    for (const std::size_t row : rows) {
        const auto k = static_cast<std::size_t>(treatment[row]);
        if (by_treatment.size() <= k) by_treatment.resize(k + 1);
        by_treatment[k].push_back(row);
    }
    std::vector<std::size_t> bag;
    for (const std::vector<std::size_t>& arm : by_treatment)
        for (std::size_t i = 0; i < arm.size(); ++i) bag.push_back(arm[rng.below(arm.size())]);
    std::ranges::sort(bag);
    return bag;
}

RowSplit split_for_validation(const NetworkStudy& study, std::span<const std::size_t> rows, double share,
                              std::uint64_t seed) {
    std::vector<int> treatment;
    std::vector<std::size_t> group;
    for (const std::size_t row : rows) {
        treatment.push_back(study.observations.treatment[row]);
        if (!study.observations.group.empty()) group.push_back(study.observations.group[row]);
    }
    const RowSplit places =
        group.empty() ? stratified_split(treatment, share, seed) : grouped_split(group, share, seed);
    if (places.kept.empty()) throw usage_error("the validation fraction leaves no rows to train on");
    if (share > 0 && places.held_out.empty())
        throw usage_error(fmt::format("a validation fraction of {} holds out none of {} rows", share, rows.size()));
    return {picked(rows, places.kept), picked(rows, places.held_out)};
}

TrainOptions training_options(const NetworkOptions& options, const ScaledRows& member, std::size_t treatments,
                              std::uint64_t seed) {
    TrainOptions training;
    training.hidden = options.hidden;
    training.treatments = static_cast<int>(treatments);
    training.mu = mu_for_scaled_outcome(options.mu, member.outcome.scale);
    training.epochs = epochs_for(options, static_cast<std::size_t>(member.kept.size()));
    training.batch = options.batch;
    training.learning_rate = options.learning_rate;
    training.schedule = options.schedule;
    training.weight_decay = options.weight_decay;
    training.effect_shrinkage = options.effect_shrinkage;
    training.shrunk = options.shrunk;
    training.effects = options.effects;
    training.clip_gradient = options.clip_gradient;
    training.patience = options.patience;
    training.retries = options.retries;
    training.sparsity = options.sparsity;
    training.seed = seed;
    return training;
}

// Loss of the epoch whose weights are kept: on held-out rows if there are any.
double loss_of(const Trained& trained) {
    if (trained.best_epoch == 0) return 0;
    const EpochLoss& loss = trained.history[static_cast<std::size_t>(trained.best_epoch - 1)];
    return loss.validation.value_or(loss.training);
}

}  // namespace

LearnedNetwork learn_network(const NetworkStudy& study, std::span<const std::size_t> rows,
                             const NetworkOptions& options, std::uint64_t seed, int threads, const Progress& progress) {
    check_network_options(options);
    const RowSplit split = split_for_validation(study, rows, options.validation_fraction, seed);
    const auto count = static_cast<std::size_t>(options.members);
    const auto restarts = static_cast<std::size_t>(options.restarts);
    // Without bagging, all members share the same rows.
    std::vector<ScaledRows> seen(options.bagged ? count : 1);
    const auto rows_of = [&](std::size_t member) -> ScaledRows& { return seen[options.bagged ? member : 0]; };
    std::vector<TrainingTask> tasks;  // the restarts of a member are adjacent
    for (std::size_t m = 0; m < count; ++m) {
        if (options.bagged)
            rows_of(m) = scale_rows(
                study, {bag_of(split.kept, study.observations.treatment, Rng(seed, Draw::bag, m)), split.held_out},
                options.outcome_scale, options.balance);
        else if (m == 0)
            rows_of(m) = scale_rows(study, split, options.outcome_scale, options.balance);
        const ScaledRows& member = rows_of(m);
        const std::uint64_t member_seed = m == 0 ? seed : Rng(seed, Draw::member, m).next();
        for (std::size_t r = 0; r < restarts; ++r)
            tasks.push_back({&member.kept, member.held_out.size() > 0 ? &member.held_out : nullptr,
                             training_options(options, member, study.observations.treatments.size(),
                                              r == 0 ? member_seed : Rng(member_seed, Draw::restart, r).next())});
    }
    const std::vector<Trained> trained = train_all(tasks, threads, progress);

    LearnedNetwork learned;
    std::vector<ReluNetwork> members;
    for (std::size_t m = 0; m < count; ++m) {
        const ScaledRows& member = rows_of(m);
        const std::span begun = std::span(trained).subspan(m * restarts, restarts);
        const Trained& best = *std::ranges::min_element(begun, {}, loss_of);
        members.push_back(in_users_units(best.network, member));
        for (const Trained& each : begun) learned.retries += each.retries;
        if (m > 0) continue;
        learned.history = best.history;
        learned.epochs = tasks.front().options.epochs;
        learned.best_epoch = best.best_epoch;
        learned.stopped_early = best.stopped_early;
        learned.learning_rate = best.learning_rate;
    }
    learned.network = ensemble(members);
    return learned;
}

}  // namespace polyrx
