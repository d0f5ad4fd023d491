// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/policy_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "polyrx/api/baseline_tree.hpp"
#include "polyrx/api/summary.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/extract/budget.hpp"
#include "polyrx/tree/flat_tree.hpp"

namespace polyrx {
namespace {

int treatment_of(const std::vector<std::string>& treatments, const std::string& label, const std::string& place) {
    const auto found = std::ranges::find(treatments, label);
    if (found == treatments.end())
        throw data_error(
            fmt::format("{}: {} is none of the treatments ({})", place, in_quotes(label), listed(treatments, 10)));
    return static_cast<int>(found - treatments.begin());
}

}  // namespace

const Policy* PolicySource::model() const {
    if (!file) return nullptr;
    if (const auto* tree = std::get_if<TreePolicy>(&*file)) return &tree->policy;
    return &std::get<Policy>(*file);
}

PolicySource policy_source(const std::string& text, const Progress& progress) {
    constexpr std::string_view always = "always:";
    constexpr std::string_view column = "column:";
    PolicySource source{.text = text};
    if (text.starts_with(always))
        source.always = text.substr(always.size());
    else if (text.starts_with(column))
        source.column = text.substr(column.size());
    else
        source.file = load_model_or_tree(text, progress);
    return source;
}

Prescriptions prescribe_for(const PolicySource& policy, const RowsToPrescribe& rows, const PrescribeOptions& options,
                            const Progress& progress) {
    Prescriptions result;
    if (const Policy* model = policy.model()) {
        if (model->treatments != rows.treatments)
            throw data_error(fmt::format("{}: the treatments of the model are {}, those judged by are {}", policy.text,
                                         listed(model->treatments, 10), listed(rows.treatments, 10)));
        result = prescribe(*model, rows.features, options, progress);
        if (kind_of(*model) != ScoreKind::outcomes) result.outcomes.resize(0, 0);
        const auto none = std::ranges::count(result.treatment, no_treatment);
        if (none == 0) return result;
        const auto first = std::ranges::find(result.treatment, no_treatment) - result.treatment.begin();
        throw data_error(fmt::format("{}: the rules leave no treatment for {}, which cannot be evaluated",
                                     rows.features.where(static_cast<std::size_t>(first)),
                                     this_and_others(static_cast<std::size_t>(none))));
    }
    if (!policy.column.empty()) {
        const Column& column = rows.columns.at(policy.column);
        for (std::size_t i = 0; i < rows.features.rows(); ++i)
            result.treatment.push_back(
                treatment_of(rows.treatments, column.text(i),
                             fmt::format("{}: column {}", rows.features.where(i), in_quotes(policy.column))));
        return result;
    }
    result.treatment.assign(rows.features.rows(), treatment_of(rows.treatments, policy.always, policy.text));
    return result;
}

std::optional<Partition> leaves_of(const PolicySource& policy, const Table& features) {
    const Policy* model = policy.model();
    if (!model) return std::nullopt;
    std::optional<Tree> tree;
    if (const auto* of_network = std::get_if<TreePolicy>(&*policy.file)) {
        tree = of_network->tree;
    } else {
        try {
            tree = baseline_tree(*model);
        } catch (const BudgetSpent&) {
            return std::nullopt;  // too many leaves for a table
        }
    }
    if (!tree) return std::nullopt;
    const Matrix encoded = model->encoder.encode(features, Unseen::ignore);
    std::vector<int> ends(features.rows());
    FlatTree(*tree).arrive(encoded, ends);
    std::map<int, std::size_t> numbers;
    for (const int node : ends) numbers.emplace(node, 0);
    Partition partition;
    for (auto& [node, number] : numbers) {
        number = partition.names.size();
        const Leaf* leaf = node < 0 ? nullptr : std::get_if<Leaf>(&tree->nodes[static_cast<std::size_t>(node)].what);
        partition.names.push_back(
            !leaf ? std::string(node < 0 ? "outside of the tree" : "too close to a split")
                  : fmt::format("node {}: {}", node,
                                leaf->treatment == no_treatment
                                    ? std::string("none")
                                    : model->treatments[static_cast<std::size_t>(leaf->treatment)]));
    }
    for (const int node : ends) partition.part.push_back(numbers.at(node));
    return partition;
}

bool may_have_learned_from(const PolicySource& policy, const PolicySource& held_out_by) {
    const Policy* other = policy.model();
    if (other == nullptr) return false;
    const Policy* model = held_out_by.model();
    // The note about training rows then holds for both models.
    if (model && model->provenance.test_fraction == 0 && other->provenance.test_fraction == 0 &&
        other->provenance.data_sha256 == model->provenance.data_sha256)
        return false;
    return model == nullptr || other->provenance.test_fraction != model->provenance.test_fraction ||
           other->provenance.seed != model->provenance.seed || other->provenance.split != model->provenance.split ||
           other->provenance.test_fraction == 0;
}

}  // namespace polyrx
