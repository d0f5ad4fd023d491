// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/fit_baseline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/baselines/optimal/fit_optimal_tree.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/every_row.hpp"
#include "polyrx/core/part_of_work.hpp"
#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/fit/tune/tune_personalization.hpp"
#include "polyrx/statistics/mean_estimate.hpp"
#include "polyrx/study/splits/folds_for.hpp"

namespace polyrx {
namespace {

void check_suits(Method method, std::size_t treatments) {
    if (suits(method, treatments)) return;
    const std::string name(name_of(method));
    const std::string base = name.substr(0, 2);
    if (treatments == 2)
        throw usage_error(
            fmt::format("--method {} chooses among more than two treatments; for two it is --method {}", name, base));
    throw usage_error(
        fmt::format("--method {} compares two treatments, and there are {}: expected {}-1va, {}-1v1a or {}-1v1b", name,
                    treatments, base, base, base));
}

EffectOptions effect_options(Method method, const TreatedRows& study, std::uint64_t seed, int threads) {
    if (name_of(method).starts_with("ct")) {
        CausalTreeOptions options;
        // Only a single tree is pruned, for readability. Pruning pairwise trees costs accuracy (experiments/peers).
        if (method != Method::ct) options.errors = 0;
        options.seed = seed;
        options.threads = threads;
        return options;
    }
    CausalForestOptions options;
    options.seed = seed;
    options.threads = threads;
    options.group = study.group;
    return options;
}

// Ranks a few settings or treatments; it does not estimate a value. A tenth of the work of a full evaluation ranks as
// well, and takes no longer than growing the trees.
DoublyRobustOptions judging_options(const TreatedRows& study, std::uint64_t seed, int threads) {
    DoublyRobustOptions judging{.folds = 3, .trees = 20, .outcome_leaf_rows = 10};
    judging.folds = folds_for(study.group, std::min(judging.folds, study.treatment.size()));
    judging.seed = seed;
    judging.threads = threads;
    return judging;
}

// Uses the doubly robust value, because those who received a treatment may be those with the best outcomes under any.
// Uses the worse end of its interval, because a treatment with few rows has an uncertain value.
ConstantOutcomes best_for_all(const TreatedRows& study, std::uint64_t seed, int threads, const Progress& progress) {
    constexpr double level = 0.95;
    const Matrix scores =
        doubly_robust(study, every_row(study.treatment.size()), judging_options(study, seed, threads), progress).scores;
    ConstantOutcomes constant;
    for (int k = 0; k < study.treatments; ++k) {
        const std::vector<double> scored(scores.col(k).begin(), scores.col(k).end());
        MeanEstimate value = estimate_mean(scored, {.weight = study.weight});
        set_interval(value, simultaneous_factor(1, level));
        if (!value.known) throw data_error(fmt::format("the value of treatment {} is {}", k, value.reason));
        constant.means.push_back(value.known->high);
    }
    return constant;
}

FittedBaseline personalized(Method method, const TreatedRows& study, std::uint64_t seed, int threads,
                            const Progress& progress) {
    const std::vector<std::size_t> rows = every_row(study.treatment.size());
    const DoublyRobustOptions judging = judging_options(study, seed, threads);
    const PersonalizationChoice choice = tune_personalization(
        method == Method::pt ? Personalization::tree : Personalization::forest, study, rows, judging, progress);
    FittedBaseline fitted{{method, {}},
                          {{"max-depth", choice.options.depth == 0 ? "none" : fmt::format("{}", choice.options.depth)},
                           {"treatment-rows", fmt::format("{}", choice.options.treatment_rows)}}};
    if (method == Method::pt) {
        fitted.baseline.model = fit_personalization_tree(study, rows, choice.options);
    } else {
        PersonalizationForestOptions options;
        options.tree = choice.options;
        options.seed = seed;
        options.threads = threads;
        fitted.baseline.model = fit_personalization_forest(study, rows, options, progress);
    }
    return fitted;
}

Matrix learning_scores(const TreatedRows& study, std::uint64_t seed, int threads, const Progress& progress) {
    DoublyRobustOptions options;
    options.folds = folds_for(study.group, std::min(options.folds, study.treatment.size()));
    options.seed = seed;
    options.threads = threads;
    // Scores take about as long as learning from them.
    return doubly_robust(study, every_row(study.treatment.size()), options, part_of_work(progress, 0, 0.5)).scores;
}

FittedBaseline best_tree(const TreatedRows& study, PolicyTreeOptions options, std::uint64_t seed, int threads,
                         const Progress& progress) {
    options.threads = threads;
    PolicyTree found =
        fit_policy_tree(study, every_row(study.treatment.size()), learning_scores(study, seed, threads, progress),
                        options, part_of_work(progress, 0.5, 1));
    FittedBaseline fitted{{Method::policytree, std::move(found.tree)},
                          {{"max-depth", fmt::format("{}", options.depth)}}};
    if (options.leaf_rows > 1) fitted.chosen.emplace_back("leaf-rows", fmt::format("{}", options.leaf_rows));
    if (found.split_step > 1) fitted.chosen.emplace_back("split-step", fmt::format("{}", found.split_step));
    fitted.chosen.emplace_back("search", found.is_exact ? "exact" : "approximate");
    return fitted;
}

decltype(Baseline::model) meta_learned(Method method, const TreatedRows& study, std::uint64_t seed, int threads,
                                       const Progress& progress) {
    MetaLearnerOptions options;
    options.seed = seed;
    options.threads = threads;
    if (method == Method::s_learner) return fit_s_learner(study, options, progress);
    if (method == Method::x_learner) return fit_x_learner(study, options, progress);
    if (method == Method::r_learner) return fit_r_learner(study, options, progress);
    return fit_dr_learner(study, learning_scores(study, seed, threads, progress), options,
                          part_of_work(progress, 0.5, 1));
}

bool is_optimal_tree(Method method) {
    return name_of(method).starts_with("opt");
}

FittedBaseline optimal_tree(Method method, const Matrix& encoded, const TreatedRows& study, OptimalTreeSearch search,
                            std::uint64_t seed, int threads, const Progress& progress) {
    search.seed = seed;
    search.threads = threads;
    const bool is_oblique = method == Method::opt_h || method == Method::opt_hl;
    const bool is_linear = method == Method::opt_l || method == Method::opt_hl;
    search.options.splits = is_oblique ? OptimalSplits::hyperplane : OptimalSplits::axis;
    search.options.leaves = is_linear ? OptimalLeaves::linear : OptimalLeaves::constant;
    OptimalTreeFit fit = fit_optimal_tree(encoded, study, every_row(study.treatment.size()), search, progress);
    FittedBaseline fitted{{method, std::move(fit.tree)},
                          {{"max-depth", fit.chosen.depth == 0 ? "none" : fmt::format("{}", fit.chosen.depth)},
                           {"leaf-rows", fmt::format("{}", fit.chosen.leaf_rows)},
                           {"treatment-rows", fmt::format("{}", fit.chosen.treatment_rows)},
                           {"complexity", fmt::format("{:.3g}", fit.chosen.complexity)},
                           {"restarts", fmt::format("{}", restarts_of(search))}},
                          fit.canceled};
    if (fit.held_out_cost) fitted.chosen.emplace_back("held-out cost", fmt::format("{:.5f}", *fit.held_out_cost));
    if (fit.out_of_time) fitted.chosen.emplace_back("max-seconds", fmt::format("{}", search.max_seconds));
    if (fit.out_of_time || fit.canceled)
        fitted.chosen.emplace_back("stopped after", fmt::format("{} of {} searches", fit.searches, fit.planned));
    return fitted;
}

}  // namespace

FittedBaseline fit_baseline(Method method, const Observations& observations, const Encoder& encoder, Matrix encoded,
                            std::span<const double> outcome, std::uint64_t seed, int threads, const Progress& progress,
                            const BaselineOptions& options) {
    check_suits(method, observations.treatments.size());
    const FeatureRows features = feature_rows(encoder, observations.features);
    if (method != Method::rc_lr && !is_optimal_tree(method))
        encoded.resize(0, 0);  // as large as the table, and no longer needed
    const TreatedRows study{features,
                            observations.treatment,
                            static_cast<int>(observations.treatments.size()),
                            outcome,
                            observations.weight,
                            observations.group,
                            observations.known_design()};
    switch (method) {
        case Method::network:
            throw usage_error("a network is no baseline");
        case Method::constant:
            return {{method, best_for_all(study, seed, threads, progress)}, {}};
        case Method::rc_lr:
            return {{method, fit_linear_outcomes(encoded, study, threads)}, {}};
        case Method::rc_rf:
            return {{method, fit_forest_outcomes(study, seed, threads, progress)}, {}};
        case Method::pt:
        case Method::pf:
            return personalized(method, study, seed, threads, progress);
        case Method::policytree:
            return best_tree(study, options.policy_tree, seed, threads, progress);
        case Method::s_learner:
        case Method::x_learner:
        case Method::r_learner:
        case Method::dr_learner:
            return {{method, meta_learned(method, study, seed, threads, progress)}, {}};
        case Method::opt:
        case Method::opt_l:
        case Method::opt_h:
        case Method::opt_hl:
            return optimal_tree(method, encoded, study, options.optimal_tree, seed, threads, progress);
        default:
            return {{method,
                     fit_pairwise_effects(features, study.treatment, study.treatments, outcome, observations.weight,
                                          scheme_of(method), effect_options(method, study, seed, threads), progress)},
                    {}};
    }
}

}  // namespace polyrx
