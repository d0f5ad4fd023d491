// SPDX-License-Identifier: Apache-2.0
// Rules for a model that is trained already, and the prescriptions that they change.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "polyrx/core/json/json.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/fit/constrain.hpp"

namespace polyrx {

struct ConstrainPolicyOptions {
    std::optional<WhenMissing> when_missing = {};  // none: as the model's rules, or apply
    bool big_m = false;                            // rules in the paper's form
    // Rows to count changed prescriptions on, and to learn the bounds of derived features from; may be null.
    const Table* rows = nullptr;
    int threads = 1;
};

// Of the rows of a table.
struct ChangedPrescriptions {
    std::size_t rows = 0;
    std::size_t changed = 0;           // prescriptions that the rules changed
    std::size_t none = 0;              // rows that are left without a treatment
    std::size_t only_unsupported = 0;  // rows whose rules allow no treatment that the data support
};

struct ConstrainedPolicy {
    Policy policy;
    std::optional<ChangedPrescriptions> change = {};  // where there were rows
    std::vector<std::string> notes = {};
    std::vector<std::string> warnings = {};
};

// `source` names the rules in messages. Throws what constrain() throws, and a data error where there are no rules.
[[nodiscard]] ConstrainedPolicy constrain_policy(const Policy& policy, const Rules& rules, const std::string& source,
                                                 const ConstrainPolicyOptions& options, const Progress& progress = {});

// `model` is where the policy was written.
[[nodiscard]] Json json_of(const ConstrainedPolicy& constrained, const std::string& model);

}  // namespace polyrx
