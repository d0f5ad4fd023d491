// SPDX-License-Identifier: Apache-2.0
#include "fit_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "field_option.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/rules/language/rules_json.hpp"

namespace polyrx::cli {
namespace {

// Fields of fit_fields() that are members of FitArguments or of its data.
constexpr std::string_view members[] = {"objective", "test-fraction", "row-sketch", "seed", "threads"};

Rules rules_of(const FitArguments& arguments) {
    if (arguments.rules.empty()) return {};
    Rules rules = read_rules(arguments.rules);
    if (rules.rules.empty()) throw data_error(fmt::format("{}: there are no rules in it", arguments.rules));
    return rules;
}

std::vector<Option> policy_options(FitArguments& arguments) {
    return {
        field_option(field_named(fit_fields(), "method"), arguments.given),
        choice(arguments.recipe, {Recipe::tuned, Recipe::fast, Recipe::paper}, "recipe", "NAME",
               "auto (tuned, averaged networks), fast (one good setting) or paper (Section 5.2)")
            .default_is("auto; with --hidden, fast"),
        option(arguments.leaves, "leaves", "N", "distill the policy to a tree of at most N leaves")
            .must_be(allowed::whole_from_1),
    };
}

std::vector<Option> support_options_of(FitArguments& arguments) {
    std::vector<Option> options = {
        option(arguments.rules, "rules", "FILE", "rules that every recommendation must keep (docs/rules.md)")
            .completes(Complete::file),
    };
    const std::string_view but[] = {"method", members[0], members[1], members[2], members[3], members[4]};
    add_fields(fit_fields(), arguments.given, options, but);
    options.push_back(
        flag(arguments.no_recommendation, "no-recommendation",
             "skip the comparison with current practice (with --recipe fast, it takes longer than training)")
            .advanced());
    return options;
}

std::vector<Option> tuning_options(FitArguments& arguments) {
    std::vector<Option> options;
    add_fields(tuning_fields(), arguments.given, options);
    options.push_back(option(arguments.tuning_log, "tuning-log", "FILE", "write the settings that were tried (CSV)")
                          .completes(Complete::file)
                          .advanced());
    for (const std::string_view name : {"depth", "split-step", "treatment-rows"})
        options.push_back(field_option(field_named(baseline_fields(), name), arguments.given));
    return options;
}

std::vector<Option> network_options(FitArguments& arguments) {
    std::vector<Option> options;
    add_fields(network_fields(), arguments.given, options);
    return options;
}

std::vector<Option> output_options(FitArguments& arguments) {
    const auto& test_fraction = field_named(fit_fields(), "test-fraction");
    return {
        output_option(arguments.output, "model file"),
        option(arguments.test_fraction, test_fraction.name, test_fraction.value, test_fraction.help)
            .must_be(test_fraction.allowed),
        option(arguments.test_file, "test-file", "FILE", "write the held-out rows (CSV, all columns)")
            .completes(Complete::file)
            .advanced(),
        flag(arguments.no_row_sketch, "no-row-sketch",
             "do not store hashes of training rows; evaluate then recognizes only the complete training file")
            .advanced(),
        flag(arguments.timings, "timings", "report the time of each stage; --json always does").advanced(),
        seed_option(arguments.seed),
        threads_option(arguments.threads),
        json_option(arguments.json),
        quiet_option(arguments.quiet),
    };
}

}  // namespace

FitOptions fit_options(const FitArguments& arguments) {
    FitOptions options = requested_options({.recipe = arguments.recipe,
                                            .given = arguments.given,
                                            .recommend = !arguments.no_recommendation,
                                            .rules = rules_of(arguments),
                                            .rules_source = arguments.rules});
    if (arguments.leaves && options.big_m)
        throw usage_error("--leaves and --big-m: a model that obeys its rules by a penalty has no tree");
    options.objective = arguments.data.objective.value_or(Objective::min);
    options.test_fraction = arguments.test_fraction;
    options.row_sketch = !arguments.no_row_sketch;
    options.seed = arguments.seed;
    options.threads = arguments.threads;
    return options;
}

std::vector<Option> options_of(FitArguments& arguments) {
    Verb groups;
    groups.add(option_group::data, data_options(arguments.data));
    groups.add(option_group::policy, policy_options(arguments));
    groups.add(option_group::support, support_options_of(arguments));
    groups.add(option_group::tuning, tuning_options(arguments));
    groups.add(option_group::network, network_options(arguments));
    groups.add(option_group::output, output_options(arguments));
    return groups.options;
}

}  // namespace polyrx::cli
