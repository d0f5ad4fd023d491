// SPDX-License-Identifier: Apache-2.0
// Is a policy better than current practice, and than simple policies? By prescriptions for rows that it did not learn
// from, with bounds where the data are silent.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/evaluate/value/outcome_range.hpp"
#include "polyrx/evaluate/value/policy_value.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/study/treatment_set.hpp"

namespace polyrx {

// A simple policy to compare with.
struct Rival {
    std::string name;                // "always B", "the most likely treatment"
    std::vector<int> prescriptions;  // by row
};

// How much better one policy is than another, in units of the outcome; positive is better.
struct Gain {
    std::string over;
    bool known = false;
    bool too_few_rows = false;  // behind it for an interval: it may order policies, and is not to be shown
    double least = 0;           // of the estimate: equal to `most` where everything that differs is supported
    double most = 0;
    double low = 0;  // of the interval
    double high = 0;
    friend bool operator==(const Gain&, const Gain&) = default;
};

// "0.41 [0.22, 0.6]", with bounds "0.1 to 0.5 [0.02, 0.58]", or "too few rows".
[[nodiscard]] std::string words_of(const Gain& gain);

// What policies are judged by. Others own all of it.
struct JudgingRows {
    const EvaluatedRows& rows;                // scored by models that did not see the row
    std::span<const TreatmentSet> supported;  // of the treatments that rules allow
    OutcomeRange range;
    bool larger_is_better = false;
    bool by_design = false;  // the propensities are known
};

// With fewer events than this, or fewer rows without one, a normal interval is too short.
inline constexpr std::size_t least_events = 10;

struct JudgingOptions {
    double margin = 0;  // that the gain over practice must exceed
    double level = 0.95;
};

struct Judgment {
    enum class Answer {
        better,           // than practice, and no rival is better than it
        not_shown,        // to be better than practice
        practice_better,  // than the policy
        rival_better,     // than the policy
        too_few_rows,     // to say anything
    };
    Answer answer = Answer::not_shown;
    std::vector<Gain> gains;                  // of the policy: over practice first, then over each rival
    std::vector<Gain> rival_gains;            // of each rival over practice. All intervals hold at once
    std::optional<std::size_t> better_rival;  // of those that are better than the policy, the one that is most so
    // The rival to prefer to the policy, if there is one: where the policy is not shown to be better than practice, or
    // some rival is better than it, the rival whose gain over practice has the largest lower bound; in the first case
    // only if that is larger than the policy's own. A rival that rests on too few rows is preferred only where all do
    // and the policy rests on too few rows itself or is worse than practice.
    std::optional<std::size_t> preferred;
    double margin = 0;  // that was asked for
    std::size_t rows = 0;
    double effective_rows = 0;  // of those that received what is prescribed
    // Of events: how many of these rows had one, or had none, whichever is less.
    std::optional<std::size_t> rarer_outcomes = {};
    double supported_share = 0;  // of the rows: their prescription is supported
    double changed_share = 0;    // of the rows: they received something else than is prescribed
};

// " by more than 5", to follow "better than current practice"; empty for a margin of 0.
[[nodiscard]] std::string by_more_than(double margin);

// "is not shown to be better than current practice on held-out rows, gain ...": what is to be said of the policy.
[[nodiscard]] std::string words_of(const Judgment& judgment);
// Of the policy itself, whatever is preferred to it. `name` is "the learned policy", "the tree".
[[nodiscard]] Recommendation recommendation_of(const Judgment& judgment, std::string_view name);

// Prescriptions may be no_treatment, where rules leave none: such rows count as treated as they were.
[[nodiscard]] Judgment judge_policy(const JudgingRows& judged, std::span<const int> prescriptions,
                                    std::span<const Rival> rivals, const JudgingOptions& options = {});

}  // namespace polyrx
