// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/recommend/recommend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/core/every_row.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/core/part_of_work.hpp"
#include "polyrx/core/text/text_table.hpp"
#include "polyrx/evaluate/overlap/supported_rows.hpp"
#include "polyrx/fit/recommend/judging_study.hpp"
#include "polyrx/nuisance/doubly_robust.hpp"
#include "polyrx/rules/choose.hpp"
#include "polyrx/statistics/effective_rows.hpp"
#include "polyrx/study/splits/grouped_folds.hpp"
#include "polyrx/study/splits/split.hpp"
#include "polyrx/train/train.hpp"

namespace polyrx {
namespace {

using Rows = std::vector<std::size_t>;

constexpr const char* most_likely = "the most likely treatment";
// Policies between the learned one and the most likely treatment.
constexpr double stricter_epsilons[] = {0.1, 0.3};
// One treatment for all is crude, so it is restricted to treatments that are common among similar rows.
constexpr double epsilon_of_constants = 0.3;

// "is better than current practice", and other verdicts on a gain over practice.
std::string against_practice(const Gain& gain, double margin) {
    if (gain.too_few_rows) return "rests on too few rows";
    if (gain.low > margin) return "is better than current practice";
    if (gain.high < 0) return "is worse than current practice";
    return "is not shown to be better than current practice" + by_more_than(margin);
}

// A policy that may replace the learned one: one treatment for all within support, the learned policy with a stricter
// epsilon, or, with neither, the most likely treatment.
struct SaferPolicy {
    std::optional<int> treatment = {};
    std::optional<double> epsilon = {};
};

// A network that gives all rows the same outcomes.
ReluNetwork constant_network(Eigen::Index inputs, const Vector& outcomes) {
    return ReluNetwork({Layer{Matrix::Zero(outcomes.size(), inputs), outcomes}});
}

class Recommender {
public:
    Recommender(const LearnedPolicy& learned, const RecommendOptions& options, std::uint64_t seed, int threads,
                const Progress& progress)
        : learned_(learned),
          policy_(learned.policy),
          study_(learned.study),
          support_(support_study(learned.study, nullptr)),
          options_(options),
          seed_(seed),
          threads_(threads),
          progress_(progress),
          treatments_(policy_.treatments.size()) {}

    Recommended run() {
        result_.judgment.answer = Judgment::Answer::too_few_rows;
        try {
            if (learned_.scored) judge();
        } catch (const Diverged&) {
            cannot_judge();
        } catch (const Error& error) {  // for example, if all outcomes outside a fold are equal
            if (error.kind() != ErrorKind::data) throw;
            cannot_judge();
        }
        decide();
        return std::move(result_);
    }

private:
    void cannot_judge() {
        result_.judgment = {};
        result_.judgment.answer = Judgment::Answer::too_few_rows;
        result_.folds = 0;
    }

    void judge() {
        const ScoredStudy& scored = *learned_.scored;
        rows_ = scored.rows;
        if (scored.drawn) result_.sampled_rows = rows_.size();
        const JudgingStudy judging(study_, scored, policy_);
        const JudgingRows judged = judging.rows();
        const Matrix scores =
            doubly_robust_from(scored.nuisances.outcomes, scored.nuisances.propensities, judging.treatment(),
                               judged.rows.outcome, least_propensity(scored.design))
                .scores;
        values_ = Vector::Zero(scores.cols());
        double total = 0;
        for (Eigen::Index i = 0; i < scores.rows(); ++i) {
            const double weight = judged.rows.weight_of(static_cast<std::size_t>(i));
            values_ += weight * scores.row(i).transpose();
            total += weight;
        }
        values_ /= total;

        const bool few = scored.drawn || std::holds_alternative<BaselinePlan>(learned_.plan.how);
        const std::vector<RowSplit> splits = folds_of(judging.treatment(), judging.group(), few ? 2 : 5, seed_);
        result_.folds = splits.size();
        prescribe_in_folds(splits, judging.encoded());
        keep_distinct_rivals();
        result_.judgment = judge_policy(judged, prescribed_, rivals_, {.margin = options_.margin});
        if (!policy_.rules.support) return;
        for (std::size_t i = 0; i < prescribed_.size(); ++i)
            result_.changed_by_extrapolation += prescribed_[i] != extrapolated_[i] ? 1 : 0;
        if (result_.changed_by_extrapolation > 0)
            result_.extrapolating = judge_policy(judged, extrapolated_, {}).gains.front();
    }

