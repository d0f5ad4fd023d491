// SPDX-License-Identifier: Apache-2.0
// Progress of a part of some work.
#pragma once

#include <cmath>
#include <cstddef>

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

// The same for one of so many equal parts that come one after the other.
[[nodiscard]] inline Progress equal_part(const Progress& progress, std::size_t number, std::size_t parts,
                                         std::string_view name = {}) {
    const auto all = static_cast<double>(parts);
    return part_of_work(progress, static_cast<double>(number) / all, static_cast<double>(number + 1) / all, name);
}

// For one of several parts that run at the same time: the listener hears the share of the whole that share_done() says,
// whatever the part says of itself, and can stop the part at any of its steps. What share_done() looks at must outlive
// what is returned.
template <class ShareDone>
[[nodiscard]] Progress side_by_side(const Progress& progress, ShareDone share_done, std::string_view name) {
    if (!progress) return {};
    return [=](double, std::string_view) { return progress(share_done(), name); };
}

}  // namespace polyrx
