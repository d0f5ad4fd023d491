// SPDX-License-Identifier: Apache-2.0
// Chooses the settings of a network by cross-validation on the observations alone, with successive halving (Jamieson &
// Talwalkar 2016): all candidates are judged on one fold, the better ones on more, the best on all. Among these,
// networks are added one by one to an average, each time the one that makes it best (Caruana et al. 2004). Settings
// with neurons for effects and those without are halved and averaged apart; the latter are chosen if they are better by
// more than a standard error.
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
    std::size_t candidates = 0;  // at most so many of the grid are tried; 0: all
    std::size_t averaged = 8;    // networks, of settings that are best together
    double least_propensity = 0.02;
    double max_seconds = 0;  // no candidate is begun after so long; 0: any time. The result then depends on the clock
};

struct TuningTrial {
    NetworkOptions options;
    std::size_t folds = 0;       // it was judged on
    std::optional<double> loss;  // on the rows of these folds; none if a run diverged, or time ran out
    std::string remark = {};     // why there is none
    std::size_t chosen = 0;      // networks of these settings among those that are averaged
};

struct Tuning {
    std::vector<TuningTrial> trials;     // in the order of the candidates
    std::vector<NetworkOptions> chosen;  // to be averaged; the best first, some more than once
    // Rows x treatments: what the average predicts for each row without having learned from it. Nothing where not all
    // folds were tried.
    std::optional<Matrix> held_out = {};
    std::vector<double> propensity;  // of what each row received, cross-fitted; empty where nothing was tried
    bool out_of_time = false;
    // Where there was nothing to choose by, and a candidate was taken untried: what there was too little of.
    std::string_view why_untried = {};
};

// One candidate alone is chosen untried. So is the first without balance (or the first, if all have it) where a
// treatment has fewer rows than there are folds, or none can learn from all folds, since outside of one all have the
// same outcome. `group` numbers rows that are held out together; empty where each is on its own. The bytes do not
// depend on the threads, unless time runs out.
[[nodiscard]] Tuning tune_network(const NetworkStudy& study, const std::vector<NetworkOptions>& candidates,
                                  std::span<const std::size_t> group, const TuningOptions& options, std::uint64_t seed,
                                  int threads, const Progress& progress = {});

// A table with one line for each trial, as CSV.
[[nodiscard]] std::string tuning_log(const Tuning& tuning);

}  // namespace polyrx
