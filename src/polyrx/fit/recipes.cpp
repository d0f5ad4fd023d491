// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/fit.hpp"

namespace polyrx {
namespace {

struct Shape {
    std::size_t layers;
    double decay;
};

NetworkOptions network_of(Shape shape, EffectBlock effects, double shrinkage, double balance) {
    NetworkOptions options;
    options.hidden.assign(shape.layers, 100);
    options.weight_decay = shape.decay;
    options.effects = effects;
    options.effect_shrinkage = shrinkage;
    options.balance = balance;
    return options;
}

// Depth, decay and balance matter most. The first candidate without balance is the default if there are too few rows to
// choose.
std::vector<NetworkOptions> tuning_grid() {
    constexpr EffectBlock for_effects = {0.5, 0.5};
    std::vector<NetworkOptions> grid;
    for (const Shape shape : {Shape{3, 0.3}, Shape{5, 0.3}, Shape{2, 0.3}, Shape{3, 0.1}, Shape{2, 1}})
        for (const double balance : {10.0, 50.0}) grid.push_back(network_of(shape, for_effects, 0, balance));
    grid.push_back(network_of({3, 0.3}, for_effects, 0, 10));
    grid.back().mu = 0;
    // For outcomes with a weak signal: no effect block, high decay, few steps.
    for (const int steps : {1500, 750})
        for (const Shape shape : {Shape{2, 1}, Shape{2, 2}, Shape{3, 2}}) {
            grid.push_back(network_of(shape, {}, 5, 0));
            grid.back().steps = steps;
        }
    for (const double balance : {0.0, 10.0}) grid.push_back(network_of({2, 1}, {}, 1, balance));
    // For few rows: a small network, and a linear one.
    for (const std::vector<int>& hidden : {std::vector{20}, std::vector<int>{}}) {
        grid.push_back(network_of({0, 0.3}, {}, 5, 0));
        grid.back().hidden = hidden;
    }
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
    if (recipe == Recipe::fast) options.network.effects = {0.5, 0.5};
    if (recipe == Recipe::paper) {
        options.network = paper_network();
        options.support.reset();  // the paper extrapolates
    }
    if (recipe == Recipe::tuned) options.tuning = TuningPlan{tuning_grid()};
    return options;
}

}  // namespace polyrx
