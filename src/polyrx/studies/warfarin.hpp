// SPDX-License-Identifier: Apache-2.0
// The warfarin cohort of Section 5.3: the file of the International Warfarin Pharmacogenetics Consortium (IWPC) to 40
// features and the right dose, and an observational study made of it.
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

// Low is up to 21 mg a week, High is 49 and more; the class of a patient is an index into these.
inline const std::vector<std::string> warfarin_doses = {"Low", "Medium", "High"};

struct WarfarinCohort {
    // id, the 40 features (Height, Weight, BMI, then 37 of 0 and 1), dose_mg_week, class; in the order of the file.
    Table patients;
    // How many patients of the file have no dose, height or weight. A category that is missing is all zeros.
    std::size_t left_out = 0;
};

// `bytes` is the consortium's sheet of subjects as CSV; `name` begins the messages. Throws a data error that says how
// the file is not that: a column it lacks, the line of a number or a category that cannot be.
[[nodiscard]] WarfarinCohort parse_warfarin(std::string_view bytes, const std::string& name,
                                            const Progress& progress = {});

// As if doses had been given by the body mass index alone, P[dose k] proportional to exp((k - 1)(BMI - mean) /
// deviation) over these patients: the 40 features, treatment (one of warfarin_doses), outcome (1 if the dose is wrong,
// else 0), and the truth as simulated data have it, y0, y1, y2 and best. What gives the right dose away (dose_mg_week,
// class) is left out, and so is the id.
[[nodiscard]] Table observe_doses(const Table& patients, std::uint64_t seed);

// Types and units of the columns of observe_doses() up to the outcome; the doses in order.
[[nodiscard]] Schema warfarin_schema();

}  // namespace polyrx
