// SPDX-License-Identifier: Apache-2.0
// The warfarin cohort of Section 5.3: converts the file of the International Warfarin Pharmacogenetics Consortium
// (IWPC) to 40 features and the correct dose, and simulates an observational study from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/table/schema.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

// Low is up to 21 mg per week, High is 49 mg or more. Classes are indices into this list.
inline const std::vector<std::string> warfarin_doses = {"Low", "Medium", "High"};

struct WarfarinCohort {
    // id, the 40 features (Height, Weight, BMI, then 37 of 0 and 1), dose_mg_week, class; in file order.
    Table patients;
    // The number of patients without dose, height or weight. A missing category becomes all zeros instead.
    std::size_t left_out = 0;
};

// `bytes` is the consortium's subject sheet as CSV; `name` prefixes error messages. Throws a data error that names
// missing columns, or the line of an invalid number or category.
[[nodiscard]] WarfarinCohort parse_warfarin(std::string_view bytes, const std::string& name,
                                            const Progress& progress = {});

// Simulates doses that depend on body mass index alone: P[dose k] is proportional to
// exp((k - 1)(BMI - mean) / deviation), with mean and deviation over these patients. Returns the 40 features, treatment
// (one of warfarin_doses), outcome (1 if the dose is wrong, else 0), and the truth y0, y1, y2 and best. Leaves out id,
// and dose_mg_week and class, which reveal the correct dose.
[[nodiscard]] Table observe_doses(const Table& patients, std::uint64_t seed);

// Types and units of the columns of observe_doses() up to the outcome, and the doses in order.
[[nodiscard]] Schema warfarin_schema();

}  // namespace polyrx
