// SPDX-License-Identifier: Apache-2.0
#include "polyrx/verify/refute.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "polyrx/core/rng.hpp"

namespace polyrx::checking {
namespace {

constexpr int random_targets = 200;
constexpr int halvings = 40;  // on a walk, until its last point in the leaf is found

bool reaches(const Tree& tree, int leaf, const Vector& point) {
    return contains(tree.domain, point) && descend(tree, point).node == leaf;
}

// The worse of two is the one that refutes or, if both or none do, the one with the larger gap.
bool is_worse(const Suspect& a, const Suspect& b) {
    if (b.point.size() == 0) return a.point.size() != 0;
    return a.refutes == b.refutes ? a.gap > b.gap : a.refutes;
}

Suspect judge(const ReluNetwork& network, int treatment, const Vector& point) {
    const Matrix outcomes = forward(network, point.transpose());
    Suspect suspect{.point = point, .gap = -std::numeric_limits<double>::infinity()};
    for (int rival = 0; rival < static_cast<int>(outcomes.cols()); ++rival) {
        const double gap = outcomes(0, treatment) - outcomes(0, rival);
        if (rival == treatment || (suspect.rival >= 0 && !(gap > suspect.gap))) continue;
        suspect.gap = gap;
        suspect.rival = rival;
    }
    suspect.refutes = argmin_rows(outcomes).front() != treatment;
    return suspect;
}

// The share t of the way, on whole numbers where the domain has them; a group changes its member half-way.
Vector between(const Domain& domain, const Vector& from, const Vector& to, double t) {
    Vector x = from + t * (to - from);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        if (domain.integer[static_cast<std::size_t>(i)]) x[i] = std::round(x[i]);
        x[i] = std::clamp(x[i], domain.lower[i], domain.upper[i]);
    }
    for (const std::vector<Eigen::Index>& group : domain.groups)
        for (const Eigen::Index i : group) x[i] = t < 0.5 ? from[i] : to[i];
    return x;
}

Vector random_row(const Domain& domain, Rng& rng) {
    // An unbounded input goes some way.
    constexpr double far = 1e6;
    Vector x(domain.inputs());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const double low = std::max(domain.lower[i], std::min(-far, domain.upper[i]));
        const double high = std::min(domain.upper[i], std::max(far, low));
        const double u = rng.uniform();
        // Corners as often as inner points: outcomes are largest there.
        x[i] = u < 0.25 ? low : u < 0.5 ? high : rng.uniform(low, high);
        if (domain.integer[static_cast<std::size_t>(i)]) x[i] = std::round(x[i]);
    }
    for (const std::vector<Eigen::Index>& group : domain.groups) {
        std::vector<Eigen::Index> can;
        for (const Eigen::Index i : group) {
            x[i] = 0;
            if (domain.upper[i] >= 1) can.push_back(i);
        }
        if (!can.empty()) x[can[rng.below(can.size())]] = 1;
    }
    return x;
}

class Search {
public:
    Search(const ReluNetwork& network, const Tree& tree, int leaf)
        : network_(network),
          tree_(tree),
          leaf_(leaf),
          treatment_(std::get<Leaf>(tree.nodes[static_cast<std::size_t>(leaf)].what).treatment) {}

    [[nodiscard]] const Suspect& worst() const { return worst_; }

    bool look_at(const Vector& point) {
        if (!reaches(tree_, leaf_, point)) return false;
        Suspect suspect = judge(network_, treatment_, point);
        if (is_worse(suspect, worst_)) worst_ = std::move(suspect);
        return true;
    }

    // Looks at the end of the walk, or else near where it leaves the leaf.
    void walk(const Vector& from, const Vector& to) {
        if (look_at(to)) return;
        double in = 0;
        double out = 1;
        for (int i = 0; i < halvings; ++i) {
            const double middle = (in + out) / 2;
            (look_at(between(tree_.domain, from, to, middle)) ? in : out) = middle;
        }
    }

private:
    const ReluNetwork& network_;
    const Tree& tree_;
    int leaf_;
    int treatment_;
    Suspect worst_;
};

}  // namespace

Suspect suspect_at(const ReluNetwork& network, const Tree& tree, int leaf, const Vector& point) {
    Search search(network, tree, leaf);
    if (point.size() == tree.domain.inputs()) search.look_at(point);
    return search.worst();
}

Suspect find_suspect(const ReluNetwork& network, const Tree& tree, int leaf, const Vector& corner) {
    Search search(network, tree, leaf);
    const Vector& inside = std::get<Leaf>(tree.nodes[static_cast<std::size_t>(leaf)].what).inside;
    if (inside.size() != 0) search.look_at(inside);
    Rng rng(0, Draw::refute, static_cast<std::uint64_t>(leaf));
    for (int i = 0; i < random_targets && search.worst().point.size() == 0; ++i)
        search.look_at(random_row(tree.domain, rng));
    if (search.worst().point.size() == 0) return search.worst();

    // Twice: from where it began, and from the worst point of the first round.
    for (int round = 0; round < 2; ++round) {
        const Vector from = search.worst().point;
        if (corner.size() != 0 && corner.allFinite()) search.walk(from, corner);
        for (int i = 0; i < random_targets; ++i) search.walk(from, random_row(tree.domain, rng));
    }
    return search.worst();
}

}  // namespace polyrx::checking
