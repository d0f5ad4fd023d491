// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/recommend/judge_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polyrx/core/text/number_text.hpp"
#include "polyrx/evaluate/overlap/supported_rows.hpp"
#include "polyrx/evaluate/value/bounded_interval.hpp"
#include "polyrx/evaluate/value/bounded_value.hpp"
#include "polyrx/statistics/effective_rows.hpp"

namespace polyrx {
namespace {

// Prescriptions, and whether each is supported.
struct Judged {
    std::vector<int> prescriptions;
    std::vector<char> supported;
    BoundedEstimate value;
};

struct Evidence {
    double effective_rows = 0;
    std::optional<std::size_t> rarer_outcomes = {};  // as in Judgment

    [[nodiscard]] bool is_enough() const {
        return effective_rows >= least_effective_rows && rarer_outcomes.value_or(least_events) >= least_events;
    }
};

class Judge {
public:
    Judge(const JudgingRows& rows, double factor)
        : rows_(rows),
          least_(least_propensity(rows.by_design)),
          factor_(factor),
          practice_(value_as_treated(rows.rows)),
          are_events_(std::ranges::all_of(rows.rows.outcome, [&](double outcome) {
              return outcome == rows.range.least || outcome == rows.range.greatest;
          })) {}

    [[nodiscard]] Judged judged(std::span<const int> prescriptions) const {
        Judged result{{prescriptions.begin(), prescriptions.end()}, std::vector<char>(prescriptions.size()), {}};
        for (std::size_t i = 0; i < prescriptions.size(); ++i) {
            int& treatment = result.prescriptions[i];
            if (treatment == no_treatment)
                treatment = rows_.rows.treatment[i];
            else
                result.supported[i] = has(rows_.supported[i], treatment) ? 1 : 0;
        }
        result.value = bounded_value(rows_.rows, {result.prescriptions, result.supported}, rows_.range, least_);
        return result;
    }

    // The gain of a policy over practice.
    [[nodiscard]] Gain over_practice(const Judged& policy) const {
        Gain result = gain("current practice", bounded_difference(rows_.rows, policy.value, practice_));
        result.too_few_rows = is_changed(policy) && !evidence(policy).is_enough();
        return result;
    }

    [[nodiscard]] bool is_changed(const Judged& policy) const {
        return !std::ranges::equal(policy.prescriptions, rows_.rows.treatment);
    }

    [[nodiscard]] Gain over(const Judged& policy, const Judged& rival, const std::string& name) const {
        const BoundedEstimate paired =
            paired_with(rows_.rows, policy.value, policy.prescriptions, rival.value, rival.prescriptions);
        Gain result = gain(name, bounded_difference(rows_.rows, policy.value, paired));
        result.too_few_rows = !evidence_of_difference(policy, rival).is_enough();
        return result;
    }

    // Evidence for the gain over practice: rows that received a supported prescription, weighted by the factor of their
    // residual in the gain. Rows that nearly always receive their prescription say little about a change.
    [[nodiscard]] Evidence evidence(const Judged& policy) const {
        Received received;
        for (std::size_t i = 0; i < policy.prescriptions.size(); ++i) add_received(received, policy, i, 1);
        return evidence_of(received);
    }

private:
    // Rows that received a supported prescription.
    struct Received {
        EffectiveRows rows;
        std::size_t events = 0;
        std::size_t others = 0;
    };

    // The factor of a residual is the inverse propensity minus the factor in the value of practice.
    void add_received(Received& received, const Judged& policy, std::size_t row, double taken_off) const {
        const int treatment = policy.prescriptions[row];
        if (!policy.supported[row] || rows_.rows.treatment[row] != treatment) return;
        const double propensity = rows_.rows.propensities(static_cast<Eigen::Index>(row), treatment);
        received.rows.add(rows_.rows.weight_of(row) * (1 / std::max(propensity, least_) - taken_off));
        ++(rows_.rows.outcome[row] == rows_.range.least ? received.others : received.events);
    }

    [[nodiscard]] Evidence evidence_of(const Received& received) const {
        Evidence evidence{received.rows.count()};
        if (are_events_) evidence.rarer_outcomes = std::min(received.events, received.others);
        return evidence;
    }

    // Evidence for the gain of one policy over another: rows on which they differ and that received either
    // prescription. Equal policies need no rows.
    [[nodiscard]] Evidence evidence_of_difference(const Judged& policy, const Judged& rival) const {
        if (policy.prescriptions == rival.prescriptions) return {least_effective_rows};
        Received received;
        for (std::size_t i = 0; i < policy.prescriptions.size(); ++i)
            if (policy.prescriptions[i] != rival.prescriptions[i]) {
                add_received(received, policy, i, 0);
                add_received(received, rival, i, 0);
            }
        return evidence_of(received);
    }

    [[nodiscard]] Gain gain(const std::string& name, const BoundedEstimate& difference) const {
        Gain result{.over = name};
        const IntervalAnswer answer = bounded_interval(difference, factor_);
        if (!difference.estimable() || !answer.interval) return result;
        result.known = true;
        const bool up = rows_.larger_is_better;
        result.least = up ? *difference.lower.value : -*difference.upper.value;
        result.most = up ? *difference.upper.value : -*difference.lower.value;
        result.low = up ? answer.interval->low : -answer.interval->high;
        result.high = up ? answer.interval->high : -answer.interval->low;
        return result;
    }

