// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "polyrx/core/error.hpp"
#include "polyrx/encode/feature_inputs.hpp"

namespace polyrx {
namespace {

using Bound = BoundCondition;

const Bound always{Bound::Kind::all_of, {}, {}};

Bound of(HalfSpace half_space) {
    return {Bound::Kind::half_space, std::move(half_space), {}};
}

Bound joined(Bound::Kind kind, std::vector<Bound> operands) {
    return {kind, {}, std::move(operands)};
}

// z_j - z_k > log(1 / epsilon). Empty if it never holds.
std::optional<Bound> where_odds_exceed(const LinearLogOdds::Score& j, const LinearLogOdds::Score& k, double epsilon) {
    std::map<Eigen::Index, double> weights;
    for (const HalfSpace::Term& term : j.terms) weights[term.input] += term.weight;
    for (const HalfSpace::Term& term : k.terms) weights[term.input] -= term.weight;
    HalfSpace half_space;
    for (const auto& [input, weight] : weights)
        if (weight != 0) half_space.terms.push_back({input, weight});
    half_space.constant = j.constant - k.constant + std::log(epsilon);
    if (!half_space.terms.empty()) return of(std::move(half_space));
    if (half_space.constant > 0) return always;
    return std::nullopt;
}

class TreeBinder {
public:
    TreeBinder(const PropensityTree& tree, const Encoder& encoder, double epsilon)
        : tree_(tree), encoder_(encoder), epsilon_(epsilon), inputs_(feature_inputs(encoder)) {}

    // Where the leaf's rows received j more than 1 / epsilon times as often as k. Empty if nowhere.
    [[nodiscard]] std::optional<Bound> where_exceeds(int j, int k) const { return below(0, j, k); }

private:
    [[nodiscard]] std::optional<Bound> below(int at, int j, int k) const {
        const PropensityTree::Node& node = tree_.nodes[static_cast<std::size_t>(at)];
        if (node.feature < 0) {
            const auto rows = [&](int treatment) { return node.rows[static_cast<std::size_t>(treatment)]; };
            if (rows(k) < epsilon_ * rows(j)) return always;
            return std::nullopt;
        }
        std::optional<Bound> left = below(node.left, j, k);
        std::optional<Bound> right = below(node.left + 1, j, k);
        if (left == right) return left;
        std::vector<Bound> sides;
        if (left) sides.push_back(both(left_of(node), std::move(*left)));
        if (right) sides.push_back(both(left_of(node).complement(), std::move(*right)));
        return sides.size() == 1 ? std::move(sides.front()) : joined(Bound::Kind::any_of, std::move(sides));
    }

    [[nodiscard]] static Bound both(Bound side, Bound inside) {
        if (inside == always) return side;
        return joined(Bound::Kind::all_of, {std::move(side), std::move(inside)});
    }

    [[nodiscard]] Bound left_of(const PropensityTree::Node& node) const {
        const FeatureInputs& its = inputs_[static_cast<std::size_t>(node.feature)];
        if (its.value < 0) {
            HalfSpace one_of{{}, -0.5, true};
            for (const int category : node.categories)
                one_of.terms.push_back({its.categories[static_cast<std::size_t>(category)], 1});
            if (node.missing_left && its.indicator >= 0) one_of.terms.push_back({its.indicator, 1});
            std::ranges::sort(one_of.terms, {}, &HalfSpace::Term::input);
            return of(std::move(one_of));
        }
        Bound at_most = of({{{its.value, -1}}, node.threshold, false});
        const double fill = encoder_.features()[static_cast<std::size_t>(node.feature)].fill;
        if (its.indicator < 0 || (fill <= node.threshold) == node.missing_left) return at_most;
        const Bound missing = of({{{its.indicator, 1}}, -0.5, true});
        return node.missing_left ? joined(Bound::Kind::any_of, {at_most, missing})
                                 : joined(Bound::Kind::all_of, {at_most, missing.complement()});
    }

