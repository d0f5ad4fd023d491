// SPDX-License-Identifier: Apache-2.0
// All activation patterns that a network has on a domain: Theorem 3.1's polyhedra, before the outcomes divide them.
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
    std::size_t most = 0;  // throws TooManyPatterns once there are more than this; 0 is no limit
};

class TooManyPatterns : public Error {
public:
    using Error::Error;
};

// How many patterns have a region with an inside in the domain, its whole numbers taken as real ones.
[[nodiscard]] std::size_t count_patterns(const ReluNetwork& network, const Domain& domain,
                                         const EnumerateOptions& options = {}, const Progress& progress = {});

// Calls visit for each of them, in lexicographic order (off before on, first layer first), from one thread at a time.
void for_each_pattern(const ReluNetwork& network, const Domain& domain, const EnumerateOptions& options,
                      const std::function<void(const Pattern&)>& visit, const Progress& progress = {});

}  // namespace polyrx
