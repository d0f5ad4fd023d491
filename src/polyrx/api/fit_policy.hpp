// SPDX-License-Identifier: Apache-2.0
// From a data file to a policy, or to a tree of few leaves, with what a person and a program are told of it.
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

// Throws what observe() throws.
[[nodiscard]] ObservedRows observed_rows(const DataText& data, const Roles& roles, const Schema& schema,
                                         const Progress& progress = {});

struct FitPolicyOptions {
    FitOptions fit = {};
    std::optional<std::size_t> leaves = {};  // distill the policy to a tree of at most so many
};

struct PolicyFit {
    Fit fit;  // its counts of prescriptions are those of policy()
    std::optional<Distilled> distilled = {};
    FitTimings timings = {};  // reading and writing are the caller's
    std::vector<std::string> notes = {};
    std::vector<std::string> warnings = {};

    // What is to be used, and written.
    [[nodiscard]] const Policy& policy() const { return distilled ? distilled->tree.policy : fit.policy; }
};

// A simple policy that is recommended in place of the learned one is not distilled.
[[nodiscard]] PolicyFit fit_policy(const ObservedRows& rows, const FitPolicyOptions& options,
                                   const Progress& progress = {});

// What a person reads; no line break at the end.
[[nodiscard]] std::string text_of(const PolicyFit& fitted);
// `model` is where the policy was written.
[[nodiscard]] Json json_of(const PolicyFit& fitted, const std::string& model);

// All columns of the rows that were held out, with every cell as it was.
[[nodiscard]] Table held_out_rows(const DataText& data, const ObservedRows& rows, const Fit& fit,
                                  const Progress& progress = {});

}  // namespace polyrx
