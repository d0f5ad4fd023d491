// SPDX-License-Identifier: Apache-2.0
// Simulated observational data with known truth: the paper's six datasets, others of its functions, and a readable
// clinical cohort.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "polyrx/table/schema.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

// Two readings of Section 5.2, "centered and scaled to have zero mean and unit variance".
enum class Variant {
    paper,    // the features are: Bernoulli ones become -1 and 1 (what reproduces the paper's figures)
    literal,  // base and effect functions are, by their sample mean and deviation; Bernoulli stays 0 and 1
};

[[nodiscard]] std::string_view name_of(Variant variant);

struct SimulateOptions {
    std::size_t rows = 10'000;
    std::uint64_t seed = 1;
    Variant variant = Variant::paper;
    bool truth = false;  // add the noiseless outcome of every treatment, and which is best
};

// Dataset 1..6 of Section 5.2: columns x1..x20, treatment (0..K-1), outcome, and with truth y0..y(K-1), best (the
// smallest of them; the first of equals). Equal seeds give equal features in all six. In the paper's variant the
// first n rows are the same however many are asked for; in the literal one they are scaled by all rows.
[[nodiscard]] Table simulate_paper(int dataset, const SimulateOptions& options);

// The same of other functions than Table 1 of the paper has: by their numbers 1 to 4, the base and then one or two
// effects. Dataset 1 is {1, 2}.
[[nodiscard]] Table simulate_design(std::span<const int> functions, const SimulateOptions& options);

// A cohort of patients: ten clinical features of mixed type, some missing, three doses ("5 mg", "10 mg", "20 mg")
// given in a confounded way, and a symptom score after 12 weeks (0-100, smaller is better) as outcome; with truth
// y0..y2 (in the order of the doses) and best (a dose). The first n rows are the same however many are asked for.
// There is one variant: options.variant is not looked at.
[[nodiscard]] Table simulate_clinic(const SimulateOptions& options);

// Types, units and bounds of the cohort's features, treatment and outcome; the doses in order.
[[nodiscard]] Schema clinic_schema();

}  // namespace polyrx
