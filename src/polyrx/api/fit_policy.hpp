// SPDX-License-Identifier: Apache-2.0
// Fits a policy to a data file, optionally distilled to a small tree, with a report as text and JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "polyrx/api/data_text.hpp"
#include "polyrx/api/fit_timings.hpp"
#include "polyrx/core/json/json.hpp"
#include "polyrx/fit/distill/distill.hpp"
#include "polyrx/fit/fit.hpp"

namespace polyrx {

struct ObservedRows {
    Observations observations;
    Schema schema;
    std::vector<std::string> notes;
    std::vector<std::string> warnings;
};

// Throws the errors of observe().
[[nodiscard]] ObservedRows observed_rows(const DataText& data, const Roles& roles, const Schema& schema,
                                         const Progress& progress = {});

struct FitPolicyOptions {
    FitOptions fit = {};
    std::optional<std::size_t> leaves = {};  // distill the policy to a tree with at most this many leaves
};

struct PolicyFit {
    Fit fit;  // its counts are of the prescriptions of policy()
    std::optional<Distilled> distilled = {};
    FitTimings timings = {};  // callers set `read` and `write`
    std::vector<std::string> notes = {};
    std::vector<std::string> warnings = {};

    // The policy to use and to write.
    [[nodiscard]] const Policy& policy() const { return distilled ? distilled->tree.policy : fit.policy; }
};

// Does not distill a safer policy that is recommended instead of the learned one.
[[nodiscard]] PolicyFit fit_policy(const ObservedRows& rows, const FitPolicyOptions& options,
                                   const Progress& progress = {});

// A report as text; no line break at the end.
[[nodiscard]] std::string text_of(const PolicyFit& fitted);
// `model` is the file of the policy.
[[nodiscard]] Json json_of(const PolicyFit& fitted, const std::string& model);

// The held-out rows with all columns and unchanged cells.
[[nodiscard]] Table held_out_rows(const DataText& data, const ObservedRows& rows, const Fit& fit,
                                  const Progress& progress = {});

}  // namespace polyrx
