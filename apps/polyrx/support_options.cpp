// SPDX-License-Identifier: Apache-2.0
#include "support_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/parse_cell.hpp"

namespace polyrx::cli {

std::vector<Option> support_options(SupportArguments& target) {
    return {
        choice(target.beyond, {BeyondSupport::avoid, BeyondSupport::extrapolate}, "beyond-support", "HOW",
               "avoid treatments that rows like this one hardly ever received, or extrapolate (docs/support.md)")
            .default_is("avoid; fit --recipe paper extrapolates"),
        option(target.epsilon, "support", "EPSILON",
               "a treatment is supported if its propensity is at least EPSILON times that of the most likely one")
            .must_be("a number above 0 and below 1", [](double epsilon) { return epsilon > 0 && epsilon < 1; })
            .default_is(fmt::format("{}", default_epsilon)),
    };
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
    const std::optional<double> least = parse_number(given.front());
    const std::optional<double> greatest = parse_number(given.back());
    const auto is_finite = [](const std::optional<double>& number) { return number && std::isfinite(*number); };
    if (given.size() != 2 || !is_finite(least) || !is_finite(greatest) || !(*least < *greatest))
        throw usage_error(
            fmt::format("--outcome-range {}: expected two numbers A,B with A below B, the least and the "
                        "greatest possible outcome",
                        fmt::join(given, ",")));
    return OutcomeRange{*least, *greatest, RangeOrigin::declared};
}

}  // namespace polyrx::cli
