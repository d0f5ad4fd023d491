// SPDX-License-Identifier: Apache-2.0
// From observations to a policy: the one entry point of command line and Python.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "polyrx/baselines/method.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/fit/fit_baseline.hpp"
#include "polyrx/fit/learn/learn_support.hpp"
#include "polyrx/fit/learn/network_options.hpp"
#include "polyrx/fit/recommend/recommend.hpp"
#include "polyrx/fit/tune/tune_network.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/study/observations.hpp"

namespace polyrx {

enum class Recipe {
    tuned,  // "auto": settings chosen by cross-validation, the best averaged
    fast,   // one network with settings that did well in general
    paper,  // every setting that Section 5.2 prints
};

// What becomes of training rows whose treatment a rule forbids. They are never left out: that would select rows by
// treatment, so that neither propensities nor the comparison with practice would be those of the data.
enum class OnViolation {
    keep,   // they are learned from; nothing that is forbidden is prescribed
    error,  // a data error names the first
};

[[nodiscard]] std::string_view name_of(OnViolation on_violation);

[[nodiscard]] std::string_view name_of(Recipe recipe);

// What is tried when settings are chosen.
struct TuningPlan {
    std::vector<NetworkOptions> candidates;
    TuningOptions options = {};
};

// Everything a fit depends on besides the data; the network's defaults are in network_options.hpp.
struct FitOptions {
    Objective objective = Objective::min;
    Method method = Method::network;  // for the others, networks and tuning mean nothing
    NetworkOptions network = {};
    std::optional<TuningPlan> tuning = {};  // chooses among its candidates, in place of `network`
    BaselineOptions baseline = {};          // of the other methods
    double test_fraction = 0;               // of the rows, hold_out(), that nothing is learned from
    bool row_sketch = true;  // the policy remembers hashes of some rows, so that evaluation recognizes them
    std::uint64_t seed = 1;
    int threads = 1;
    // Rules that the policy keeps, and trains with: `rules_source` names them in messages.
    Rules rules = {};
    std::string rules_source = {};
    WhenMissing when_missing = WhenMissing::apply;
    OnViolation on_violation = OnViolation::keep;
    bool big_m = false;
    // Epsilon of support (rules/support.hpp). None: treatments are prescribed also where the data do not support them.
    std::optional<double> support = default_epsilon;
    // Compares the policy with current practice and simple policies on held-out predictions; none: nobody does.
    std::optional<RecommendOptions> recommend = {};
    // The least and greatest possible outcome, which bound unsupported prescriptions in that comparison.
    std::optional<OutcomeRange> outcome_range = {};
};

[[nodiscard]] FitOptions recipe_options(Recipe recipe);

// How long fit() took, in seconds of the clock on the wall: each stage begins where the one before it ends. No policy
// knows of them, so that the same seed still gives the same bytes.
struct FitSeconds {
    double encode = 0;     // columns to inputs
    double tune = 0;       // choosing settings
    double train = 0;      // the network: scaling rows, training, and folding the scalings into it
    double support = 0;    // learning where the data support each treatment
    double recommend = 0;  // comparing the policy with current practice and simple policies
    double review = 0;     // every row once more: fingerprint, prescriptions, loss
};

struct Fit {
    Policy policy;
    std::vector<EpochLoss> history;  // in the units of the trained objective
    int epochs = 0;                  // that were planned
    int best_epoch = 0;              // whose weights the policy has
    bool stopped_early = false;
    double learning_rate = 0;             // of the network that was trained first
    bool stopped = false;                 // progress asked to stop, and the policy is the best that had been found
    int retries = 0;                      // runs that diverged, and were begun again
    std::optional<Tuning> tuning;         // where settings were chosen
    double loss = 0;                      // of a network: objective (4) of the policy on all rows, in the user's units
    std::vector<std::size_t> given;       // rows that received each treatment
    std::vector<std::size_t> prescribed;  // training rows the policy would give each treatment
    std::vector<std::vector<std::size_t>> changes;  // training rows: [received][prescribed]
    std::vector<std::size_t> held_out;              // rows of the observations that were kept for evaluation
    std::vector<std::size_t> violations;            // rows of the observations whose treatment a rule forbids
    std::size_t changed = 0;                        // training rows that would get another treatment without the rules
    std::size_t unsupported = 0;                    // training rows that would get another treatment without support
    std::size_t only_unsupported = 0;        // training rows whose rules allow no treatment that the data support
    std::optional<LearnedSupport> support;   // how support was learned, where it was
    OutcomeRange outcome_range;              // declared, of events, or observed
    std::optional<Recommended> recommended;  // where the options ask for it; its fallback is in `policy`
    bool conflict_free = true;               // it is certain that the rules leave every row a treatment
    FitSeconds seconds;
};

[[nodiscard]] Fit fit(const Observations& observations, const FitOptions& options, const Schema& schema = {},
                      const Progress& progress = {});

}  // namespace polyrx
