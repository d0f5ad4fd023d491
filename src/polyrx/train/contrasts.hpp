// SPDX-License-Identifier: Apache-2.0
// What treatments differ in, of one row.
#pragma once

#include <cstddef>

namespace polyrx {

// sum_k (v_k - mean v)^2, with each v_k - mean v handed to use(k, contrast). Half the derivative of that sum in v_k is
// the contrast itself: the means of both are 0.
template <class Value, class Use>
double sum_squared_contrasts(std::size_t treatments, const Value& value_of, const Use& use) {
    double mean = 0;
    for (std::size_t k = 0; k < treatments; ++k) mean += value_of(k);
    mean /= static_cast<double>(treatments);
    double squares = 0;
    for (std::size_t k = 0; k < treatments; ++k) {
        const double contrast = value_of(k) - mean;
        squares += contrast * contrast;
        use(k, contrast);
    }
    return squares;
}

}  // namespace polyrx
