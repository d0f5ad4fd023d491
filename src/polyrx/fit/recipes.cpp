// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/fit.hpp"

namespace polyrx {
namespace {

// Depth, decay and shrinkage decide most. Those that do well on most studies come first, for budgets of fewer.
std::vector<NetworkOptions> tuning_grid() {
    std::vector<NetworkOptions> grid;
    for (const double shrinkage : {1.0, 10.0, 5.0, 20.0, 0.0})
        for (const double decay : {0.3, 0.1, 1.0})
            for (const std::size_t layers : {3, 5, 2}) {
                NetworkOptions options;
                options.hidden.assign(layers, 100);
                options.weight_decay = decay;
                options.effect_shrinkage = shrinkage;
                grid.push_back(options);
            }
    // What matters less is tried beside a middling one.
    NetworkOptions middle;
    middle.effect_shrinkage = 5;
    const auto add = [&](const auto& change) {
        NetworkOptions options = middle;
        change(options);
        grid.push_back(options);
    };
    add([](NetworkOptions& options) { options.hidden = {50, 50, 50}; });
    add([](NetworkOptions& options) { options.hidden = {20}; });
    add([](NetworkOptions& options) { options.hidden = {}; });
    add([](NetworkOptions& options) { options.steps = 3000; });
    add([](NetworkOptions& options) { options.mu = 0; });
    add([](NetworkOptions& options) { options.mu = 1e-2; });
    return grid;
}

NetworkOptions paper_network() {  // Section 5.2
    NetworkOptions options;
    options.hidden = {100, 100, 100, 100, 100};
    options.mu = 1e-4;
    options.epochs = 20;
    options.batch = 64;
    options.learning_rate = 1e-3;
    options.schedule = Schedule::constant;
    options.weight_decay = 0;
    options.outcome_scale = OutcomeScale::raw;
    options.retries = 0;
    return options;
}

}  // namespace

std::string_view name_of(Recipe recipe) {
    switch (recipe) {
        case Recipe::tuned:
            return "auto";
        case Recipe::fast:
            return "fast";
        case Recipe::paper:
            break;
    }
    return "paper";
}

FitOptions recipe_options(Recipe recipe) {
    FitOptions options;
    if (recipe == Recipe::paper) options.network = paper_network();
    if (recipe == Recipe::tuned) options.tuning = TuningPlan{tuning_grid()};
    return options;
}

}  // namespace polyrx
