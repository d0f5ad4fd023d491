// SPDX-License-Identifier: Apache-2.0
// Progress of one of several equal parts of some work.
#pragma once

#include <cstddef>
#include <string_view>

#include "polyrx/core/progress.hpp"

namespace polyrx {

// The listener must outlive what is returned. The work is called by the one name, whatever its parts are called.
[[nodiscard]] inline Progress part_of_work(const Progress& progress, std::size_t part, std::size_t parts,
                                           std::string_view work) {
    if (!progress) return {};
    return [&progress, part, parts, work](double share, std::string_view) {
        return progress((static_cast<double>(part) + share) / static_cast<double>(parts), work);
    };
}

}  // namespace polyrx
