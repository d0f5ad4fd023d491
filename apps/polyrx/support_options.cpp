// SPDX-License-Identifier: Apache-2.0
#include "support_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "polyrx/core/error.hpp"
#include "polyrx/fit/fit.hpp"
#include "polyrx/fit/option_fields.hpp"

namespace polyrx::cli {

std::vector<Option> support_options(SupportArguments& target) {
    const auto& beyond = field_named(fit_fields(), "beyond-support");
    const auto& epsilon = field_named(fit_fields(), "support");
    return {
        choice(target.beyond, {BeyondSupport::avoid, BeyondSupport::extrapolate}, beyond.name, beyond.value,
               beyond.help)
            .default_is("avoid"),
        option(target.epsilon, epsilon.name, epsilon.value, epsilon.help)
            .must_be(epsilon.allowed)
            .default_is(epsilon.default_text)
            .advanced(),
    };
}

Option outcome_range_option(std::vector<std::string>& target) {
    const auto& field = field_named(fit_fields(), "outcome-range");
    return option(target, field.name, field.value, field.help).default_is(field.default_text).advanced();
}

Option when_missing_option(std::optional<WhenMissing>& target) {
    const auto& field = field_named(fit_fields(), "when-missing");
    return choice(target, {WhenMissing::apply, WhenMissing::skip}, field.name, field.value, field.help);
}

std::optional<double> epsilon_for(const SupportArguments& arguments, std::optional<double> of_recipe) {
    const bool avoids = arguments.beyond ? *arguments.beyond == BeyondSupport::avoid : of_recipe.has_value();
    if (avoids) return arguments.epsilon.value_or(default_epsilon);
    if (arguments.epsilon)
        throw usage_error("--support is for --beyond-support avoid: this call prescribes beyond support");
    return std::nullopt;
}

std::optional<OutcomeRange> parse_outcome_range(const std::vector<std::string>& given) {
    if (given.empty()) return std::nullopt;
    FitOptions options;
    const auto& field = field_named(fit_fields(), "outcome-range");
    field.read(options, "--" + field.name, fmt::format("{}", fmt::join(given, ",")));
    return options.outcome_range;
}

}  // namespace polyrx::cli
