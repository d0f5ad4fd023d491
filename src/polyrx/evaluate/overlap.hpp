// SPDX-License-Identifier: Apache-2.0
// Can the data answer? How often each treatment was given to rows like these, and how many rows a value rests on.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/evaluate/scored_rows.hpp"

namespace polyrx {

struct OverlapOptions {
    double least_propensity = 0.02;  // weights divide by no less, as those of the estimators do
    // A treatment that fewer than one in twenty rows like this one received was rarely or never seen near it, and what
    // it would have come to is what the outcome model says. "Like this one" is what the propensity model takes it to
    // be: a distance of ours would have to weigh years against kilograms.
    double rare = 0.05;
};

inline constexpr std::size_t propensity_bins = 10;

struct TreatmentOverlap {
    std::size_t received = 0;    // rows
    std::size_t prescribed = 0;  // rows
    // Rows with a propensity in (0, 0.1], (0.1, 0.2], ...; one of exactly 0 is in the first.
    std::array<std::size_t, propensity_bins> all_rows{};
    std::array<std::size_t, propensity_bins> received_rows{};
    std::vector<double> smallest;             // up to five propensities of any rows, ascending
    std::optional<double> smallest_received;  // of the rows that received it
    double rare_share = 0;                    // of the rows' weight, where it is rare
    double effective_rows = 0;                // of those that received it, weighted by 1 / propensity
};

enum class OverlapVerdict { supported, weak, not_answerable };

[[nodiscard]] std::string_view name_of(OverlapVerdict verdict);  // "supported", "weak overlap", "not answerable"

// Of a policy's value:
// - not answerable, where no row received what was prescribed, or those that did count as fewer than
//   `least_effective_rows`: whatever the interval, it would be one of a handful of rows;
// - weak, where more than `most_extrapolated` of the rows were prescribed what is rare for them, or where for more than
//   `most_rare` of them some treatment is: what the policy is worth may then be known, but not what it is worth more
//   than another;
// - supported, else.
struct Overlap {
    static constexpr double least_effective_rows = 10;
    // As often as a 95 % interval errs anyway.
    static constexpr double most_extrapolated = 0.05;
    // Beyond it, the typical row could not have received every treatment.
    static constexpr double most_rare = 0.5;

    std::vector<TreatmentOverlap> treatments;
    std::size_t matched = 0;        // rows that received what was prescribed
    double effective_rows = 0;      // (sum w)^2 / sum w^2 over them, w = weight / propensity
    double extrapolated_share = 0;  // of the rows' weight, where what was prescribed is rare
    double some_rare_share = 0;     // of the rows' weight, where some treatment is rare
    OverlapVerdict verdict = OverlapVerdict::supported;
    std::string words;  // "weak overlap: 14 % of rows rely on extrapolation"
};

[[nodiscard]] Overlap overlap_of(const ScoredRows& rows, const OverlapOptions& options = {});

}  // namespace polyrx
