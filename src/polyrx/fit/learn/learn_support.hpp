// SPDX-License-Identifier: Apache-2.0
// Learns where the data support a treatment: the simplest model of propensities that predicts about as well as any.
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

// What support is learned from. Others own all of it.
struct SupportStudy {
    const Encoder& encoder;
    const Matrix& encoded;
    const FeatureRows& features;  // the same rows as trees see them
    std::span<const int> treatment;
    std::size_t treatments = 0;
    std::span<const double> weight = {};      // empty when every row counts once
    std::span<const std::size_t> group = {};  // rows that are held out together; empty where each is on its own
    // Estimates from flexible models that did not see the row, which a candidate must not contradict: a row of the
    // matrix for each of `reference_rows`. May be empty.
    std::span<const std::size_t> reference_rows = {};
    const Matrix* reference = nullptr;
    const Matrix* design = nullptr;  // rows x treatments: the propensities of a known design
};

struct SupportOptions {
    double epsilon = default_epsilon;
    std::uint64_t seed = 1;
    int threads = 1;
};

// A candidate, and how it did on rows that it did not learn from.
struct SupportTrial {
    std::string name;  // "constant", "logistic with 3 terms", "tree of depth 2"
    double log_loss = 0;
    // Of the rows, those for which it calls a treatment supported that the reference gives less than epsilon / 2 of the
    // most likely one.
    double contradicted = 0;
};

struct LearnedSupport {
    Support support;
    std::vector<SupportTrial> trials = {};  // empty where nothing was tried
    std::size_t chosen = 0;                 // of the trials
    // Of a design, shares of the rows. Conservative: a treatment that the design supports is not supported. Beyond: one
    // is supported that the design does not support, since no treatment is supported for all rows of a leaf.
    double conservative = 0;
    double beyond = 0;
};

// More of the rows than this share must not be contradicted by the reference.
inline constexpr double most_contradicted = 0.01;

// Learns from some of the rows. Candidates are a constant, logistic regressions with at most five terms or with all
// inputs, and trees of depth one to four with at least 50 rows in a leaf, grown greedily or with lookahead. One that
// the reference contradicts for more than 1 % of the rows is refused: a logistic regression calls every row supported
// where treatment depends on |x|. Of the others, the simplest is taken whose held-out log-loss is within one standard
// error of the lowest. Where all are refused, the one that is contradicted least is taken. A simpler one that supports
// the same treatments for all rows takes the place of the one chosen.
//
// A known design is followed instead. Where it gives a treatment no chance for some rows, support is a tree of at most
// 16 leaves: a treatment is supported in a leaf if the design supports it for every row of the leaf.
[[nodiscard]] LearnedSupport learn_support(const SupportStudy& study, std::span<const std::size_t> rows,
                                           const SupportOptions& options);

// The same kind of support, from other rows.
[[nodiscard]] Support refit_support(const SupportStudy& study, std::span<const std::size_t> rows,
                                    const LearnedSupport& learned);

// Support of the most likely treatment only (most_likely_epsilon), from some of the rows: by the candidate that
// predicted best, whatever its size. Where nothing was tried, it is a logistic regression on all inputs.
[[nodiscard]] Support most_likely_support(const SupportStudy& study, std::span<const std::size_t> rows,
                                          const LearnedSupport* learned);

}  // namespace polyrx
