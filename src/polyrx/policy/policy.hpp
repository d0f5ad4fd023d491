// SPDX-License-Identifier: Apache-2.0
// A policy: what turns a row of the user's table into a treatment, and where it came from.
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

// How a policy came to be, for whoever must defend it.
struct Provenance {
    std::string program;  // "polyrx 0.1.0"
    std::uint64_t seed = 0;
    std::size_t rows = 0;
    std::string data_sha256;   // fingerprint of the observations
    double test_fraction = 0;  // of the rows that there were, held out from learning; 0: none
    std::vector<std::pair<std::string, std::string>> options;  // as the command line would spell them
    SplitRecord split = {};                                    // which rows were held out, with test_fraction and seed
    std::optional<RowSketch> sketch = {};                      // of the rows that were learned from
};

// What held-out rows say of a policy, which every verb repeats.
struct Recommendation {
    bool recommended = false;
    std::string sentence;  // the answer with its interval
    friend bool operator==(const Recommendation&, const Recommendation&) = default;
};

struct Policy {
    Encoder encoder;
    ReluNetwork network;  // small outputs are preferred, so those of a policy that maximizes are negated outcomes
    std::optional<Baseline> baseline = {};  // in place of the network, which is then empty
    Objective objective = Objective::min;
    std::vector<std::string> treatments;  // labels
    std::string treatment_name;
    std::string outcome_name;
    std::vector<std::string> missing_texts;  // what meant "no value" in the training file
    Provenance provenance;
    RuleBook rules;
    std::optional<Recommendation> recommendation = {};  // without one, nobody has compared it with current practice
};

struct PrescribeOptions {
    Unseen unseen = Unseen::error;
    int threads = 1;
    bool outcomes = false;  // also return the predicted outcome of every treatment
    bool reasons = false;   // also return what decided
};

struct Prescriptions {
    std::vector<int> treatment;        // index into Policy::treatments, or no_treatment
    std::vector<Reason> reasons = {};  // empty unless asked for
    // Rows x K in the user's units and direction; empty unless asked for. Of a baseline, its effects or votes if it has
    // no outcomes.
    Matrix outcomes;
};

[[nodiscard]] Prescriptions prescribe(const Policy& policy, const Table& table, const PrescribeOptions& options = {},
                                      const Progress& progress = {});

// Rows of the table for which the policy's rules allow only treatments that the data do not support
// (rules/only_unsupported.hpp). 0 without rules or support. Throws for rows that prescribe() refuses as well.
[[nodiscard]] std::size_t count_only_unsupported(const Policy& policy, const Table& table,
                                                 const PrescribeOptions& options = {}, const Progress& progress = {});

// Encoded rows x K: what the network or the baseline says, of which the smallest that rules allow is prescribed. The
// features of the same rows are needed for baselines of which reads_features() is true.
[[nodiscard]] Matrix outputs_of(const Policy& policy, const Matrix& encoded, const FeatureRows& features);

// What Prescriptions::outcomes are.
[[nodiscard]] ScoreKind kind_of(const Policy& policy);

// Throws a usage error that names `what` unless the policy has a network.
void require_network(const Policy& policy, std::string_view what);

}  // namespace polyrx