    // Computes the prescriptions of each policy for each fold, learned from the other folds.
    void prescribe_in_folds(const std::vector<RowSplit>& splits, const Matrix& encoded) {
        prescribed_.assign(rows_.size(), no_treatment);
        extrapolated_ = prescribed_;
        const auto add = [&](SaferPolicy plan, std::string name) {
            plans_.push_back(plan);
            rivals_.push_back({std::move(name), prescribed_});
        };
        for (int k = 0; k < static_cast<int>(treatments_); ++k)
            if (!learned_.support ||
                std::ranges::find(learned_.support->support.never, k) == learned_.support->support.never.end())
                add({.treatment = k}, fmt::format("always {}", policy_.treatments[static_cast<std::size_t>(k)]));
        // In a known design, the most likely treatment reflects nobody's judgment.
        if (!learned_.scored->design) add({}, most_likely);
        if (learned_.support && !learned_.support->support.design)
            for (const double epsilon : stricter_epsilons)
                if (epsilon > learned_.support->support.epsilon)
                    add({.epsilon = epsilon}, fmt::format("the learned policy with support {}", epsilon));
        std::atomic<std::size_t> done{0};
        const Progress learning = side_by_side(
            part_of_work(progress_, 0, 1, "recommending"),
            [&] { return static_cast<double>(done) / static_cast<double>(splits.size()); }, "recommending");
        parallel_for(splits.size(), threads_, [&](std::size_t f) {
            prescribe_in_fold(splits[f], encoded, learning);
            ++done;
        });
    }

    void prescribe_in_fold(const RowSplit& split, const Matrix& encoded, const Progress& progress) {
        const Rows kept = picked(rows_, split.kept);
        const Rows held_out = picked(rows_, split.held_out);
        const Matrix inputs = encoded(split.held_out, Eigen::all);
        const Matrix outputs =
            learned_.held_out_outputs
                ? Matrix((*learned_.held_out_outputs)(held_out, Eigen::all))
                : Matrix(refitted_outputs(study_, kept, learned_.plan, 1, progress)(held_out, Eigen::all));
        BoundRules rules(policy_.rules.bound.rules(), treatments_);
        const auto with = [&](const Support& support) {
            return BoundRules(rules.rules(), treatments_, bind_support(support, study_.encoder, treatments_));
        };
        std::optional<Support> learned_support;
        if (learned_.support) learned_support = refit_support(support_, kept, *learned_.support);
        const std::vector<TreatmentSet> supported =
            (learned_support ? with(*learned_support) : rules).supported(inputs);
        const auto store = [&](const std::vector<int>& chosen, std::vector<int>& to) {
            for (std::size_t i = 0; i < chosen.size(); ++i) to[split.held_out[i]] = chosen[i];
        };
        store(choose(supported, outputs), prescribed_);
        store(choose(rules.allowed(inputs), outputs), extrapolated_);
        const std::vector<TreatmentSet> common =
            learned_support ? with(for_constants(*learned_support)).supported(inputs) : supported;
        for (std::size_t r = 0; r < plans_.size(); ++r)
            if (plans_[r].treatment) {
                store(choose(common, forward(always(*plans_[r].treatment, inputs.cols()), inputs)),
                      rivals_[r].prescriptions);
            } else if (plans_[r].epsilon) {
                learned_support->epsilon = *plans_[r].epsilon;
                store(choose(with(*learned_support).supported(inputs), outputs), rivals_[r].prescriptions);
            } else {
                store(choose(with(most_likely_support(support_, kept, learned_.support)).supported(inputs),
                             forward(constant_network(inputs.cols(), values_), inputs)),
                      rivals_[r].prescriptions);
            }
    }

