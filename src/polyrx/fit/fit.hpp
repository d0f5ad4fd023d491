// SPDX-License-Identifier: Apache-2.0
// Fits a policy on observations: the one entry point of the command line and Python.
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
    tuned,  // "auto": chooses settings by cross-validation and averages the best
    fast,   // one network with settings that generally do well
    paper,  // every setting that Section 5.2 of the paper gives
};

// What to do with training rows whose treatment a rule forbids. They are never dropped: that would select rows by
// treatment, and bias propensities and the comparison with practice.
enum class OnViolation {
    keep,   // train on them; forbidden treatments are still never prescribed
    error,  // throw a data error that names the first one
};

[[nodiscard]] std::string_view name_of(OnViolation on_violation);

[[nodiscard]] std::string_view name_of(Recipe recipe);

// The candidates of tuning.
struct TuningPlan {
    std::vector<NetworkOptions> candidates;
    TuningOptions options = {};
};

// Everything a fit depends on besides the data. The network's defaults are in network_options.hpp.
struct FitOptions {
    Objective objective = Objective::min;
    Method method = Method::network;  // other methods ignore networks and tuning
    NetworkOptions network = {};
    std::optional<TuningPlan> tuning = {};  // chooses among its candidates, and replaces `network`
    BaselineOptions baseline = {};          // of the other methods
    double test_fraction = 0;               // share of rows to hold out (hold_out())
    bool row_sketch = true;  // store hashes of some rows in the policy, so that evaluation recognizes training rows
    std::uint64_t seed = 1;
    int threads = 1;
    // Rules that the policy keeps and is trained with. `rules_source` names them in messages.
    Rules rules = {};
    std::string rules_source = {};
    WhenMissing when_missing = WhenMissing::apply;
    OnViolation on_violation = OnViolation::keep;
    bool big_m = false;
    // Epsilon of support (rules/support.hpp). None: the policy may prescribe treatments without support.
    std::optional<double> support = default_epsilon;
    // Compares the policy with current practice and simple policies on held-out predictions. None: no comparison.
    std::optional<RecommendOptions> recommend = {};
    // The least and greatest possible outcome. They bound the value of unsupported prescriptions in that comparison.
    std::optional<OutcomeRange> outcome_range = {};
};

[[nodiscard]] FitOptions recipe_options(Recipe recipe);

// Wall-clock seconds of the stages of fit(), which follow each other without gaps. Policies do not store them, so the
// same seed gives the same bytes.
struct FitSeconds {
    double encode = 0;     // columns to inputs
    double tune = 0;       // choosing settings
    double train = 0;      // the network: scaling rows, training, and folding the scalings into it
    double support = 0;    // learning where the data support each treatment
    double recommend = 0;  // comparing the policy with current practice and simple policies
    double review = 0;     // a last pass over all rows: fingerprint, prescriptions, loss
};

struct Fit {
    Policy policy;
    std::vector<EpochLoss> history;  // in the units of the trained objective
    int epochs = 0;                  // planned epochs
    int best_epoch = 0;              // the epoch whose weights the policy has
    bool stopped_early = false;
    double learning_rate = 0;             // of the first network
    bool stopped = false;                 // progress requested a stop, and the policy is the best one found until then
    int retries = 0;                      // restarts after runs that diverged
    std::optional<Tuning> tuning;         // if settings were tuned
    double loss = 0;                      // for networks: objective (4) of the policy on all rows, in the user's units
    std::vector<std::size_t> given;       // number of rows that received each treatment
    std::vector<std::size_t> prescribed;  // number of training rows for which the policy prescribes each treatment
    std::vector<std::vector<std::size_t>> changes;  // training rows: [received][prescribed]
    std::vector<std::size_t> held_out;              // rows of the observations that are held out for evaluation
    std::vector<std::size_t> violations;            // rows of the observations whose treatment a rule forbids
    std::size_t changed = 0;                        // training rows whose prescription the rules change
    std::size_t unsupported = 0;                    // training rows whose prescription support changes
    std::size_t only_unsupported = 0;               // training rows whose rules allow no supported treatment
    std::optional<LearnedSupport> support;          // how support was learned, if it was
    OutcomeRange outcome_range;                     // declared, of events, or observed
    std::optional<Recommended> recommended;         // if the options request it; its fallback is in `policy`
    bool conflict_free = true;                      // it is proved that the rules leave every row a treatment
    FitSeconds seconds;
};

[[nodiscard]] Fit fit(const Observations& observations, const FitOptions& options, const Schema& schema = {},
                      const Progress& progress = {});

}  // namespace polyrx
