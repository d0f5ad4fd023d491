// SPDX-License-Identifier: Apache-2.0
// Trains a network on rows of a study: scales rows, trains, and folds the scalings back into the user's units.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/encode/encoder.hpp"
#include "polyrx/fit/learn/network_options.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/study/observations.hpp"
#include "polyrx/table/feature_rows.hpp"

namespace polyrx {

// What networks learn from. Borrows everything.
struct NetworkStudy {
    const Observations& observations;
    const Encoder& encoder;
    const Matrix& encoded;                       // rows of the observations
    const FeatureRows& features;                 // the same rows in the form that trees use
    std::span<const double> outcome;             // in the direction of training: smaller is better
    std::span<const TreatmentSet> allowed = {};  // by rules and support, for every row; empty if unrestricted
    // The same with support learned from the given rows only, for networks that must not use the others. Empty if
    // support is not learned.
    std::function<std::vector<TreatmentSet>(std::span<const std::size_t>)> allowed_from = {};
    // Cross-fitted propensity of each row's received treatment, for networks that balance treatments.
    std::span<const double> propensity = {};
};

struct LearnedNetwork {
    ReluNetwork network;                  // on encoded rows; the mean of its members
    std::vector<EpochLoss> history = {};  // of the first member, as are the next four fields
    int epochs = 0;                       // planned epochs
    int best_epoch = 0;                   // the epoch whose weights are kept
    bool stopped_early = false;
    double learning_rate = 0;  // of a run that did not diverge
    int retries = 0;           // restarts of diverged runs, summed over members
};

// Learns from the named rows. The first member equals a network without other members. The result does not depend on
// the number of threads. Throws data errors for rows that cannot be scaled or distinguished, usage errors for options
// out of range, and Diverged.
[[nodiscard]] LearnedNetwork learn_network(const NetworkStudy& study, std::span<const std::size_t> rows,
                                           const NetworkOptions& options, std::uint64_t seed, int threads,
                                           const Progress& progress = {});

}  // namespace polyrx
