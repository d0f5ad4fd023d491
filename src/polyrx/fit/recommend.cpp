// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/recommend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/core/every_row.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/core/part_of_work.hpp"
#include "polyrx/core/text_table.hpp"
#include "polyrx/data/grouped_folds.hpp"
#include "polyrx/data/split.hpp"
#include "polyrx/evaluate/doubly_robust.hpp"
#include "polyrx/evaluate/effective_rows.hpp"
#include "polyrx/evaluate/supported_rows.hpp"
#include "polyrx/rules/choose.hpp"
#include "polyrx/train/train.hpp"

namespace polyrx {
namespace {

using Rows = std::vector<std::size_t>;

constexpr const char* most_likely = "the most likely treatment";

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
        result_.judgement.answer = Judgement::Answer::too_few_rows;
        try {
            if (learned_.scored) judge();
        } catch (const Diverged&) {
            cannot_judge();
        } catch (const Error& error) {  // outside of a fold all outcomes may be the same, say
            if (error.trouble() != Trouble::data) throw;
            cannot_judge();
        }
        decide();
        return std::move(result_);
    }

private:
    void cannot_judge() {
        result_.judgement = {};
        result_.judgement.answer = Judgement::Answer::too_few_rows;
        result_.folds = 0;
    }

    [[nodiscard]] std::vector<RowSplit> folds(const std::vector<int>& treatment) const {
        const bool few = learned_.scored->drawn || std::holds_alternative<BaselinePlan>(learned_.plan.how);
        const Rows group = study_.observations.group.empty() ? Rows{} : picked(study_.observations.group, rows_);
        return folds_of(treatment, group, few ? 2 : 5, seed_);
    }

    void judge() {
        rows_ = learned_.scored->rows;
        if (learned_.scored->drawn) result_.sampled_rows = rows_.size();
        std::vector<int> treatment;
        std::vector<double> outcome;
        std::vector<double> weight;
        for (const std::size_t row : rows_) {
            treatment.push_back(study_.observations.treatment[row]);
            outcome.push_back(study_.outcome[row]);
            if (!study_.observations.weight.empty()) weight.push_back(study_.observations.weight[row]);
        }
        const Nuisances& nuisances = learned_.scored->nuisances;
        const Rows group = study_.observations.group.empty() ? Rows{} : picked(study_.observations.group, rows_);
        const EvaluatedRows evaluated{treatment, outcome, nuisances.outcomes, nuisances.propensities, weight, group};
        const Matrix encoded = study_.encoded(rows_, Eigen::all);
        std::vector<TreatmentSet> allowed(rows_.size(), all_treatments(treatments_));
        if (!policy_.rules.bound.rules().empty()) {
            allowed = policy_.rules.bound.allowed(encoded);
            for (TreatmentSet& set : allowed)
                if (set == 0) set = all_treatments(treatments_);  // nothing is prescribed there
        }
        const double epsilon = policy_.rules.support ? policy_.rules.support->epsilon : default_epsilon;
        const std::vector<TreatmentSet> supported = supported_treatments(
            nuisances.propensities, allowed, {.epsilon = epsilon, .by_design = learned_.scored->design});
        values_ = doubly_robust_from(nuisances.outcomes, nuisances.propensities, treatment, outcome,
                                     least_propensity(learned_.scored->design))
                      .scores.colwise()
                      .mean()
                      .transpose();

        const std::vector<RowSplit> splits = folds(treatment);
        result_.folds = splits.size();
        prescribe_in_folds(splits, encoded);
        const JudgingRows judged{evaluated, supported, outcome_range(outcome), false, learned_.scored->design};
        result_.judgement = judge_policy(judged, prescribed_, rivals_, {.margin = options_.margin});
        if (!policy_.rules.support) return;
        for (std::size_t i = 0; i < prescribed_.size(); ++i)
            result_.changed_by_extrapolation += prescribed_[i] != extrapolated_[i] ? 1 : 0;
        if (result_.changed_by_extrapolation > 0)
            result_.extrapolating = judge_policy(judged, extrapolated_, {}).gains.front();
    }

