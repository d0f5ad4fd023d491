// SPDX-License-Identifier: Apache-2.0
// Removes the neurons of a model that are always on or always off.
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
    bool also_on_data = false;             // what never changes on the rows goes too: exact on these rows only
};

// Neurons of one layer, counted from 1 as in the words of a tree.
struct StableNeurons {
    std::vector<std::size_t> off;
    std::vector<std::size_t> on;
};

// How the pruned network differs from the original on some rows.
struct NetworkChange {
    std::size_t rows = 0;
    std::size_t prescriptions = 0;
    double outcome = 0;  // the largest difference
    double margin = 0;   // where the prescription changed: the most by which the old one was better
};

struct PrunedModel {
    Policy policy;                     // with the pruned network; its provenance names the model it came from
    std::vector<Eigen::Index> before;  // widths, of inputs and outputs too
    std::vector<Eigen::Index> after;
    std::vector<StableNeurons> proved;  // by layer
    std::vector<StableNeurons> seen;    // so on the rows, and not proved
    NetworkChange inside;               // rows of the domain
    NetworkChange outside;
    bool also_on_data = false;
    std::vector<std::string> warnings;
};

// Both networks are compared on the rows; there may be none. Throws a usage error if the model has no network, a data
// error if the rows should help and none is in the domain.
[[nodiscard]] PrunedModel prune_model(const Policy& policy, const Table* rows, const PruneOptions& options = {},
                                      const Progress& progress = {});

// No line break at the end.
[[nodiscard]] std::string text_of(const PrunedModel& pruned);
// `model` is the file of the pruned one.
[[nodiscard]] Json json_of(const PrunedModel& pruned, const std::string& model);

}  // namespace polyrx