    // Removes rivals with the same prescriptions as the learned policy or an earlier rival. Renames one treatment for
    // all if it is not prescribed for all rows.
    void keep_distinct_rivals() {
        std::vector<Rival> rivals;
        std::vector<SaferPolicy> plans;
        for (std::size_t r = 0; r < rivals_.size(); ++r) {
            Rival& rival = rivals_[r];
            if (rival.prescriptions == prescribed_ ||
                std::ranges::find(rivals, rival.prescriptions, &Rival::prescriptions) != rivals.end())
                continue;
            const std::optional<int> one = plans_[r].treatment;
            if (one && std::ranges::any_of(rival.prescriptions, [&](int treatment) { return treatment != *one; }))
                rival.name = fmt::format("{} where {}", policy_.treatments[static_cast<std::size_t>(*one)],
                                         policy_.rules.bound.rules().empty() ? "supported" : "allowed and supported");
            rivals.push_back(std::move(rival));
            plans.push_back(plans_[r]);
        }
        rivals_ = std::move(rivals);
        plans_ = std::move(plans);
    }

    [[nodiscard]] static Support for_constants(Support support) {
        support.epsilon = std::max(support.epsilon, epsilon_of_constants);
        return support;
    }

    // The mean outcome of each treatment, with `treatment` set below all others.
    [[nodiscard]] ReluNetwork always(int treatment, Eigen::Index inputs) const {
        Vector outcomes = values_;
        const double least = outcomes.minCoeff();
        if (outcomes[treatment] > least || (outcomes.array() == least).count() > 1)
            outcomes[treatment] = least - 1e-6 * std::max(1.0, std::abs(least));
        return constant_network(inputs, outcomes);
    }

    void decide() {
        const Judgment& judgment = result_.judgment;
        if (judgment.answer == Judgment::Answer::better || !judgment.preferred || options_.fallback == Fallback::none) {
            result_.recommendation = recommendation_of(judgment, "the learned policy");
            return;
        }
        const std::size_t rival = *judgment.preferred;
        write_fallback(rival);
        const Gain& gain = judgment.rival_gains[rival];
        const bool is_better = gain.low > options_.margin && !gain.too_few_rows;
        const std::string shown = gain.too_few_rows ? "" : fmt::format(" on held-out rows, gain {}", words_of(gain));
        result_.recommendation = {
            is_better,
            fmt::format("{}: {}, which {}{}. The learned policy {}.", is_better ? "Recommended" : "NOT recommended",
                        rivals_[rival].name, against_practice(gain, options_.margin), shown, words_of(judgment))};
    }

    void write_fallback(std::size_t rival) {
        const auto inputs = static_cast<Eigen::Index>(policy_.encoder.columns().size());
        FallbackPolicy& written = result_.fallback.emplace();
        written.name = rivals_[rival].name;
        if (plans_[rival].treatment) {
            written.network = always(*plans_[rival].treatment, inputs);
            if (learned_.support) written.support = for_constants(learned_.support->support);
        } else if (plans_[rival].epsilon) {
            written.support = learned_.support->support;
            written.support->epsilon = *plans_[rival].epsilon;
        } else {
            written.network = constant_network(inputs, values_);
            written.support = most_likely_support(support_, every_row(study_.observations.rows()), learned_.support);
        }
    }

    const LearnedPolicy& learned_;
    const Policy& policy_;
    const NetworkStudy& study_;
    SupportStudy support_;
    const RecommendOptions& options_;
    std::uint64_t seed_;
    int threads_;
    const Progress& progress_;
    std::size_t treatments_;
    Rows rows_;
    Vector values_;  // by treatment: the doubly robust mean outcome; smaller is better
    std::vector<int> prescribed_;
    std::vector<int> extrapolated_;
    std::vector<SaferPolicy> plans_;  // how to build each rival
    std::vector<Rival> rivals_;
    Recommended result_;
};

}  // namespace

std::string_view name_of(Fallback fallback) {
    return fallback == Fallback::best ? "best" : "none";
}

Recommended recommend(const LearnedPolicy& learned, const RecommendOptions& options, std::uint64_t seed, int threads,
                      const Progress& progress) {
    return Recommender(learned, options, seed, threads, progress).run();
}

}  // namespace polyrx
