// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/rows_learned_from.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/text_table.hpp"
#include "polyrx/study/splits/held_out.hpp"

namespace polyrx {
namespace {

std::string option_of(const Policy& policy, std::string_view name) {
    for (const auto& [key, value] : policy.provenance.options)
        if (key == name) return value;
    return "";
}

Observations without_violations(const Policy& policy, const Observations& observations) {
    const std::vector<TreatmentSet> allowed = policy.rules.bound.allowed(policy.encoder.encode(observations.features));
    std::vector<std::size_t> within;
    for (std::size_t i = 0; i < allowed.size(); ++i)
        if (has(allowed[i], observations.treatment[i])) within.push_back(i);
    return take(observations, within);
}

}  // namespace

Observations rows_learned_from(const Policy& policy, const Observations& observations) {
    const Provenance& provenance = policy.provenance;
    Observations kept = observations;
    if (provenance.test_fraction > 0)
        if (const auto split =
                hold_out_again(observations, provenance.test_fraction, provenance.seed, provenance.split))
            kept = take(observations, split->kept);
    if (!policy.rules.empty() && option_of(policy, "on-violation") == "drop") kept = without_violations(policy, kept);
    if (fingerprint(kept) == provenance.data_sha256) return kept;
    throw data_error(fmt::format(
        "{}: these are not the {} rows that the model learned from; expected the file that it was fitted on",
        observations.features.where(), grouped(provenance.rows)));
}

std::string weight_column_of(const Policy& policy) {
    return option_of(policy, "weight");
}

std::string group_column_of(const Policy& policy) {
    return option_of(policy, "group");
}

std::vector<std::string> propensities_of(const Policy& policy) {
    std::vector<std::string> given;
    const std::string text = option_of(policy, "propensities");
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        given.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return given;
}

}  // namespace polyrx
