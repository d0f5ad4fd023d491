// SPDX-License-Identifier: Apache-2.0
#include "observed_data.hpp"

#include "polyrx/core/error.hpp"

namespace polyrx::cli {

Option data_positional(ObservedData& target) {
    return positional(target.path, "DATA.csv", "observations: CSV or TSV, plain or gzip; - is standard input")
        .completes(Complete::file);
}

Option group_option(ObservedData& target) {
    return option(target.roles.group, "group", "COLUMN",
                  "rows with the same value belong together, as patients of one site do; not a feature");
}

Option propensities_option(ObservedData& target) {
    return option(target.roles.propensities, "propensities", "A,B,...",
                  "known probability of each treatment, by design: numbers (1/3,2/3) or columns, in the order of the "
                  "treatments, or LABEL=...")
        .default_is("estimated");
}

std::vector<Option> data_options(ObservedData& target) {
    return {
        option(target.roles.treatment, "treatment", "COLUMN", "the column that says which treatment was given")
            .must_be_given(),
        option(target.roles.outcome, "outcome", "COLUMN", "the column with the outcome that was seen").must_be_given(),
        choice(target.objective, {Objective::min, Objective::max}, "objective", "WHICH",
               "whether small or large outcomes are good"),
        option(target.roles.weight, "weight", "COLUMN", "a column that says how much each row counts in learning"),
        group_option(target),
        propensities_option(target),
        option(target.roles.features, "features", "A,B,...", "only these columns are features"),
        option(target.roles.ignore, "ignore", "A,B,...", "these columns are not features"),
        option(target.schema, "schema", "FILE", "JSON with types, units, categories, bounds, treatment labels")
            .completes(Complete::file),
        option(target.missing, "missing", "A,B,...", "texts that mean no value, besides an empty cell")
            .default_is("NA,NaN"),
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
