// SPDX-License-Identifier: Apache-2.0
// Rows on the borders of regions: pairs of neighboring rows, bisected until no number lies between them.
#pragma once

#include <utility>
#include <vector>

#include "polyrx/network/affine_piece.hpp"
#include "tests/support/domains.hpp"

namespace polyrx::test {

// Half way in the inputs that are real numbers, where the rows differ alone.
inline Matrix half_way(const Matrix& a, const Matrix& b) {
    return a + (b - a) / 2;
}

// Random pairs of rows that agree in what is no real number. Of those whose key differs, both ends of what is left of
// the way between them after bisecting: adjacent rows with different keys. key(rows) has one value for each row.
template <class KeyOfRows>
Matrix boundary_rows(Rng& rng, const Domain& domain, Eigen::Index pairs, const KeyOfRows& key) {
    Matrix a = uniform_rows(rng, domain, pairs);
    Matrix b = uniform_rows(rng, domain, pairs);
    for (Eigen::Index i = 0; i < domain.inputs(); ++i)
        if (domain.integer[static_cast<std::size_t>(i)]) b.col(i) = a.col(i);
    const auto key_a = key(a);
    const auto key_b = key(b);
    Eigen::Index kept = 0;
    std::vector<typename std::decay_t<decltype(key_a)>::value_type> keys;
    for (Eigen::Index i = 0; i < pairs; ++i) {
        if (key_a[static_cast<std::size_t>(i)] == key_b[static_cast<std::size_t>(i)]) continue;
        a.row(kept) = Vector(a.row(i)).transpose();
        b.row(kept) = Vector(b.row(i)).transpose();
        keys.push_back(key_a[static_cast<std::size_t>(i)]);
        ++kept;
    }
    a.conservativeResize(kept, Eigen::NoChange);
    b.conservativeResize(kept, Eigen::NoChange);
    // Numbers near 0 are denser, so that a few ways need more steps than 53.
    for (int step = 0; step < 64; ++step) {
        const Matrix middle = half_way(a, b);
        const auto key_middle = key(middle);
        for (Eigen::Index i = 0; i < kept; ++i) {
            const auto index = static_cast<std::size_t>(i);
            (key_middle[index] == keys[index] ? a : b).row(i) = middle.row(i);
        }
    }
    Matrix both(2 * kept, a.cols());
    both << a, b;
    return both;
}

inline auto prescription_key(const ReluNetwork& network) {
    return [&network](const Matrix& rows) { return argmin_rows(forward(network, rows)); };
}

inline auto pattern_key(const ReluNetwork& network) {
    return [&network](const Matrix& rows) {
        std::vector<Pattern> patterns;
        for (Eigen::Index i = 0; i < rows.rows(); ++i)
            patterns.push_back(activation_pattern(network, rows.row(i).transpose()));
        return patterns;
    };
}

}  // namespace polyrx::test
