// SPDX-License-Identifier: Apache-2.0
// A policy ready to prescribe for any number of tables, large or small: what follows from the policy alone is worked
// out once, so that a table of one row costs little more than its row.
#pragma once

#include <optional>

#include "polyrx/encode/input_reader.hpp"
#include "polyrx/policy/encoded_blocks.hpp"
#include "polyrx/policy/policy.hpp"

namespace polyrx {

class Scorer {
public:
    // The policy must outlive the scorer, and stay as it is.
    explicit Scorer(const Policy& policy);
    explicit Scorer(Policy&& policy) = delete;

    // May be called from several threads at once.
    [[nodiscard]] Prescriptions prescribe(const Table& table, const PrescribeOptions& options = {},
                                          const Progress& progress = {}) const;

private:
    void prescribe_by_rows(const Table& table, const PrescribeOptions& options, const Progress& progress,
                           Prescriptions& prescriptions) const;
    void prescribe_by_masks(const Table& table, const PrescribeOptions& options, const Progress& progress,
                            Prescriptions& prescriptions) const;

    const Policy* policy_;
    InputReader every_input_;
    SafeInputs safe_;
    // For a network under rules or support: what only these ask for, the network need not see.
    struct Masked {
        ReluNetwork network;
        InputReader reader;
    };
    std::optional<Masked> masked_;
};

}  // namespace polyrx
