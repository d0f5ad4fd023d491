// SPDX-License-Identifier: Apache-2.0
// A policy: maps rows of the user's table to treatments, and records where it comes from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "polyrx/baselines/baseline.hpp"
#include "polyrx/core/matrix.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/encode/encoder.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/rules/choose.hpp"
#include "polyrx/rules/rule_book.hpp"
#include "polyrx/study/splits/held_out.hpp"
#include "polyrx/study/splits/row_sketch.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

enum class Objective { min, max };

[[nodiscard]] std::string_view name_of(Objective objective);

// How a policy was made, for audits.
struct Provenance {
    std::string program;  // "polyrx 0.1.0"
    std::uint64_t seed = 0;
    std::size_t rows = 0;
    std::string data_sha256;                                   // fingerprint of the observations
    double test_fraction = 0;                                  // share of all rows that were held out; 0: none
    std::vector<std::pair<std::string, std::string>> options;  // as on the command line
    SplitRecord split = {};                                    // which rows were held out, with test_fraction and seed
    std::optional<RowSketch> sketch = {};                      // of the training rows
};

// The result of the comparison with current practice on held-out rows. Every command repeats it.
struct Recommendation {
    bool recommended = false;
    std::string sentence;  // the verdict with its interval
    friend bool operator==(const Recommendation&, const Recommendation&) = default;
};

struct Policy {
    Encoder encoder;
    ReluNetwork network;                    // smaller outputs are better; policies that maximize have negated outcomes
    std::optional<Baseline> baseline = {};  // replaces the network, which is then empty
    Objective objective = Objective::min;
    std::vector<std::string> treatments;  // labels
    std::string treatment_name;
    std::string outcome_name;
    std::vector<std::string> missing_texts;  // texts for missing values in the training file
    Provenance provenance;
    RuleBook rules;
    std::optional<Recommendation> recommendation =
        {};  // without one, the policy was not compared with current practice
};

struct PrescribeOptions {
    Unseen unseen = Unseen::error;
    int threads = 1;
    bool outcomes = false;  // also return the predicted outcome of every treatment
    bool reasons = false;   // also return what decided each prescription
};

struct Prescriptions {
    std::vector<int> treatment;        // index into Policy::treatments, or no_treatment
    std::vector<Reason> reasons = {};  // empty unless requested
    // Rows x K in the user's units and direction; empty unless requested. For baselines without outcomes, their effects
    // or votes.
    Matrix outcomes;
};

[[nodiscard]] Prescriptions prescribe(const Policy& policy, const Table& table, const PrescribeOptions& options = {},
                                      const Progress& progress = {});

// Number of rows for which the policy's rules allow only unsupported treatments (rules/only_unsupported.hpp). 0 without
// rules or support. Throws for rows that prescribe() rejects.
[[nodiscard]] std::size_t count_only_unsupported(const Policy& policy, const Table& table,
                                                 const PrescribeOptions& options = {}, const Progress& progress = {});

// Outputs of the network or baseline, encoded rows x K. The smallest output that rules allow is prescribed. `features`
// are those of the same rows; only baselines with reads_features() need them.
[[nodiscard]] Matrix outputs_of(const Policy& policy, const Matrix& encoded, const FeatureRows& features);

// The meaning of Prescriptions::outcomes.
[[nodiscard]] ScoreKind kind_of(const Policy& policy);

// Throws a usage error that names `what` unless the policy has a network.
void require_network(const Policy& policy, std::string_view what);

}  // namespace polyrx
