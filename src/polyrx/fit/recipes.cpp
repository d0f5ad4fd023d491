// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "polyrx/fit/fit.hpp"

namespace polyrx {
namespace {

// Depth and decay, neurons for effects and balance decide most. The first is a safe one, for rows too few to choose by.
std::vector<NetworkOptions> tuning_grid() {
    struct Shape {
        std::size_t layers;
        double decay;
    };
    constexpr std::array<Shape, 4> shapes = {{{3, 0.3}, {5, 0.3}, {2, 0.3}, {3, 0.1}}};
    constexpr std::array<EffectBlock, 3> blocks = {{{0.5, 0.5}, {0.5, 1}, {0.3, 0}}};
    constexpr std::array<double, 3> balances = {0, 10, 50};
    std::vector<NetworkOptions> grid;
    const auto add = [&](Shape shape, EffectBlock effects, double shrinkage, double balance) -> NetworkOptions& {
        NetworkOptions options;
        options.hidden.assign(shape.layers, 100);
        options.weight_decay = shape.decay;
        options.effects = effects;
        options.effect_shrinkage = shrinkage;
        options.balance = balance;
        return grid.emplace_back(options);
    };
    for (const EffectBlock& effects : blocks)
        for (const Shape shape : shapes)
            for (const double balance : balances) add(shape, effects, 0, balance);
    // In one block, with all effects held back.
    for (const Shape shape : shapes) add(shape, {}, 5, 10);
    add(shapes[0], {}, 20, 0);
    // For outcomes of which little can be known: much decay, and few steps.
    for (const double balance : {0.0, 10.0}) add({2, 1}, {}, 1, balance);
    for (const int steps : {1500, 750}) {
        for (const Shape shape : {Shape{2, 1}, Shape{2, 2}, Shape{3, 2}}) add(shape, {}, 5, 0).steps = steps;
        add({2, 1}, {0.5, 0}, 0, 0).steps = steps;
    }
    // What matters less is tried beside a middling one.
    const auto add_middling = [&](std::size_t layers) -> NetworkOptions& { return add({layers, 0.3}, {}, 5, 0); };
    add_middling(1).hidden = {20};
    add_middling(0);
    add_middling(3).mu = 0;
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
    if (recipe == Recipe::paper) options.network = paper_network();
    if (recipe == Recipe::tuned) options.tuning = TuningPlan{tuning_grid()};
    return options;
}

}  // namespace polyrx
