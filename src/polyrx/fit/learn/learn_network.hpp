// SPDX-License-Identifier: Apache-2.0
// From rows of a study to a network in the user's units: scaled, trained, and the scalings folded back.
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

// What networks learn from. Others own all of it.
struct NetworkStudy {
    const Observations& observations;
    const Encoder& encoder;
    const Matrix& encoded;                       // the rows of the observations
    const FeatureRows& features;                 // the same rows as trees see them
    std::span<const double> outcome;             // in the direction of training: small is good
    std::span<const TreatmentSet> allowed = {};  // by rules and support, of every row; empty where there are none
    // The same with support learned from some rows only, for networks that must not have seen the others. Empty where
    // support is not learned.
    std::function<std::vector<TreatmentSet>(std::span<const std::size_t>)> allowed_from = {};
    // Of what each row received, from models that did not see it; for networks that balance treatments.
    std::span<const double> propensity = {};
};

struct LearnedNetwork {
    ReluNetwork network;                  // on encoded rows; the mean of its members
    std::vector<EpochLoss> history = {};  // of the first member, as is what follows
    int epochs = 0;                       // that were planned
    int best_epoch = 0;                   // whose weights it has
    bool stopped_early = false;
    double learning_rate = 0;  // that did not diverge
    int retries = 0;           // after runs that did, of all members together
};

// Learns from the named rows. The first member is what one alone would be; the bytes do not depend on the threads.
// Throws data errors for rows that cannot be scaled or told apart, usage errors for options out of range, and Diverged.
[[nodiscard]] LearnedNetwork learn_network(const NetworkStudy& study, std::span<const std::size_t> rows,
                                           const NetworkOptions& options, std::uint64_t seed, int threads,
                                           const Progress& progress = {});

}  // namespace polyrx
