// SPDX-License-Identifier: Apache-2.0
// From observations to a policy: the one entry point of command line and Python.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "polyrx/baselines/method.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/data/observations.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/train/train.hpp"

namespace polyrx {

enum class Recipe {
    fast,   // one network with settings that did well in general: the default
    paper,  // Section 5.2 to the letter
};

enum class OutcomeScale { raw, standardised };

// What becomes of training rows whose treatment a rule forbids.
enum class OnViolation {
    drop,   // they are left out
    keep,   // their outcomes count; nothing that is forbidden is prescribed
    error,  // a data error names the first
};

[[nodiscard]] std::string_view name_of(OnViolation on_violation);

[[nodiscard]] std::string_view name_of(Recipe recipe);
[[nodiscard]] std::string_view name_of(OutcomeScale scale);

// Everything a fit depends on besides the data; the defaults are those of Recipe::fast.
struct FitOptions {
    Objective objective = Objective::min;
    Method method = Method::network;  // for the others, what is about networks and their training does nothing
    std::vector<int> hidden = {100, 100, 100};
    double mu = 1e-4;
    std::optional<int> epochs;  // not given: as many as make about 6,000 steps, 5 to 200
    int batch = 64;
    double learning_rate = 3e-3;
    Schedule schedule = Schedule::cosine;
    double weight_decay = 0.3;
    OutcomeScale outcome_scale = OutcomeScale::standardised;
    double validation = 0;  // share of rows held out to choose the epoch
    int patience = 0;
    double test_fraction = 0;  // of the rows, held_out_by_content(), that nothing is learned from
    std::uint64_t seed = 1;
    int threads = 1;
    // Rules that the policy keeps, and trains with: `rules_source` names them in messages.
    Rules rules = {};
    std::string rules_source = {};
    WhenMissing when_missing = WhenMissing::apply;
    OnViolation on_violation = OnViolation::drop;
    bool big_m = false;
};

[[nodiscard]] FitOptions recipe_options(Recipe recipe);

// How long fit() took, in seconds of the clock on the wall: each stage begins where the one before it ends. No policy
// knows of them, so that the same seed still gives the same bytes.
struct FitSeconds {
    double encode = 0;  // columns to inputs, standardised, as training rows
    double train = 0;   // the network, and folding the scalings into it
    double review = 0;  // every row once more: fingerprint, prescriptions, loss
};

struct Fit {
    Policy policy;
    std::vector<EpochLoss> history;  // in the units of the trained objective
    int epochs = 0;                  // that were planned
    int best_epoch = 0;              // whose weights the policy has
    bool stopped_early = false;
    double loss = 0;                      // of a network: objective (4) of the policy on all rows, in the user's units
    std::vector<std::size_t> given;       // rows that received each treatment
    std::vector<std::size_t> prescribed;  // training rows the policy would give each treatment
    std::size_t held_out = 0;             // rows that were kept for evaluation
    std::size_t violations = 0;           // rows whose treatment a rule forbids; dropped or kept, as the options say
    std::size_t changed = 0;              // training rows that would get another treatment without the rules
    bool conflict_free = true;            // it is certain that the rules leave every row a treatment
    FitSeconds seconds;
};

[[nodiscard]] Fit fit(const Observations& observations, const FitOptions& options, const Schema& schema = {},
                      const Progress& progress = {});

}  // namespace polyrx
