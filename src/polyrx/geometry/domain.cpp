// SPDX-License-Identifier: Apache-2.0
#include "polyrx/geometry/domain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polyrx {

bool contains(const Domain& domain, const Eigen::Ref<const Vector>& row) {
    // NaN is outside.
    if (!((row.array() >= domain.lower.array()) && (row.array() <= domain.upper.array())).all()) return false;
    for (Eigen::Index input = 0; input < row.size(); ++input)
        if (domain.integer[static_cast<std::size_t>(input)] && std::trunc(row[input]) != row[input]) return false;
    for (const Domain::Fill& fill : domain.fills)
        if (row[fill.indicator] == 1 && row[fill.input] != fill.value) return false;
    // Members are now known to be 0 or 1, so their sum is exact.
    return std::all_of(domain.groups.begin(), domain.groups.end(), [&](const std::vector<Eigen::Index>& group) {
        double sum = 0;
        for (const Eigen::Index input : group) sum += row[input];
        return sum == 1;
    });
}

Vector nearest_row(const Domain& domain, const Vector& point) {
    Vector row = point.cwiseMax(domain.lower).cwiseMin(domain.upper);
    for (Eigen::Index input = 0; input < row.size(); ++input)
        if (domain.integer[static_cast<std::size_t>(input)]) row[input] = std::round(row[input]);
    for (const std::vector<Eigen::Index>& group : domain.groups) {
        const auto rank = [&](Eigen::Index i) { return domain.upper[i] < 1 ? -1 : domain.lower[i] > 0 ? 2 : point[i]; };
        const Eigen::Index one = *std::ranges::max_element(group, {}, rank);
        for (const Eigen::Index member : group) row[member] = member == one ? 1 : 0;
    }
    for (const Domain::Fill& fill : domain.fills)
        if (row[fill.indicator] == 1 && domain.lower[fill.input] <= fill.value &&
            fill.value <= domain.upper[fill.input])
            row[fill.input] = fill.value;
    return row;
}

double maximum(const Domain& domain, const AffineFunction& function) {
    constexpr double nothing = -std::numeric_limits<double>::infinity();
    double sum = function.constant;
    std::vector<char> grouped(static_cast<std::size_t>(domain.inputs()));
    for (const std::vector<Eigen::Index>& group : domain.groups) {
        // Members are at least 0 and sum to one, so the maximum sets one of them to 1.
        double best = nothing;
        bool forced = false;
        for (const Eigen::Index member : group) {
            grouped[static_cast<std::size_t>(member)] = 1;
            if (domain.upper[member] < 1 || forced) continue;
            forced = domain.lower[member] > 0;
            best = forced ? function.weights[member] : std::max(best, function.weights[member]);
        }
        sum += best;
    }
    for (Eigen::Index i = 0; i < domain.inputs(); ++i) {
        if (domain.lower[i] > domain.upper[i]) return nothing;
        const double weight = function.weights[i];
        if (weight == 0 || grouped[static_cast<std::size_t>(i)]) continue;
        sum += weight > 0 ? weight * domain.upper[i] : weight * domain.lower[i];
    }
    return sum;
}

Vector magnitudes(const Domain& domain) {
    Vector result = domain.lower.cwiseAbs().cwiseMax(domain.upper.cwiseAbs());
    for (double& value : result)
        if (std::isinf(value)) value = 0;
    return result;
}

Vector kernel_lower(const Domain& domain) {
    Vector lower = domain.lower;
    for (Eigen::Index input = 0; input < lower.size(); ++input)
        if (domain.integer[static_cast<std::size_t>(input)]) lower[input] = std::max(lower[input], -0x1p51);
    return lower;
}

bool is_binary(const Domain& domain, Eigen::Index input) {
    if (!domain.integer[static_cast<std::size_t>(input)] || domain.lower[input] != 0 || domain.upper[input] != 1)
        return false;
    return std::none_of(domain.groups.begin(), domain.groups.end(), [&](const std::vector<Eigen::Index>& group) {
        return std::find(group.begin(), group.end(), input) != group.end();
    });
}

}  // namespace polyrx
