// SPDX-License-Identifier: Apache-2.0
// Prunes neurons that are always on or always off.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "polyrx/core/json/json.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

struct PruneOptions {
    std::vector<std::string> domain = {};  // as parse_override() has it: "age=18:90"
    bool also_on_data = false;             // also prune neurons that are stable on the rows; exact on these rows only
};

// Neurons of one layer, numbered from 1 as in tree texts.
struct StableNeurons {
    std::vector<std::size_t> off;
    std::vector<std::size_t> on;
};

// Differences between the pruned and the original network on some rows.
struct NetworkChange {
    std::size_t rows = 0;
    std::size_t prescriptions = 0;
    double outcome = 0;  // largest difference
    double margin = 0;   // largest advantage of an original prescription over the new one
};

struct PrunedModel {
    Policy policy;                     // with the pruned network; its provenance names the original model
    std::vector<Eigen::Index> before;  // layer widths, including inputs and outputs
    std::vector<Eigen::Index> after;
    std::vector<StableNeurons> proved;  // stable in the domain, by layer
    std::vector<StableNeurons> seen;    // stable on the rows, without proof
    NetworkChange inside;               // on rows in the domain
    NetworkChange outside;
    bool also_on_data = false;
    std::vector<std::string> warnings;
};

// Compares both networks on the rows, if any. Throws a usage error if the model has no network, and a data error if
// `also_on_data` is set and no row is in the domain.
[[nodiscard]] PrunedModel prune_model(const Policy& policy, const Table* rows, const PruneOptions& options = {},
                                      const Progress& progress = {});

// No line break at the end.
[[nodiscard]] std::string text_of(const PrunedModel& pruned);
// `model` is the file of the pruned model.
[[nodiscard]] Json json_of(const PrunedModel& pruned, const std::string& model);

}  // namespace polyrx
