// SPDX-License-Identifier: Apache-2.0
// Sets of treatments, one bit each.
#pragma once

#include <cstddef>
#include <cstdint>

namespace polyrx {

// Bit k: treatment k. There are at most 64 (data/treatments.hpp).
using TreatmentSet = std::uint64_t;

// In place of a treatment's index: the rules leave none.
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
