// SPDX-License-Identifier: Apache-2.0
// Maps the progress of a part to the progress of the whole.
#pragma once

#include <cmath>
#include <cstddef>

#include "polyrx/core/progress.hpp"

namespace polyrx {

// For the part from share `from` to share `to` of the whole. The callback receives `name`, or the part's own names if
// it is empty. `name` must outlive the result.
[[nodiscard]] inline Progress part_of_work(const Progress& progress, double from, double to,
                                           std::string_view name = {}) {
    if (!progress) return {};
    return [=](double share_done, std::string_view work) {
        // lerp ends exactly at `to`, where the next part starts, so shares never decrease.
        return progress(std::lerp(from, to, share_done), name.empty() ? work : name);
    };
}

// The same for one of `parts` equal, consecutive parts.
[[nodiscard]] inline Progress equal_part(const Progress& progress, std::size_t number, std::size_t parts,
                                         std::string_view name = {}) {
    const auto all = static_cast<double>(parts);
    return part_of_work(progress, static_cast<double>(number) / all, static_cast<double>(number + 1) / all, name);
}

// For parts that run in parallel: the callback receives share_done() for the whole, whatever the part reports, and can
// cancel at every step. The state that share_done() reads must outlive the result.
template <class ShareDone>
[[nodiscard]] Progress side_by_side(const Progress& progress, ShareDone share_done, std::string_view name) {
    if (!progress) return {};
    return [=](double, std::string_view) { return progress(share_done(), name); };
}

}  // namespace polyrx