    // What each policy prescribes to the rows of a fold when it has learned from the others.
    void prescribe_in_folds(const std::vector<RowSplit>& splits, const Matrix& encoded) {
        prescribed_.assign(rows_.size(), no_treatment);
        extrapolated_ = prescribed_;
        for (std::size_t k = 0; k < treatments_; ++k)
            rivals_.push_back({fmt::format("always {}", policy_.treatments[k]), prescribed_});
        rivals_.push_back({most_likely, prescribed_});
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
        Matrix outputs = learned_.held_out_outputs
                             ? Matrix((*learned_.held_out_outputs)(held_out, Eigen::all))
                             : Matrix(refitted_outputs(study_, kept, learned_.plan, 1, progress)(held_out, Eigen::all));
        BoundRules rules(policy_.rules.bound.rules(), treatments_);
        if (learned_.support)
            rules =
                BoundRules(rules.rules(), treatments_,
                           bind_support(refit_support(support_, kept, *learned_.support), study_.encoder, treatments_));
        const std::vector<TreatmentSet> supported = rules.supported(inputs);
        const auto store = [&](const std::vector<int>& chosen, std::vector<int>& to) {
            for (std::size_t i = 0; i < chosen.size(); ++i) to[split.held_out[i]] = chosen[i];
        };
        store(choose(supported, outputs), prescribed_);
        store(choose(rules.allowed(inputs), outputs), extrapolated_);
        for (std::size_t k = 0; k < treatments_; ++k)
            store(choose(supported, forward(always(static_cast<int>(k), inputs.cols()), inputs)),
                  rivals_[k].prescriptions);
        const BoundRules likely(
            rules.rules(), treatments_,
            bind_support(most_likely_support(support_, kept, learned_.support), study_.encoder, treatments_));
        store(choose(likely.supported(inputs), forward(constant_network(inputs.cols(), values_), inputs)),
              rivals_.back().prescriptions);
    }

    // The mean outcome of each treatment, with that of one below all others.
    [[nodiscard]] ReluNetwork always(int treatment, Eigen::Index inputs) const {
        Vector outcomes = values_;
        const double least = outcomes.minCoeff();
        if (outcomes[treatment] > least || (outcomes.array() == least).count() > 1)
            outcomes[treatment] = least - 1e-6 * std::max(1.0, std::abs(least));
        return constant_network(inputs, outcomes);
    }

    void decide() {
        using Answer = Judgement::Answer;
        const Judgement& judgement = result_.judgement;
        const Gain practice = judgement.gains.empty() ? Gain{} : judgement.gains.front();
        if (judgement.answer == Answer::better) {
            result_.recommendation = {
                true, fmt::format("Recommended: better than current practice on held-out rows, gain {}.",
                                  words_of(practice))};
            return;
        }
        const std::string why = why_not(practice);
        if (!judgement.preferred || options_.fallback == Fallback::none) {
            result_.recommendation = {false, fmt::format("NOT recommended: the learned policy {}.", why)};
            return;
        }
        const std::size_t rival = *judgement.preferred;
        write_fallback(rival);
        const Gain& gain = judgement.rival_gains[rival];
        const bool is_better = gain.low > options_.margin;
        result_.recommendation = {
            is_better, fmt::format("{}: {}, {} better than current practice on held-out rows, gain {}. The learned "
                                   "policy {}.",
                                   is_better ? "Recommended" : "NOT recommended", rivals_[rival].name,
                                   is_better ? "which is" : "which is not shown to be", words_of(gain), why)};
    }

    // "is not shown to be better than ...": what speaks against the learned policy.
    [[nodiscard]] std::string why_not(const Gain& practice) const {
        const Judgement& judgement = result_.judgement;
        switch (judgement.answer) {
            case Judgement::Answer::practice_better:
                return fmt::format("is worse than current practice on held-out rows, gain {}", words_of(practice));
            case Judgement::Answer::too_few_rows:
                return fmt::format("rests on too few rows ({:.0f} effective rows; {:.0f} are needed)",
                                   judgement.effective_rows, least_effective_rows);
            case Judgement::Answer::rival_better: {
                const std::size_t rival = *judgement.preferred;
                return fmt::format("is worse than {} on held-out rows, gain {}", rivals_[rival].name,
                                   words_of(judgement.gains[rival + 1]));
            }
            default:
                return fmt::format("is not shown to be better than current practice on held-out rows, gain {}",
                                   words_of(practice));
        }
    }

    void write_fallback(std::size_t rival) {
        const auto inputs = static_cast<Eigen::Index>(policy_.encoder.columns().size());
        FallbackPolicy& written = result_.fallback.emplace();
        written.name = rivals_[rival].name;
        if (rival < treatments_) {
            written.network = always(static_cast<int>(rival), inputs);
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
    Vector values_;  // by treatment: the doubly robust mean outcome, small is good
    std::vector<int> prescribed_;
    std::vector<int> extrapolated_;
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