    const PropensityTree& tree_;
    const Encoder& encoder_;
    double epsilon_;
    std::vector<FeatureInputs> inputs_;
};

void check_fits(const LinearLogOdds& model, const Encoder& encoder, std::size_t treatments) {
    if (model.scores.size() != treatments) throw data_error("support: every treatment needs log-odds");
    for (const LinearLogOdds::Score& score : model.scores) {
        if (!std::isfinite(score.constant)) throw data_error("support: the log-odds of a treatment are not finite");
        for (const HalfSpace::Term& term : score.terms)
            if (term.input < 0 || term.input >= static_cast<Eigen::Index>(encoder.columns().size()) ||
                !std::isfinite(term.weight))
                throw data_error("support: a term of the log-odds is not finite or has an unknown input");
    }
}

void check_fits(const PropensityTree& tree, const Encoder& encoder, std::size_t treatments) {
    const auto fail = [](const char* what) { throw data_error(fmt::format("support: {}", what)); };
    if (tree.nodes.empty()) fail("the propensity tree has no nodes");
    std::vector<char> has_parent(tree.nodes.size());
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const PropensityTree::Node& node = tree.nodes[i];
        if (i > 0 && !has_parent[i]) fail("the nodes of the propensity tree do not form a tree");
        if (node.feature < 0) {
            if (node.rows.size() != treatments) fail("a leaf of the propensity tree lacks the rows of a treatment");
            for (const double rows : node.rows)
                if (!(rows >= 0) || !std::isfinite(rows))
                    fail("a leaf of the propensity tree has an invalid number of rows");
            continue;
        }
        if (static_cast<std::size_t>(node.feature) >= encoder.features().size())
            fail("a split of the propensity tree has an unknown feature");
        const Feature& feature = encoder.features()[static_cast<std::size_t>(node.feature)];
        if (feature.type == ColumnType::categorical) {
            for (const int category : node.categories)
                if (category < 0 || static_cast<std::size_t>(category) >= feature.categories.size())
                    fail("a split of the propensity tree has an unknown category");
        } else if (!std::isfinite(node.threshold)) {
            fail("a threshold of the propensity tree is not finite");
        }
        const auto left = static_cast<std::size_t>(node.left);
        if (node.left <= static_cast<int>(i) || left + 1 >= tree.nodes.size() || has_parent[left] ||
            has_parent[left + 1])
            fail("the nodes of the propensity tree do not form a tree");
        has_parent[left] = has_parent[left + 1] = 1;
    }
}

}  // namespace

std::string_view name_of(BeyondSupport beyond_support) {
    return beyond_support == BeyondSupport::avoid ? "avoid" : "extrapolate";
}

std::string kind_of(const Support& support) {
    if (support.design) return "design";
    if (std::holds_alternative<PropensityTree>(support.model)) return "tree";
    return most_terms(support) == 0 ? "constant" : "logistic";
}

std::size_t most_terms(const Support& support) {
    const auto* linear = std::get_if<LinearLogOdds>(&support.model);
    if (!linear) return std::get<PropensityTree>(support.model).nodes.size() > 1 ? 1 : 0;
    std::size_t most = 0;
    for (const LinearLogOdds::Score& j : linear->scores)
        for (const LinearLogOdds::Score& k : linear->scores)
            if (const auto above = where_odds_exceed(j, k, support.epsilon))
                most = std::max(most, above->half_space.terms.size());
    return most;
}

double judging_epsilon(const std::optional<Support>& support) {
    return support ? std::min(support->epsilon, default_epsilon) : default_epsilon;
}

std::vector<SupportRule> bind_support(const Support& support, const Encoder& encoder, std::size_t treatments) {
    check_epsilon(support.epsilon);
    std::visit([&](const auto& model) { check_fits(model, encoder, treatments); }, support.model);
    for (const int k : support.never)
        if (k < 0 || static_cast<std::size_t>(k) >= treatments)
            throw data_error("support: the list of treatments without support has an unknown treatment");
    const auto is_never = [&](int k) { return std::ranges::find(support.never, k) != support.never.end(); };
    const auto* linear = std::get_if<LinearLogOdds>(&support.model);
    std::optional<TreeBinder> tree;
    if (!linear) tree.emplace(std::get<PropensityTree>(support.model), encoder, support.epsilon);
    std::vector<SupportRule> rules;
    for (int k = 0; k < static_cast<int>(treatments); ++k)
        for (int j = 0; j < static_cast<int>(treatments); ++j) {
            if (j == k || is_never(j)) continue;
            std::optional<Bound> applies;
            if (is_never(k))
                applies = always;
            else if (linear)
                applies = where_odds_exceed(linear->scores[static_cast<std::size_t>(j)],
                                            linear->scores[static_cast<std::size_t>(k)], support.epsilon);
            else
                applies = tree->where_exceeds(j, k);
            if (applies) rules.push_back({k, j, std::move(*applies)});
        }
    return rules;
}

}  // namespace polyrx
