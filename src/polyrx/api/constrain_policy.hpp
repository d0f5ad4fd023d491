// SPDX-License-Identifier: Apache-2.0
// Adds rules to a fitted model and counts the prescriptions that change.
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
    std::optional<WhenMissing> when_missing = {};  // empty: as the model's rules, or apply
    bool big_m = false;                            // rules in the paper's form
    // Rows on which changes are counted and bounds of derived features are learned; may be null.
    const Table* rows = nullptr;
    int threads = 1;
};

struct ChangedPrescriptions {
    std::size_t rows = 0;
    std::size_t changed = 0;           // prescriptions changed by the rules
    std::size_t none = 0;              // rows left without a treatment
    std::size_t only_unsupported = 0;  // rows for which the rules allow only unsupported treatments
};

struct ConstrainedPolicy {
    Policy policy;
    std::optional<ChangedPrescriptions> change = {};  // if there are rows
    std::vector<std::string> notes = {};
    std::vector<std::string> warnings = {};
};

// `source` names the rules in messages. Throws the errors of constrain(), and a data error if there are no rules.
[[nodiscard]] ConstrainedPolicy constrain_policy(const Policy& policy, const Rules& rules, const std::string& source,
                                                 const ConstrainPolicyOptions& options, const Progress& progress = {});

// `model` is the file of the constrained policy.
[[nodiscard]] Json json_of(const ConstrainedPolicy& constrained, const std::string& model);

}  // namespace polyrx
