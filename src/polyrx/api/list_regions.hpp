// SPDX-License-Identifier: Apache-2.0
// Counts or lists the regions of a model, optionally with the rows in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/extract/regions/visited_regions.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

enum class WhichRegions { feasible, visited };

[[nodiscard]] std::string_view name_of(WhichRegions which);

// The policy's features and, if known, the label of the treatment that each row received.
struct RegionRows {
    Table table;
    std::vector<std::string> received = {};
};

struct RegionsOptions {
    std::optional<WhichRegions> which = {};         // default: visited if there are rows
    std::vector<std::string> domain = {};           // as parse_override() has it: "age=18:90"
    std::optional<std::uint64_t> max_regions = {};  // 0: no limit; default: 100,000 for lists, no limit for counts
    std::size_t max_terms = 0;                      // shown per inequality; 0: all
    int threads = 0;                                // 0: all cores
};

// The resolved options, with the rows assigned to regions.
struct RegionsQuery {
    RegionsOptions options;
    WhichRegions which = WhichRegions::feasible;
    Domain domain;
    Matrix rows;                            // encoded rows in the domain
    std::optional<VisitedRegions> visited;  // regions that contain rows; empty without rows
    std::size_t rows_outside = 0;           // rows outside the domain, which are in no region
    std::vector<std::string> notes;
    std::vector<std::string> warnings;
};

// Throws a usage error if the model has no network. Throws a data error if no row is in the domain, or if none received
// one of the model's treatments.
[[nodiscard]] RegionsQuery query_regions(const Policy& policy, const RegionRows* rows,
                                         const RegionsOptions& options = {}, const Progress& progress = {});

// Counts activation patterns. Each has at least one region.
[[nodiscard]] std::size_t count_patterns(const Policy& policy, const RegionsQuery& query,
                                         const Progress& progress = {});
[[nodiscard]] std::string count_text(const RegionsQuery& query, std::size_t patterns);
[[nodiscard]] std::string count_json(const RegionsQuery& query, std::size_t patterns);

// Write one region at a time, because all of them may not fit into memory, in descending order of rows. Return the
// number of regions. Throw an error with advice if there are more than the limit.
using RegionSink = std::function<void(std::string_view)>;
std::size_t write_regions_text(const Policy& policy, const RegionsQuery& query, const RegionSink& write,
                               const Progress& progress = {});
std::size_t write_regions_json(const Policy& policy, const RegionsQuery& query, const RegionSink& write,
                               const Progress& progress = {});

}  // namespace polyrx
