// SPDX-License-Identifier: Apache-2.0
// Overlap: how often similar rows received each treatment, and how many rows the value of a policy rests on.
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
    // Rows with a propensity in (0, 0.1], (0.1, 0.2], ...; 0 belongs to the first bin.
    std::array<std::size_t, propensity_bins> all_rows{};
    std::array<std::size_t, propensity_bins> received_rows{};
    std::vector<double> smallest;             // up to five smallest propensities of all rows, ascending
    std::optional<double> smallest_received;  // among rows that received it
    double unsupported_share = 0;             // weighted
    double effective_rows = 0;                // of rows that received it and for which it is supported
};

enum class OverlapVerdict { supported, weak, not_answerable };

[[nodiscard]] std::string_view name_of(OverlapVerdict verdict);  // "supported", "weak overlap", "not answerable"

// Whether the data can answer what the policy's value is:
// - not answerable: fewer than ScoredRows::needed_rows effective rows received a supported prescription;
// - weak: more than `most_unsupported` of the prescriptions are not supported, so bounds determine the value. Or some
//   treatment is not supported for more than `most_without_some` of the rows: the value may be known, but not the gain
//   over other policies;
// - supported: otherwise.
struct Overlap {
    // With a larger share, propensities near the threshold decide what is supported. Intervals then need thousands of
    // rows to reach their level (experiments/coverage).
    static constexpr double most_unsupported = 0.01;
    // Above this share, a typical row could not have received every treatment.
    static constexpr double most_without_some = 0.5;

    std::vector<TreatmentOverlap> treatments;
    std::size_t matched = 0;  // rows that received their prescription
    double effective_rows =
        0;  // (sum w)^2 / sum w^2 over matched rows with a supported prescription, w = weight / propensity
    std::size_t unsupported = 0;        // rows with an unsupported prescription
    double unsupported_share = 0;       // their weighted share
    double some_unsupported_share = 0;  // weighted share of rows with an unsupported treatment
    OverlapVerdict verdict = OverlapVerdict::supported;
    std::string words;  // "weak overlap: 14 % of prescriptions are not supported"
};

[[nodiscard]] Overlap overlap_of(const ScoredRows& rows);

}  // namespace polyrx
