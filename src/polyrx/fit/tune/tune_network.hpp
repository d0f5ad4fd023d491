// SPDX-License-Identifier: Apache-2.0
// Chooses the settings of a network by cross-validation with successive halving (Jamieson & Talwalkar 2016): all
// candidates are evaluated on one fold, the better ones on more, and the best on all. Greedy ensemble selection then
// averages the best (Caruana et al. 2004): it adds one network at a time, each time the one that most improves the
// average. Settings with and without effect neurons are halved and averaged separately. The latter are chosen only if
// they are better by more than a standard error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/fit/learn/learn_network.hpp"
#include "polyrx/fit/tune/tuning_judge.hpp"
#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

struct TuningOptions {
    TuningCriterion criterion = TuningCriterion::weighted_error;
    std::size_t folds = 5;
    std::size_t candidates = 0;  // limit on how many of the grid are tried; 0: all
    std::size_t averaged = 8;    // number of networks to average
    double least_propensity = 0.02;
    double max_seconds = 0;  // no candidate starts after this time; 0: no limit. The result then depends on the clock
};

struct TuningTrial {
    NetworkOptions options;
    std::size_t folds = 0;       // number of folds it was evaluated on
    std::optional<double> loss;  // on the rows of these folds; none if a run diverged or time ran out
    std::string remark = {};     // why the loss is missing
    std::size_t chosen = 0;      // number of networks in the average with these settings
};

struct Tuning {
    std::vector<TuningTrial> trials;     // in the order of the candidates
    std::vector<NetworkOptions> chosen;  // to average; the best first, some more than once
    // Rows x treatments: held-out predictions of the average. None if not all folds were tried.
    std::optional<Matrix> held_out = {};
    std::vector<double> propensity;  // of each row's received treatment, cross-fitted; empty if nothing was tried
    bool out_of_time = false;
    // If a candidate was chosen untried: what the data have too little of.
    std::string_view why_untried = {};
};

// A single candidate is chosen untried. If a treatment has fewer rows than there are folds, or no candidate can learn
// from all folds (for example, because all outcomes outside a fold are equal), the first candidate without balance is
// chosen untried, or the first if all have it. `group` numbers rows that are held out together; empty without groups.
// The result does not depend on the number of threads, unless time runs out.
[[nodiscard]] Tuning tune_network(const NetworkStudy& study, const std::vector<NetworkOptions>& candidates,
                                  std::span<const std::size_t> group, const TuningOptions& options, std::uint64_t seed,
                                  int threads, const Progress& progress = {});

// A CSV table with one line per trial.
[[nodiscard]] std::string tuning_log(const Tuning& tuning);

}  // namespace polyrx
