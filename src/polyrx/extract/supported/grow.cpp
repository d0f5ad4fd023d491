// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/supported/grow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/extract/exact/plan_rules.hpp"
#include "polyrx/extract/supported/best_split.hpp"
#include "polyrx/extract/supported/candidate_splits.hpp"
#include "polyrx/extract/supported/count_rows.hpp"
#include "polyrx/extract/supported/drawn_rows.hpp"
#include "polyrx/extract/supported/gini.hpp"
#include "polyrx/extract/supported/labeled_rows.hpp"
#include "polyrx/tree/guard.hpp"

namespace polyrx {
namespace {

// A part of the domain where all rules are decided.
struct RulePart {
    TreatmentSet allowed = 0;
    int in_the_middle = no_treatment;  // the prescription at its center
};

struct GrownNode {
    std::vector<Eigen::Index> members;  // rows for growth; moved to the children by a split
    std::size_t part = 0;               // of the domain, by the rules; unused above their splits
    bool by_rule = false;               // a rule made the split, and its sides are never merged
    double guard = 0;                   // of that split
    TreatmentCounts counts;             // of all members
    TreatmentCounts given_counts;       // of given rows only; they determine what a leaf prescribes
    std::optional<ScoredSplit> split;   // the best split, made or not
    int yes = -1;                       // children come after their parent
    int no = -1;
};

constexpr int several = -2;  // in place of a treatment

// Before siblings are merged there may be this many times as many leaves, because a split may pay only together with
// the next ones.
constexpr std::size_t unmerged_leaves = 4;

class Grower {
public:
    Grower(const ReluNetwork& network, const Domain& domain, const LabeledRows& rows,
           std::vector<CandidateSplit> support, const GrowOptions& options)
        : network_(network), domain_(domain), rows_(rows), support_(std::move(support)), options_(options) {}

    // `rules` has the splits of rules; its leaves contain numbers of parts.
    void grow(std::vector<Eigen::Index> members, const Plan& rules, std::vector<RulePart> parts,
              const Progress& progress);
    // The nodes after merging siblings that prescribe the same.
    [[nodiscard]] std::vector<Node> merged() const;

private:
    void add(std::vector<Eigen::Index> members);
    void fill(GrownNode& node, std::vector<Eigen::Index> members) const;
    void carry_out_rules(const Plan& plan, std::size_t at);
    [[nodiscard]] int treatment_of(const GrownNode& leaf) const;
    void find_split(std::size_t at);
    void carry_out_split(std::size_t at);
    // Per node: the treatment of all leaves below it, or `several`.
    [[nodiscard]] std::vector<int> common_treatment() const;
    [[nodiscard]] std::size_t merged_leaves() const;

