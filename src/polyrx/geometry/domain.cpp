// SPDX-License-Identifier: Apache-2.0
#include "polyrx/geometry/domain.hpp"

#include <algorithm>
#include <cmath>

namespace polyrx {

bool contains(const Domain& domain, const Eigen::Ref<const Vector>& row) {
    // Written so that NaN is outside.
    if (!((row.array() >= domain.lower.array()) && (row.array() <= domain.upper.array())).all()) return false;
    for (Eigen::Index input = 0; input < row.size(); ++input)
        if (domain.integer[static_cast<std::size_t>(input)] && std::trunc(row[input]) != row[input]) return false;
    // Members are whole numbers in 0..1 by now, so their sum is exact.
    return std::all_of(domain.groups.begin(), domain.groups.end(), [&](const std::vector<Eigen::Index>& group) {
        double sum = 0;
        for (const Eigen::Index input : group) sum += row[input];
        return sum == 1;
    });
}

bool is_binary(const Domain& domain, Eigen::Index input) {
    if (!domain.integer[static_cast<std::size_t>(input)] || domain.lower[input] != 0 || domain.upper[input] != 1)
        return false;
    return std::none_of(domain.groups.begin(), domain.groups.end(), [&](const std::vector<Eigen::Index>& group) {
        return std::find(group.begin(), group.end(), input) != group.end();
    });
}

}  // namespace polyrx
