// SPDX-License-Identifier: Apache-2.0
// Tests whether a policy is better than current practice and simple policies. Uses held-out prescriptions, and bounds
// where they are not supported.
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

// The gain of one policy over another, in units of the outcome; positive is better.
struct Gain {
    std::string over;
    bool known = false;
    bool too_few_rows = false;  // for an interval: the estimate may rank policies, but must not be shown
    double least = 0;           // bounds of the estimate; equal to `most` if all differing prescriptions are supported
    double most = 0;
    double low = 0;  // ends of the interval
    double high = 0;
    friend bool operator==(const Gain&, const Gain&) = default;
};

// "0.41 [0.22, 0.6]", with bounds "0.1 to 0.5 [0.02, 0.58]", or "too few rows".
[[nodiscard]] std::string words_of(const Gain& gain);

// The rows that evaluate policies. Borrows everything.
struct JudgingRows {
    const EvaluatedRows& rows;                // scored by models that were not fitted on the row
    std::span<const TreatmentSet> supported;  // among the treatments that rules allow
    OutcomeRange range;
    bool larger_is_better = false;
    bool by_design = false;  // propensities are known
};

// With fewer events or fewer non-events than this, a normal interval is too short.
inline constexpr std::size_t least_events = 10;

struct JudgingOptions {
    double margin = 0;  // least gain over practice
    double level = 0.95;
};

struct Judgment {
    enum class Answer {
        better,           // than practice, and no rival is better than the policy
        not_shown,        // to be better than practice
        practice_better,  // than the policy
        rival_better,     // than the policy
        too_few_rows,     // to say anything
    };
    Answer answer = Answer::not_shown;
    std::vector<Gain> gains;        // of the policy: over practice first, then over each rival
    std::vector<Gain> rival_gains;  // of each rival over practice. All intervals are simultaneous
    std::optional<std::size_t>
        better_rival;  // the rival with the largest gain over the policy, if one is better than it
    // The rival to prefer to the policy, if any. A rival is preferred if the policy is not shown to be better than
    // practice, or if some rival is better than the policy. It is the rival whose gain over practice has the largest
    // lower bound. In the first case, this bound must also be larger than the policy's. A rival with too few rows is
    // preferred only if all rivals have too few rows and the policy has too few rows itself or is worse than practice.
    std::optional<std::size_t> preferred;
    double margin = 0;  // as requested
    std::size_t rows = 0;
    double effective_rows = 0;  // of rows that received their prescription
    // For events: the number of these rows with or without the event, whichever is less.
    std::optional<std::size_t> rarer_outcomes = {};
    double supported_share = 0;  // share of rows with a supported prescription
    double changed_share = 0;    // share of rows that received another treatment than is prescribed
};

// " by more than 5", to follow "better than current practice"; empty for a margin of 0.
[[nodiscard]] std::string by_more_than(double margin);

// The verdict in words: "is not shown to be better than current practice on held-out rows, gain ...".
[[nodiscard]] std::string words_of(const Judgment& judgment);
// The recommendation of the policy itself, even if a rival is preferred. `name` is "the learned policy", "the tree".
[[nodiscard]] Recommendation recommendation_of(const Judgment& judgment, std::string_view name);

// Prescriptions may be no_treatment if rules leave none. Such rows count as treated as in practice.
[[nodiscard]] Judgment judge_policy(const JudgingRows& judged, std::span<const int> prescriptions,
                                    std::span<const Rival> rivals, const JudgingOptions& options = {});

}  // namespace polyrx
