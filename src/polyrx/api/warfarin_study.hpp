// SPDX-License-Identifier: Apache-2.0
// The paper's warfarin cohort from the consortium's file, optionally as an observational study.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "polyrx/api/data_text.hpp"

namespace polyrx {

struct WarfarinStudy {
    Table rows;
    std::size_t left_out = 0;  // rows without dose, height or weight
    std::string right_doses;   // "right dose: Low 1,439 (32.6 %), ..."
};

// With a seed, assigns doses as in the paper: see observe_doses().
[[nodiscard]] WarfarinStudy warfarin_study(const DataText& data, std::optional<std::uint64_t> observe_seed,
                                           const Progress& progress = {});

}  // namespace polyrx