    const ReluNetwork& network_;
    const Domain& domain_;
    const LabeledRows& rows_;
    std::vector<CandidateSplit> support_;  // candidates in every node
    const GrowOptions& options_;
    std::vector<GrownNode> nodes_;
    std::vector<RulePart> parts_;
};

void Grower::grow(std::vector<Eigen::Index> members, const Plan& rules, std::vector<RulePart> parts,
                  const Progress& progress) {
    parts_ = std::move(parts);
    add(std::move(members));
    carry_out_rules(rules, 0);
    for (;;) {
        const std::size_t leaves = merged_leaves();
        report(progress, static_cast<double>(leaves) / static_cast<double>(options_.max_leaves), "growing the tree");
        if (leaves >= options_.max_leaves || nodes_.size() / 2 + 1 >= unmerged_leaves * options_.max_leaves) return;
        std::optional<std::size_t> next;
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            if (nodes_[i].yes < 0 && nodes_[i].split && (!next || nodes_[i].split->gain > nodes_[*next].split->gain))
                next = i;
        if (!next) return;
        carry_out_split(*next);
    }
}

void Grower::add(std::vector<Eigen::Index> members) {
    fill(nodes_.emplace_back(), std::move(members));
}

void Grower::fill(GrownNode& node, std::vector<Eigen::Index> members) const {
    node.members = std::move(members);
    node.counts.assign(static_cast<std::size_t>(network_.outputs()), 0);
    node.given_counts = node.counts;
    for (const Eigen::Index row : node.members) {
        const auto i = static_cast<std::size_t>(row);
        if (rows_.treatment[i] == no_treatment) continue;
        ++node.counts[static_cast<std::size_t>(rows_.treatment[i])];
        if (i < rows_.given) ++node.given_counts[static_cast<std::size_t>(rows_.treatment[i])];
    }
}

void Grower::carry_out_rules(const Plan& plan, std::size_t at) {
    if (plan.is_leaf()) {
        // A row on the border of two parts may have a prescription that is forbidden in this one.
        std::vector<Eigen::Index> members = std::move(nodes_[at].members);
        const auto part = static_cast<std::size_t>(plan.treatment);
        std::erase_if(members, [&](Eigen::Index row) {
            const int treatment = rows_.treatment[static_cast<std::size_t>(row)];
            return treatment == no_treatment || !has(parts_[part].allowed, treatment);
        });
        fill(nodes_[at], std::move(members));
        nodes_[at].part = part;
        return find_split(at);
    }
    std::vector<Eigen::Index> sides[2];
    for (const Eigen::Index row : nodes_[at].members)
        sides[plan.function(rows_.inputs.row(row).transpose()) > 0 ? 1 : 0].push_back(row);
    nodes_[at].split = ScoredSplit{plan.function, plan.origin, 0};
    nodes_[at].by_rule = true;
    nodes_[at].guard = plan.guard;
    nodes_[at].members = {};
    const auto yes = nodes_.size();
    nodes_[at].yes = static_cast<int>(yes);
    nodes_[at].no = static_cast<int>(yes) + 1;
    add(std::move(sides[1]));
    add(std::move(sides[0]));
    carry_out_rules(*plan.yes, yes);
    carry_out_rules(*plan.no, yes + 1);
}

void Grower::find_split(std::size_t at) {
    GrownNode& node = nodes_[at];
    if (node.members.empty()) return;
    const bool pure = node.counts[static_cast<std::size_t>(commonest(node.counts))] == node.members.size();
    if (pure || node.members.size() < 2 * options_.min_rows) return;
    std::vector<CandidateSplit> candidates =
        candidate_splits(network_, domain_, rows_, evenly_spaced(node.members, rows_of_finalists), node.counts);
    candidates.insert(candidates.end(), support_.begin(), support_.end());
    node.split = best_split(candidates, domain_, rows_, node.members, options_.min_rows, options_.threads);
}

void Grower::carry_out_split(std::size_t at) {
    std::vector<Eigen::Index> yes;
    std::vector<Eigen::Index> no;
    const auto given = [&](const std::vector<Eigen::Index>& members) {  // members are in order
        return static_cast<std::size_t>(
            std::lower_bound(members.begin(), members.end(), static_cast<Eigen::Index>(rows_.given)) - members.begin());
    };
    // Same computation as leaf_of(), bit for bit.
    for (const Eigen::Index row : nodes_[at].members)
        (nodes_[at].split->function(rows_.inputs.row(row).transpose()) > 0 ? yes : no).push_back(row);
    // Possible because the candidate's value was computed in another order or on fewer rows.
    if (given(yes) < options_.min_rows || given(no) < options_.min_rows) return nodes_[at].split.reset();

    nodes_[at].yes = static_cast<int>(nodes_.size());
    nodes_[at].no = nodes_[at].yes + 1;
    add(std::move(yes));
    add(std::move(no));
    nodes_[nodes_.size() - 1].part = nodes_[nodes_.size() - 2].part = nodes_[at].part;
    // One split can separate several siblings that were one leaf.
    if (merged_leaves() > options_.max_leaves) {
        nodes_.resize(nodes_.size() - 2);
        nodes_[at].yes = nodes_[at].no = -1;
        return nodes_[at].split.reset();
    }
    nodes_[at].members = {};
    find_split(nodes_.size() - 2);
    find_split(nodes_.size() - 1);
}

int Grower::treatment_of(const GrownNode& leaf) const {
    // Without given rows, the drawn rows determine the treatment; without any, the center of the part.
    for (const TreatmentCounts& counts : {leaf.given_counts, leaf.counts})
        if (const int most = commonest(counts); counts[static_cast<std::size_t>(most)] > 0) return most;
    return parts_[leaf.part].in_the_middle;
}

std::vector<int> Grower::common_treatment() const {
    std::vector<int> treatment(nodes_.size());
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        const GrownNode& node = nodes_[i];
        if (node.yes < 0) {
            treatment[i] = treatment_of(node);
        } else {
            const int yes = treatment[static_cast<std::size_t>(node.yes)];
            treatment[i] = !node.by_rule && yes == treatment[static_cast<std::size_t>(node.no)] ? yes : several;
        }
    }
    return treatment;
}

std::size_t Grower::merged_leaves() const {
    // A binary tree has one leaf more than splits.
    const std::vector<int> treatment = common_treatment();
    return static_cast<std::size_t>(std::count(treatment.begin(), treatment.end(), several)) + 1;
}

std::vector<Node> Grower::merged() const {
    const std::vector<int> treatment = common_treatment();
    std::vector<Node> nodes(1);
    std::vector<std::size_t> origin = {0};  // the grown node of each node
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const GrownNode& grown = nodes_[origin[i]];
        if (treatment[origin[i]] != several) {
            nodes[i].what = Leaf{treatment[origin[i]], std::nullopt, {}};
            continue;
        }
        const int yes = static_cast<int>(nodes.size());
        const double guard = grown.by_rule ? grown.guard : guard_for(grown.split->function, domain_);
        nodes[i].what = Split{grown.split->function, guard, grown.split->origin, yes, yes + 1};
        nodes.resize(nodes.size() + 2);
        origin.push_back(static_cast<std::size_t>(grown.yes));
        origin.push_back(static_cast<std::size_t>(grown.no));
    }
    return nodes;
}

