// SPDX-License-Identifier: Apache-2.0
// Sets of treatments as bit masks.
#pragma once

#include <cstddef>
#include <cstdint>

namespace polyrx {

// Bit k stands for treatment k. There are at most 64 (study/treatments.hpp).
using TreatmentSet = std::uint64_t;

// Index for rows to which the rules allow no treatment.
inline constexpr int no_treatment = -1;

[[nodiscard]] inline TreatmentSet all_treatments(std::size_t count) {
    return count >= 64 ? ~TreatmentSet{0} : (TreatmentSet{1} << count) - 1;
}
[[nodiscard]] inline bool has(TreatmentSet set, int treatment) {
    return (set >> treatment & 1) != 0;
}
[[nodiscard]] inline TreatmentSet only(int treatment) {
    return TreatmentSet{1} << treatment;
}

}  // namespace polyrx
