// SPDX-License-Identifier: Apache-2.0
// Simulated observational data with known truth: the paper's six datasets and a readable clinical cohort.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "polyrx/data/schema.hpp"
#include "polyrx/data/table.hpp"

namespace polyrx {

// Two readings of Section 5.2, "centered and scaled to have zero mean and unit variance".
enum class Variant {
    paper,    // the features are: Bernoulli ones become -1 and 1 (what reproduces the paper's figures)
    literal,  // base and effect functions are, by their sample mean and deviation; Bernoulli stays 0 and 1
};

struct SimulateOptions {
    std::size_t rows = 10'000;
    std::uint64_t seed = 1;
    Variant variant = Variant::paper;
    bool truth = false;  // add the noiseless outcome of every treatment, and which is best
};

// Dataset 1..6 of Section 5.2: columns x1..x20, treatment (0..K-1), outcome, and with truth y0..y(K-1), best.
[[nodiscard]] Table simulate_paper(int dataset, const SimulateOptions& options);

// A cohort of patients: about ten clinical features of mixed type, some missing, three doses (Low, Medium, High)
// given in a confounded way, and a symptom score (smaller is better) as outcome; with truth y0..y2 and best.
[[nodiscard]] Table simulate_clinic(const SimulateOptions& options);

// Units and types of the cohort's columns.
[[nodiscard]] Schema clinic_schema();

}  // namespace polyrx