std::vector<int> leaves_of(const Tree& tree, const Matrix& rows, std::size_t count, int threads) {
    std::vector<int> leaves(count);
    constexpr std::size_t block = 4096;
    parallel_for((leaves.size() + block - 1) / block, threads, [&](std::size_t index) {
        for (std::size_t i = index * block; i < std::min(leaves.size(), (index + 1) * block); ++i)
            leaves[i] = leaf_of(tree, rows.row(static_cast<Eigen::Index>(i)).transpose());
    });
    return leaves;
}

// For each leaf: the row with its treatment that is nearest to the mean of all its rows, in units of the domain's
// spread.
void choose_points_inside(Tree& tree, const LabeledRows& rows, const std::vector<int>& leaves,
                          const std::vector<Eigen::Index>& grown_on) {
    const Vector spread = tree.domain.upper - tree.domain.lower;
    const Vector unit = spread.unaryExpr([](double s) { return s > 0 && std::isfinite(s) ? 1 / s : 0; });
    std::vector<std::vector<Eigen::Index>> members(tree.nodes.size());
    for (const Eigen::Index row : grown_on)
        members[static_cast<std::size_t>(leaves[static_cast<std::size_t>(row)])].push_back(row);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        auto* leaf = std::get_if<Leaf>(&tree.nodes[i].what);
        if (!leaf) continue;
        if (members[i].empty()) continue;
        Vector mean = Vector::Zero(rows.inputs.cols());
        for (const Eigen::Index row : members[i]) mean += rows.inputs.row(row).transpose();
        mean /= static_cast<double>(members[i].size());
        double nearest = std::numeric_limits<double>::infinity();
        for (const Eigen::Index row : members[i]) {
            if (rows.treatment[static_cast<std::size_t>(row)] != leaf->treatment) continue;
            const double distance = (rows.inputs.row(row).transpose() - mean).cwiseProduct(unit).squaredNorm();
            if (distance < nearest || leaf->inside.size() == 0) {
                nearest = distance;
                leaf->inside = rows.inputs.row(row);
            }
        }
    }
}

struct RuleParts {
    PlanPtr splits;  // its leaves contain numbers of parts
    std::vector<RulePart> parts;
};