    const JudgingRows& rows_;
    double least_;  // least propensity
    double factor_;
    ValueEstimate practice_;
    bool are_events_;  // there are two distinct outcomes
};

}  // namespace

std::string words_of(const Gain& gain) {
    if (!gain.known) return "not estimable";
    if (gain.too_few_rows) return "too few rows";
    const NumberWriter number(std::max(std::abs(gain.low), std::abs(gain.high)));
    const std::string estimate =
        gain.least == gain.most ? number(gain.least) : fmt::format("{} to {}", number(gain.least), number(gain.most));
    return fmt::format("{} {}", estimate, number.range(gain.low, gain.high));
}

std::string by_more_than(double margin) {
    return margin > 0 ? fmt::format(" by more than {}", number_text(margin)) : "";
}

std::string words_of(const Judgment& judgment) {
    const std::string gain = judgment.gains.empty() ? "" : words_of(judgment.gains.front());
    switch (judgment.answer) {
        case Judgment::Answer::better:
            return fmt::format("is better than current practice on held-out rows, gain {}", gain);
        case Judgment::Answer::practice_better:
            return fmt::format("is worse than current practice on held-out rows, gain {}", gain);
        case Judgment::Answer::rival_better: {
            const Gain& over = judgment.gains[*judgment.better_rival + 1];
            return fmt::format("is worse than {} on held-out rows, gain {}", over.over, words_of(over));
        }
        case Judgment::Answer::too_few_rows:
            if (judgment.effective_rows >= least_effective_rows && judgment.rarer_outcomes)
                return fmt::format(
                    "rests on too few rows (of those that received what it prescribes, {} had the rarer outcome; "
                    "{} are needed)",
                    *judgment.rarer_outcomes, least_events);
            return fmt::format("rests on too few rows ({:.0f} effective rows; {:.0f} are needed)",
                               judgment.effective_rows, least_effective_rows);
        case Judgment::Answer::not_shown:
            break;
    }
    return fmt::format("is not shown to be better than current practice{} on held-out rows, gain {}",
                       by_more_than(judgment.margin), gain);
}

Recommendation recommendation_of(const Judgment& judgment, std::string_view name) {
    const bool is_better = judgment.answer == Judgment::Answer::better;
    return {is_better,
            fmt::format("{}: {} {}.", is_better ? "Recommended" : "NOT recommended", name, words_of(judgment))};
}

Judgment judge_policy(const JudgingRows& judged_rows, std::span<const int> prescriptions, std::span<const Rival> rivals,
                      const JudgingOptions& options) {
    // Intervals: the policy and each rival against practice, and the policy against each rival.
    const Judge judge(judged_rows, bonferroni_factor(1 + 2 * rivals.size(), options.level));
    const Judged policy = judge.judged(prescriptions);
    Judgment result;
    result.margin = options.margin;
    result.rows = prescriptions.size();
    const Evidence evidence = judge.evidence(policy);
    result.effective_rows = evidence.effective_rows;
    result.rarer_outcomes = evidence.rarer_outcomes;
    const auto rows = static_cast<double>(prescriptions.size());
    std::size_t changed = 0;
    for (std::size_t i = 0; i < prescriptions.size(); ++i)
        changed += policy.prescriptions[i] != judged_rows.rows.treatment[i] ? 1 : 0;
    result.changed_share = static_cast<double>(changed) / rows;
    result.supported_share =
        static_cast<double>(std::count(policy.supported.begin(), policy.supported.end(), 1)) / rows;

    const Gain practice = judge.over_practice(policy);
    result.gains.push_back(practice);
    std::vector<std::size_t> usable;  // rivals with enough rows
    std::vector<std::size_t> known;   // rivals with too few rows but with an estimated gain
    for (std::size_t r = 0; r < rivals.size(); ++r) {
        const Judged rival = judge.judged(rivals[r].prescriptions);
        const Gain gain = result.gains.emplace_back(judge.over(policy, rival, rivals[r].name));
        const Gain of_rival = result.rival_gains.emplace_back(judge.over_practice(rival));
        if (!of_rival.known) continue;
        if (!judge.evidence(rival).is_enough()) {
            known.push_back(r);
            continue;
        }
        usable.push_back(r);
        if (!gain.known || gain.too_few_rows || gain.high >= 0) continue;
        if (!result.better_rival || gain.high < result.gains[*result.better_rival + 1].high) result.better_rival = r;
    }
    const bool is_judged = practice.known && (evidence.is_enough() || changed == 0);
    if (!is_judged)
        result.answer = Judgment::Answer::too_few_rows;
    else if (result.better_rival)
        result.answer = Judgment::Answer::rival_better;
    else if (practice.low > options.margin)
        result.answer = Judgment::Answer::better;
    else if (practice.high < 0)
        result.answer = Judgment::Answer::practice_better;
    if (result.answer == Judgment::Answer::better) return result;
    const auto prefer = [&](const std::vector<std::size_t>& among, double than) {
        for (const std::size_t r : among)
            if (result.rival_gains[r].low > than) {
                than = result.rival_gains[r].low;
                result.preferred = r;
            }
    };
    constexpr double nothing = -std::numeric_limits<double>::infinity();
    prefer(usable, is_judged && !result.better_rival ? practice.low : nothing);
    if (!result.preferred && result.answer != Judgment::Answer::not_shown)
        prefer(known, practice.known ? practice.low : nothing);
    return result;
}

}  // namespace polyrx
