// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/fit.hpp"

namespace polyrx {

std::string_view name_of(Recipe recipe) {
    return recipe == Recipe::paper ? "paper" : "fast";
}

std::string_view name_of(OutcomeScale scale) {
    return scale == OutcomeScale::raw ? "raw" : "standardised";
}

FitOptions recipe_options(Recipe recipe) {
    FitOptions options;
    if (recipe == Recipe::paper) {  // Section 5.2
        options.hidden = {100, 100, 100, 100, 100};
        options.mu = 1e-4;
        options.epochs = 20;
        options.batch = 64;
        options.learning_rate = 1e-3;
        options.schedule = Schedule::constant;
        options.weight_decay = 0;
        options.outcome_scale = OutcomeScale::raw;
    }
    return options;
}

}  // namespace polyrx
