// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/supported/drawn_rows.hpp"

#include <vector>

#include "polyrx/core/rng.hpp"

namespace polyrx {

Matrix draw_rows(const Domain& domain, const Matrix& rows, std::span<const Eigen::Index> members, std::size_t count,
                 std::uint64_t seed) {
    std::vector<std::vector<Eigen::Index>> units = domain.groups;  // inputs that stay together
    std::vector<char> grouped(static_cast<std::size_t>(domain.inputs()));
    for (const auto& group : domain.groups)
        for (const Eigen::Index input : group) grouped[static_cast<std::size_t>(input)] = 1;
    for (Eigen::Index input = 0; input < domain.inputs(); ++input)
        if (!grouped[static_cast<std::size_t>(input)]) units.push_back({input});

    Matrix drawn(static_cast<Eigen::Index>(count), rows.cols());
    for (std::size_t i = 0; i < count; ++i) {
        Rng rng(seed, Draw::crossings, i);
        const Eigen::Index one = members[rng.below(members.size())];
        const Eigen::Index other = members[rng.below(members.size())];
        auto row = drawn.row(static_cast<Eigen::Index>(i));
        row = rows.row(one);
        for (const auto& unit : units)
            if (rng.bernoulli(0.5))
                for (const Eigen::Index input : unit) row[input] = rows(other, input);
    }
    return drawn;
}

}  // namespace polyrx