RuleParts parts_by_rules(const ReluNetwork& network, const BoundRules& rules, const Domain& domain) {
    RuleParts result;
    if (rules.rules().empty()) {  // nothing to plan for the network, which may be large
        result.splits = leaf_plan(0);
        result.parts.push_back({all_treatments(static_cast<std::size_t>(network.outputs())), 0});
        return result;
    }
    Budget unlimited({.leaves = 0, .linear_programs = 0, .seconds = 0});
    const Ground ground(network, domain, unlimited);
    const auto below = [&](Cell cell, TreatmentSet allowed) {
        cell.compare_only(allowed);
        result.parts.push_back({allowed, cell.preferred_at(cell.center())});
        return leaf_plan(static_cast<int>(result.parts.size()) - 1);
    };
    result.splits = plan_rules(ground, RuleGround(rules, domain, network.outputs()), below, SameSides::keep);
    return result;
}

void check(const ReluNetwork& network, const Domain& domain, const Matrix& rows, const GrowOptions& options) {
    if (options.max_leaves == 0) throw usage_error("a tree has at least one leaf");
    if (options.min_rows == 0) throw usage_error("a leaf needs at least one row");
    if (!(options.held_out >= 0 && options.held_out < 1))
        throw usage_error(fmt::format("the share of rows held out must be in [0, 1), not {}", options.held_out));
    if (rows.cols() != network.inputs() || domain.inputs() != network.inputs())
        throw usage_error(fmt::format("the network takes {} inputs, but the rows have {} and the domain has {}",
                                      network.inputs(), rows.cols(), domain.inputs()));
}

}  // namespace

Tree grow_tree(const ReluNetwork& network, const BoundRules& rules, const Domain& domain, const Matrix& rows,
               const GrowOptions& options, const Progress& progress) {
    check(network, domain, rows, options);
    LabeledRows labeled = label_rows(network, rules, domain, rows, options.threads);
    if (labeled.size() == 0)
        throw data_error(fmt::format("a supported tree needs rows inside the domain, but {}",
                                     rows.rows() == 1 ? std::string("the only row is not")
                                                      : fmt::format("none of the {} rows is", rows.rows())));

    std::vector<Eigen::Index> grown_on(labeled.size());
    std::iota(grown_on.begin(), grown_on.end(), Eigen::Index{0});
    std::vector<Eigen::Index> held_out;
    if (labeled.size() >= fewest_rows_to_hold_out) {
        Rng(options.seed, Draw::held_out).shuffle(std::span(grown_on));
        const auto count = static_cast<std::ptrdiff_t>(options.held_out * static_cast<double>(labeled.size()));
        held_out.assign(grown_on.end() - count, grown_on.end());
        grown_on.resize(grown_on.size() - held_out.size());
        std::sort(grown_on.begin(), grown_on.end());
    }

    std::vector<Eigen::Index> members = grown_on;
    if (grown_on.size() < options.drawn_up_to) {
        add_drawn(labeled,
                  draw_rows(domain, labeled.inputs, grown_on, options.drawn_up_to - grown_on.size(), options.seed),
                  network, rules, options.threads);
        for (std::size_t i = labeled.given; i < labeled.size(); ++i) members.push_back(static_cast<Eigen::Index>(i));
    }

    Grower grower(network, domain, labeled, support_splits(rules, domain), options);
    RuleParts by_rules = parts_by_rules(network, rules, domain);
    grower.grow(std::move(members), *by_rules.splits, std::move(by_rules.parts), progress);
    Tree tree;
    tree.mode = TreeMode::supported;
    tree.domain = domain;
    tree.nodes = grower.merged();
    count_rows(tree, rows);

    const std::vector<int> leaves = leaves_of(tree, labeled.inputs, labeled.given, options.threads);
    choose_points_inside(tree, labeled, leaves, grown_on);
    tree.held_out = held_out.size();
    if (!held_out.empty()) {
        const auto agree = std::count_if(held_out.begin(), held_out.end(), [&](Eigen::Index row) {
            const auto i = static_cast<std::size_t>(row);
            return std::get<Leaf>(tree.nodes[static_cast<std::size_t>(leaves[i])].what).treatment ==
                   labeled.treatment[i];
        });
        tree.fidelity = static_cast<double>(agree) / static_cast<double>(held_out.size());
    }
    return tree;
}

}  // namespace polyrx
