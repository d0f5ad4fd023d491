// SPDX-License-Identifier: Apache-2.0
// An oblique prescriptive tree as a value: hyperplane splits with guard bands, leaves with their certificates.
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

// Of a network an exact tree or a supported one; or a tree that is the whole model, with nobody else to ask.
enum class TreeMode { exact, supported, whole };

[[nodiscard]] std::string_view name_of(TreeMode mode);

// Where a split comes from, for people: a neuron (layer, index), the outcomes of two treatments, a cut of one input, a
// comparison of a rule, or whether a treatment is supported where another is allowed.
struct SplitOrigin {
    enum class Kind { neuron, outcomes, cut, rule, support };
    Kind kind = Kind::cut;
    int first = 0;   // layer; treatment; input; rule; treatment
    int second = 0;  // neuron; treatment; unused; unused; the other
    friend bool operator==(const SplitOrigin&, const SplitOrigin&) = default;
};

// Whether it is a comparison that decides what may be prescribed, by a rule or by support.
[[nodiscard]] inline bool is_of_rules(const SplitOrigin& origin) {
    return origin.kind == SplitOrigin::Kind::rule || origin.kind == SplitOrigin::Kind::support;
}

// A row goes to `yes` if the function's computed value is above the guard, to `no` if it is below minus the guard. In
// between the network is asked, since rounding could take row and network to different sides.
struct Split {
    AffineFunction function;  // of the encoded inputs, in the user's units
    double guard = 0;
    SplitOrigin origin;
    int yes = 0;  // nodes
    int no = 0;
    friend bool operator==(const Split&, const Split&) = default;
};

// Without a certificate the treatment is empirical, what the rows seen here were prescribed, and the network is asked.
struct Leaf {
    int treatment = 0;  // or no_treatment, where rules leave none
    std::optional<Certificate> certificate;
    Vector inside;                // a point of the leaf; empty if none is known
    std::vector<int> rules = {};  // those that apply to all of its rows and forbid something, in order
    // Treatments that are supported for none of its rows and would be better at the point inside, in order.
    std::vector<int> unsupported = {};
    friend bool operator==(const Leaf& a, const Leaf& b) {
        return a.treatment == b.treatment && a.certificate == b.certificate && a.inside == b.inside &&
               a.rules == b.rules && a.unsupported == b.unsupported;
    }
};

struct Node {
    std::variant<Split, Leaf> what;
    std::size_t rows = 0;  // of the data that the tree was shown
    friend bool operator==(const Node&, const Node&) = default;
};

struct Tree {
    TreeMode mode = TreeMode::exact;
    Domain domain;
    std::vector<Node> nodes;         // the root first; a child comes after its parent
    std::size_t rows = 0;            // shown to the tree; 0 without data
    std::size_t outside = 0;         // of them, how many lie outside of the domain and are counted in no node
    double certified_share = 0;      // of the rows, those that a certified leaf answers; of the leaves if no rows
    std::optional<double> fidelity;  // of the leaves alone, without the network, on held-out rows
    std::size_t held_out = 0;        // how many those were
};

[[nodiscard]] std::size_t leaf_count(const Tree& tree);
// Splits on the longest way from the root to a leaf.
[[nodiscard]] std::size_t depth(const Tree& tree);

// Where a row of the domain ends.
struct Arrival {
    int node = 0;           // the leaf, or the split in whose guard band the row lies
    bool answered = false;  // by a certified leaf: its treatment is the network's
};

// A row that is not in the domain arrives nowhere: check contains() first.
[[nodiscard]] Arrival descend(const Tree& tree, const Eigen::Ref<const Vector>& row);
// The leaf's side of the hyperplanes alone, guards ignored: for counts and pictures.
[[nodiscard]] int leaf_of(const Tree& tree, const Eigen::Ref<const Vector>& row);

// Throws a data error unless the nodes form one tree whose numbers make sense: each child once, after its parent;
// finite weights, guards above 0, as many as the inputs; treatments below `treatments`, or none; multipliers that name
// constraints there are, and steps that form a tree.
void check_well_formed(const Tree& tree, int treatments);

}  // namespace polyrx
