// SPDX-License-Identifier: Apache-2.0
// An oblique prescriptive tree: hyperplane splits with guard bands, and leaves with certificates.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "polyrx/geometry/affine.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/tree/certificate.hpp"

namespace polyrx {

// An exact or supported tree of a network, or a tree that is the whole model, without a network.
enum class TreeMode { exact, supported, whole };

[[nodiscard]] std::string_view name_of(TreeMode mode);

// The origin of a split, for display: a neuron (layer, index), the outcomes of two treatments, a threshold of one
// input, a comparison of a rule, or whether a treatment is supported where another is allowed.
struct SplitOrigin {
    enum class Kind { neuron, outcomes, cut, rule, support };
    Kind kind = Kind::cut;
    int first = 0;   // layer; treatment; input; rule; treatment
    int second = 0;  // neuron; treatment; unused; unused; the other
    friend bool operator==(const SplitOrigin&, const SplitOrigin&) = default;
};

// True if the split decides which treatments are allowed, by a rule or by support.
[[nodiscard]] inline bool is_of_rules(const SplitOrigin& origin) {
    return origin.kind == SplitOrigin::Kind::rule || origin.kind == SplitOrigin::Kind::support;
}

// A row goes to `yes` if the computed value is above the guard, and to `no` if it is below minus the guard. In between,
// the network decides, because rounding could take tree and network to different sides.
struct Split {
    AffineFunction function;  // of the encoded inputs, in the user's units
    double guard = 0;
    SplitOrigin origin;
    int yes = 0;  // indices of nodes
    int no = 0;
    friend bool operator==(const Split&, const Split&) = default;
};

// A leaf without a certificate is empirical: its treatment is what rows here were prescribed, and the network decides.
struct Leaf {
    int treatment = 0;  // or no_treatment if rules allow none
    std::optional<Certificate> certificate;
    Vector inside;                // a point in the leaf; empty if unknown
    std::vector<int> rules = {};  // rules that apply to all of its rows and forbid something, in order
    // Treatments that are supported for none of its rows and would be better at `inside`, in order.
    std::vector<int> unsupported = {};
    friend bool operator==(const Leaf& a, const Leaf& b) {
        return a.treatment == b.treatment && a.certificate == b.certificate && a.inside == b.inside &&
               a.rules == b.rules && a.unsupported == b.unsupported;
    }
};

struct Node {
    std::variant<Split, Leaf> what;
    std::size_t rows = 0;  // number of data rows in this node
    friend bool operator==(const Node&, const Node&) = default;
};

struct Tree {
    TreeMode mode = TreeMode::exact;
    Domain domain;
    std::vector<Node> nodes;         // the root first; children come after their parents
    std::size_t rows = 0;            // number of data rows; 0 without data
    std::size_t outside = 0;         // data rows outside the domain, which no node counts
    double certified_share = 0;      // share of rows (of leaves if no rows) that certified leaves answer
    std::optional<double> fidelity;  // of the leaves alone, without the network, on held-out rows
    std::size_t held_out = 0;        // number of held-out rows
};

[[nodiscard]] std::size_t leaf_count(const Tree& tree);
// The number of splits on the longest path from the root to a leaf.
[[nodiscard]] std::size_t depth(const Tree& tree);

// The node where a row of the domain ends.
struct Arrival {
    int node = 0;           // the leaf, or the split whose guard band contains the row
    bool answered = false;  // true at a certified leaf: its treatment is the network's
};

// The row must be in the domain: check contains() first.
[[nodiscard]] Arrival descend(const Tree& tree, const Eigen::Ref<const Vector>& row);
// The leaf by hyperplanes alone, ignoring guards: for counts and drawings.
[[nodiscard]] int leaf_of(const Tree& tree, const Eigen::Ref<const Vector>& row);

// Throws a data error unless the nodes form one valid tree: each child appears once, after its parent; splits have one
// finite weight per input and guards above 0; treatments are below `treatments`, or none; multipliers refer to existing
// constraints, and steps of certificates form a tree.
void check_well_formed(const Tree& tree, int treatments);

}  // namespace polyrx
