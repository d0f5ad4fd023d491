// SPDX-License-Identifier: Apache-2.0
// A study with its truth, and candidates that learn in no time, for tests of comparisons.
#pragma once

#include <string>
#include <vector>

#include "polyrx/compare/compare.hpp"
#include "polyrx/evaluate/value/truth.hpp"
#include "polyrx/studies/simulate.hpp"

namespace polyrx::test {

inline Study small_study(std::size_t rows = 300, bool with_truth = true) {
    const Table table = simulate_clinic({.rows = rows, .truth = true});
    Study study;
    study.schema = clinic_schema();
    study.observations = observe(table, {.treatment = "treatment", .outcome = "outcome"}, study.schema);
    if (with_truth) study.truth = truth_matrix(table, std::vector<std::string>{"y0", "y1", "y2"});
    return study;
}

inline Candidate small_network(const std::string& name, std::vector<int> hidden, int epochs = 2) {
    FitOptions options;
    options.network.hidden = std::move(hidden);
    options.network.epochs = epochs;
    return {name, options};
}

inline std::vector<Candidate> small_candidates() {
    return {small_network("a", {6}), small_network("b", {4, 4}), {"observed", std::nullopt}, small_network("c", {})};
}

}  // namespace polyrx::test
