// SPDX-License-Identifier: Apache-2.0
// Enumerates the activation patterns of a network on a domain: Theorem 3.1's polyhedra, not yet divided by outcomes.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "polyrx/core/error.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/network/affine_piece.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {

struct EnumerateOptions {
    int threads = 1;
    std::size_t most = 0;  // throws TooManyPatterns above this number; 0 = no limit
};

class TooManyPatterns : public Error {
public:
    using Error::Error;
};

// Counts patterns whose region has an interior in the domain, with whole numbers relaxed to real numbers.
[[nodiscard]] std::size_t count_patterns(const ReluNetwork& network, const Domain& domain,
                                         const EnumerateOptions& options = {}, const Progress& progress = {});

// Calls visit for each pattern in lexicographic order (off before on, first layer first), one thread at a time.
void for_each_pattern(const ReluNetwork& network, const Domain& domain, const EnumerateOptions& options,
                      const std::function<void(const Pattern&)>& visit, const Progress& progress = {});

}  // namespace polyrx
