// SPDX-License-Identifier: Apache-2.0
// A policy prepared to prescribe for many tables. Work that depends on the policy alone is done once, so a table of one
// row is cheap.
#pragma once

#include <optional>

#include "polyrx/encode/input_reader.hpp"
#include "polyrx/policy/encoded_blocks.hpp"
#include "polyrx/policy/policy.hpp"

namespace polyrx {

class Scorer {
public:
    // The policy must outlive the scorer and must not change.
    explicit Scorer(const Policy& policy);
    explicit Scorer(Policy&& policy) = delete;

    // Thread-safe.
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
    // For a network with rules or support: the network skips inputs that only these use.
    struct Masked {
        ReluNetwork network;
        InputReader reader;
    };
    std::optional<Masked> masked_;
};

}  // namespace polyrx
