// SPDX-License-Identifier: Apache-2.0
// Progress of a part of some work.
#pragma once

#include <cmath>

#include "polyrx/core/progress.hpp"

namespace polyrx {

// For the part that takes the whole from one share to another. The listener hears the one name or, without it, those
// that the part gives; the name must outlive what is returned.
[[nodiscard]] inline Progress part_of_work(const Progress& progress, double from, double to,
                                           std::string_view name = {}) {
    if (!progress) return {};
    return [=](double share_done, std::string_view work) {
        // Ends exactly at `to`, where the next part begins: shares never fall.
        return progress(std::lerp(from, to, share_done), name.empty() ? work : name);
    };
}

}  // namespace polyrx
