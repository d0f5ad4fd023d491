// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/error.hpp"
#include "polyrx/fit/fit.hpp"

namespace polyrx {

FitOptions recipe_options(Recipe recipe) {
    FitOptions options;
    options.recipe = recipe;
    options.mu = 1e-4;
    options.batch = 64;
    switch (recipe) {
        case Recipe::paper:  // Section 5.2
            options.hidden = {100, 100, 100, 100, 100};
            options.epochs = 20;
            options.learning_rate = 1e-3;
            options.schedule = Schedule::constant;
            options.weight_decay = 0;
            options.outcome_scale = OutcomeScale::raw;
            break;
        case Recipe::fast:
            options.hidden = {100, 100, 100};
            options.epochs = 0;
            options.learning_rate = 3e-3;
            options.schedule = Schedule::cosine;
            options.weight_decay = 0.3;
            options.outcome_scale = OutcomeScale::standardised;
            break;
    }
    return options;
}

}  // namespace polyrx
