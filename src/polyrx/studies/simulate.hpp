// SPDX-License-Identifier: Apache-2.0
// Simulates observational data with known truth: the paper's six datasets, other combinations of its functions, and a
// clinical cohort with readable features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "polyrx/table/schema.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

// Two interpretations of Section 5.2, "centered and scaled to have zero mean and unit variance".
enum class Variant {
    paper,    // scales features: Bernoulli ones become -1 and 1 (this reproduces the paper's figures)
    literal,  // scales base and effect functions by their sample mean and deviation; Bernoulli features stay 0 and 1
};

[[nodiscard]] std::string_view name_of(Variant variant);

struct SimulateOptions {
    std::size_t rows = 10'000;
    std::uint64_t seed = 1;
    Variant variant = Variant::paper;
    bool truth = false;  // add the noiseless outcome of every treatment, and the best treatment
};

// Dataset 1..6 of Section 5.2: columns x1..x20, treatment (0..K-1), outcome, and with truth y0..y(K-1) and best (the
// index of the smallest; ties go to the first). Equal seeds give equal features in all six datasets. In the paper
// variant, the first n rows do not depend on the number of rows. In the literal variant they do, because all rows
// determine the scaling.
[[nodiscard]] Table simulate_paper(int dataset, const SimulateOptions& options);

// The same with other functions of Table 1, by number: the base function (1 to 4) and then one or two effect functions.
// Dataset 1 is {1, 2}.
[[nodiscard]] Table simulate_design(std::span<const int> functions, const SimulateOptions& options);

// A cohort of patients: ten clinical features of mixed type, some missing; three doses ("5 mg", "10 mg", "20 mg") with
// confounding; and as outcome a symptom score after 12 weeks (0-100, smaller is better). With truth, adds y0..y2 (in
// order of dose) and best (a dose). The first n rows do not depend on the number of rows. Ignores options.variant.
[[nodiscard]] Table simulate_clinic(const SimulateOptions& options);

// Types, units and bounds of the columns of simulate_clinic(), and the doses in order.
[[nodiscard]] Schema clinic_schema();

}  // namespace polyrx
