// SPDX-License-Identifier: Apache-2.0
#include "observed_data.hpp"

#include "polyrx/core/error.hpp"
#include "polyrx/fit/option_fields.hpp"

namespace polyrx::cli {

Option data_positional(ObservedData& target) {
    return positional(target.path, "DATA.csv", "observations: CSV or TSV, plain or gzip; - is stdin")
        .completes(Complete::file);
}

Option group_option(ObservedData& target) {
    return option(target.roles.group, "group", "COLUMN", "column of groups that splits keep together, such as sites");
}

Option propensities_option(ObservedData& target) {
    return option(target.roles.propensities, "propensities", "A,B,...",
                  "known propensities by treatment: numbers or columns")
        .default_is("estimated");
}

Option objective_option(ObservedData& target) {
    const auto& field = field_named(fit_fields(), "objective");
    return choice(target.objective, {Objective::min, Objective::max}, field.name, field.value, field.help)
        .default_is(std::string(name_of(Objective::min)));
}

Option weight_option(ObservedData& target) {
    return option(target.roles.weight, "weight", "COLUMN", "column of row weights");
}

Option unseen_option(Unseen& target) {
    return choice(target, {Unseen::error, Unseen::ignore}, "unseen", "HOW",
                  "categories that the training data did not have: stop with an error, or ignore them");
}

std::vector<Option> data_options(ObservedData& target) {
    return {
        option(target.roles.treatment, "treatment", "COLUMN", "column of the treatment received").must_be_given(),
        option(target.roles.outcome, "outcome", "COLUMN", "column of the observed outcome").must_be_given(),
        objective_option(target),
        weight_option(target),
        group_option(target),
        propensities_option(target),
        option(target.roles.features, "features", "A,B,...", "use only these columns as features"),
        option(target.roles.ignore, "ignore", "A,B,...", "do not use these columns as features"),
        option(target.schema, "schema", "FILE", "types, units, bounds, categories, labels (JSON; docs/data.md)")
            .completes(Complete::file),
        option(target.missing, "missing", "A,B,...", "texts that mean a missing value, besides an empty cell")
            .default_is("NA,NaN")
            .advanced(),
    };
}

void check_inputs(const ObservedData& data) {
    if (data.path == "-" && data.schema == "-")
        throw usage_error("only one of DATA.csv and --schema can be standard input");
}

Schema schema_for(const ObservedData& data, const Progress& progress) {
    Schema schema;
    if (!data.schema.empty()) schema = read_schema(data.schema, progress);
    if (data.missing) schema.missing = data.missing;
    return schema;
}

}  // namespace polyrx::cli
