// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/learn/network_options.hpp"

#include <algorithm>
#include <cmath>

#include "polyrx/fit/option_fields.hpp"

namespace polyrx {

std::string_view name_of(OutcomeScale scale) {
    return scale == OutcomeScale::raw ? "raw" : "standardized";
}

// Also checked here, because training sees the mu of the scaled outcome and not the user's.
void check_network_options(const NetworkOptions& options) {
    check_fields(network_fields(), options);
}

// Gives small tables enough passes and limits the time of huge ones.
int epochs_for(const NetworkOptions& options, std::size_t rows) {
    if (options.epochs) return *options.epochs;
    const double steps_per_epoch = std::ceil(static_cast<double>(rows) / options.batch);
    return static_cast<int>(std::clamp(std::round(options.steps / steps_per_epoch), 5.0, 200.0));
}

OptionTexts spelled(const NetworkOptions& options, int epochs) {
    NetworkOptions planned = options;
    planned.epochs = epochs;
    return recorded(network_fields(), planned);
}

}  // namespace polyrx
