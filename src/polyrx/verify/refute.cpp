// SPDX-License-Identifier: Apache-2.0
#include "polyrx/verify/refute.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "polyrx/core/rng.hpp"
#include "polyrx/rules/choose.hpp"

namespace polyrx::checking {
namespace {

constexpr int random_rows = 200;
constexpr int halvings = 40;  // bisection steps to find where a walk leaves the leaf

bool reaches(const Tree& tree, int leaf, const Vector& point) {
    return contains(tree.domain, point) && descend(tree, point).node == leaf;
}

// A suspect that refutes is worse; otherwise the one with the larger gap.
bool is_worse(const Suspect& a, const Suspect& b) {
    if (b.point.size() == 0) return a.point.size() != 0;
    return a.refutes == b.refutes ? a.gap > b.gap : a.refutes;
}

Suspect worst_of(const Prescriber& by, int treatment, const std::vector<Vector>& points) {
    Matrix rows(static_cast<Eigen::Index>(points.size()), by.network.inputs());
    for (Eigen::Index i = 0; i < rows.rows(); ++i) rows.row(i) = points[static_cast<std::size_t>(i)].transpose();
    const Matrix outcomes = forward(by.network, rows);
    const std::vector<int> prescribed = choose(by.rules, rows, outcomes);
    const std::vector<TreatmentSet> allowed = by.rules.supported(rows);
    Suspect worst;
    for (std::size_t i = 0; i < points.size(); ++i) {
        Suspect suspect{points[i], -std::numeric_limits<double>::infinity(), -1, prescribed[i] != treatment};
        const bool by_rules = treatment == no_treatment || !has(allowed[i], treatment);
        if (by_rules && suspect.refutes) {
            suspect.gap = std::numeric_limits<double>::infinity();
            suspect.rival = prescribed[i];
        }
        for (int rival = 0; !by_rules && rival < static_cast<int>(outcomes.cols()); ++rival) {
            const auto row = static_cast<Eigen::Index>(i);
            const double gap = outcomes(row, treatment) - outcomes(row, rival);
            if (rival == treatment || !has(allowed[i], rival) || (suspect.rival >= 0 && !(gap > suspect.gap))) continue;
            suspect.gap = gap;
            suspect.rival = rival;
        }
        if (is_worse(suspect, worst)) worst = std::move(suspect);
    }
    return worst;
}

// The point at fraction t of the way, rounded to whole numbers where required. A group changes its member at t = 1/2.
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
    // Limit of unbounded inputs.
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

// The end of the walk, or the last point before it leaves the leaf.
Vector end_of_walk(const Tree& tree, int leaf, const Vector& from, const Vector& to) {
    if (reaches(tree, leaf, to)) return to;
    Vector last = from;
    double in = 0;
    double out = 1;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (in + out) / 2;
        Vector point = between(tree.domain, from, to, middle);
        const bool inside = reaches(tree, leaf, point);
        (inside ? in : out) = middle;
        if (inside) last = std::move(point);
    }
    return last;
}

int treatment_of(const Tree& tree, int leaf) {
    return std::get<Leaf>(tree.nodes[static_cast<std::size_t>(leaf)].what).treatment;
}

}  // namespace

Suspect suspect_at(const Prescriber& by, const Tree& tree, int leaf, const Vector& point) {
    if (point.size() != tree.domain.inputs() || !reaches(tree, leaf, point)) return {};
    return worst_of(by, treatment_of(tree, leaf), {point});
}

Suspect find_suspect(const Prescriber& by, const Tree& tree, int leaf, const Vector& corner) {
    Rng rng(0, Draw::refute, static_cast<std::uint64_t>(leaf));
    const Vector& inside = std::get<Leaf>(tree.nodes[static_cast<std::size_t>(leaf)].what).inside;
    Suspect worst = suspect_at(by, tree, leaf, inside);
    for (const Vector& near : {inside, corner})
        if (worst.point.size() == 0 && near.size() == tree.domain.inputs() && near.allFinite())
            worst = suspect_at(by, tree, leaf, nearest_row(tree.domain, near));
    for (int i = 0; i < random_rows && worst.point.size() == 0; ++i)
        worst = suspect_at(by, tree, leaf, random_row(tree.domain, rng));
    if (worst.point.size() == 0) return worst;

    // Two rounds: from the starting point, and from the worst point of the first round.
    for (int round = 0; round < 2; ++round) {
        std::vector<Vector> points{worst.point};
        if (corner.size() != 0 && corner.allFinite()) points.push_back(end_of_walk(tree, leaf, worst.point, corner));
        for (int i = 0; i < random_rows; ++i)
            points.push_back(end_of_walk(tree, leaf, worst.point, random_row(tree.domain, rng)));
        worst = worst_of(by, treatment_of(tree, leaf), points);
    }
    return worst;
}

}  // namespace polyrx::checking
