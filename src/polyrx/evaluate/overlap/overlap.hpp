// SPDX-License-Identifier: Apache-2.0
// Can the data answer? How often each treatment was given to rows like these, and how many rows a value rests on.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/evaluate/effects/scored_rows.hpp"

namespace polyrx {

inline constexpr std::size_t propensity_bins = 10;

struct TreatmentOverlap {
    std::size_t received = 0;    // rows
    std::size_t prescribed = 0;  // rows
    // Rows with a propensity in (0, 0.1], (0.1, 0.2], ...; one of exactly 0 is in the first.
    std::array<std::size_t, propensity_bins> all_rows{};
    std::array<std::size_t, propensity_bins> received_rows{};
    std::vector<double> smallest;             // up to five propensities of any rows, ascending
    std::optional<double> smallest_received;  // of the rows that received it
    double unsupported_share = 0;             // of the rows' weight
    double effective_rows = 0;                // of those that received it and for which it is supported
};

enum class OverlapVerdict { supported, weak, not_answerable };

[[nodiscard]] std::string_view name_of(OverlapVerdict verdict);  // "supported", "weak overlap", "not answerable"

// Of a policy's value:
// - not answerable, where no row received a supported prescription, or those that did count as fewer than
//   ScoredRows::needed_rows: whatever the interval, it would be one of a handful of rows;
// - weak, where more than `most_unsupported` of the prescriptions are not supported, so that bounds decide the value;
// or
//   where for more than `most_without_some` of the rows some treatment is not: the policy's value may then be known,
//   but not what it is worth more than another;
// - supported, else.
struct Overlap {
    // Where more are not, propensities near the threshold decide what is: in experiments/coverage intervals then need
    // thousands of rows to hold what they promise.
    static constexpr double most_unsupported = 0.01;
    // Beyond it, the typical row could not have received every treatment.
    static constexpr double most_without_some = 0.5;

    std::vector<TreatmentOverlap> treatments;
    std::size_t matched = 0;       // rows that received what was prescribed
    double effective_rows = 0;     // (sum w)^2 / sum w^2 over those of them that are supported, w = weight / propensity
    std::size_t unsupported = 0;   // rows whose prescription is not supported
    double unsupported_share = 0;  // their share of the weight
    double some_unsupported_share = 0;  // of the rows' weight, where some treatment is not supported
    OverlapVerdict verdict = OverlapVerdict::supported;
    std::string words;  // "weak overlap: 14 % of prescriptions are not supported"
};

[[nodiscard]] Overlap overlap_of(const ScoredRows& rows);

}  // namespace polyrx
