// SPDX-License-Identifier: Apache-2.0
// Learns where the data support a treatment: selects the simplest propensity model that predicts about as well as the
// best.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/encode/encoder.hpp"
#include "polyrx/rules/support.hpp"
#include "polyrx/table/feature_rows.hpp"

namespace polyrx {

// What support is learned from. Borrows everything.
struct SupportStudy {
    const Encoder& encoder;
    const Matrix& encoded;
    const FeatureRows& features;  // the same rows in the form that trees use
    std::span<const int> treatment;
    std::size_t treatments = 0;
    std::span<const double> weight = {};      // empty if every row has weight 1
    std::span<const std::size_t> group = {};  // rows that are held out together; empty without groups
    // Cross-fitted estimates of flexible models that a candidate must not contradict. The matrix has one row for each
    // of `reference_rows`. May be empty.
    std::span<const std::size_t> reference_rows = {};
    const Matrix* reference = nullptr;
    const Matrix* design = nullptr;  // rows x treatments: the propensities of a known design
};

struct SupportOptions {
    double epsilon = default_epsilon;
    std::uint64_t seed = 1;
    int threads = 1;
};

// A candidate and its performance on held-out rows.
struct SupportTrial {
    std::string name;  // "constant", "logistic with 3 terms", "tree of depth 2"
    double log_loss = 0;
    // Share of rows for which it supports a treatment whose reference propensity is less than epsilon / 2 of the
    // largest.
    double contradicted = 0;
};

struct LearnedSupport {
    Support support;
    std::vector<SupportTrial> trials = {};  // empty if no candidate was tried
    std::size_t chosen = 0;                 // index into `trials`
    // For a known design, shares of rows. Conservative: a treatment that the design supports is not supported. Beyond:
    // a treatment is supported that the design does not support, because a leaf has no treatment that is supported for
    // all of its rows.
    double conservative = 0;
    double beyond = 0;
};

// The largest share of rows for which a candidate may contradict the reference.
inline constexpr double most_contradicted = 0.01;

// Learns from the named rows. Candidates are a constant, logistic regressions with at most five terms or with all
// inputs, and trees of depth one to four with at least 50 rows in a leaf, grown greedily or with lookahead. A candidate
// that contradicts the reference for more than 1 % of the rows is rejected. For example, a logistic regression supports
// every row if treatment depends on |x|. Of the others, the simplest whose held-out log-loss is within one standard
// error of the lowest is chosen. If all are rejected, the one with the fewest contradictions is chosen. A simpler
// candidate that supports the same treatments for all rows replaces the chosen one.
//
// A known design replaces the candidates. If it gives a treatment no chance for some rows, support is a tree of at most
// 16 leaves: a leaf supports a treatment if the design supports it for every row of the leaf.
[[nodiscard]] LearnedSupport learn_support(const SupportStudy& study, std::span<const std::size_t> rows,
                                           const SupportOptions& options);

// Refits the same kind of support on other rows.
[[nodiscard]] Support refit_support(const SupportStudy& study, std::span<const std::size_t> rows,
                                    const LearnedSupport& learned);

// Support of the most likely treatment only (most_likely_epsilon), from the named rows. Uses the candidate with the
// lowest held-out log-loss, whatever its size. If no candidate was tried, it is a logistic regression on all inputs.
[[nodiscard]] Support most_likely_support(const SupportStudy& study, std::span<const std::size_t> rows,
                                          const LearnedSupport* learned);

}  // namespace polyrx
