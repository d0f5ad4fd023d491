// SPDX-License-Identifier: Apache-2.0
// The polyhedra into which a model divides its inputs: counted, or listed with the rows that lie in them.
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

// Of a policy's features; and if it is known, the label of the treatment that each row received.
struct RegionRows {
    Table table;
    std::vector<std::string> received = {};
};

struct RegionsOptions {
    std::optional<WhichRegions> which = {};         // not given: visited if there are rows
    std::vector<std::string> domain = {};           // as parse_override() has it: "age=18:90"
    std::optional<std::uint64_t> max_regions = {};  // 0 is no limit; not given: 100,000 to list, no limit to count
    std::size_t max_terms = 0;                      // of an inequality in words; 0 for all
    int threads = 0;                                // 0: one for each core
};

// What is asked for, and the rows sorted into it.
struct RegionsQuery {
    RegionsOptions options;
    WhichRegions which = WhichRegions::feasible;
    Domain domain;
    Matrix rows;                            // encoded, those in the domain
    std::optional<VisitedRegions> visited;  // by these; none without rows
    std::size_t rows_outside = 0;           // of the domain: they are in no region
    std::vector<std::string> notes;
    std::vector<std::string> warnings;
};

// Throws a usage error if the model has no network, a data error if no row lies in the domain or received a treatment
// of the model.
[[nodiscard]] RegionsQuery query_regions(const Policy& policy, const RegionRows* rows,
                                         const RegionsOptions& options = {}, const Progress& progress = {});

// Of activation patterns, each of which is one region or more.
[[nodiscard]] std::size_t count_patterns(const Policy& policy, const RegionsQuery& query,
                                         const Progress& progress = {});
[[nodiscard]] std::string count_text(const RegionsQuery& query, std::size_t patterns);
[[nodiscard]] std::string count_json(const RegionsQuery& query, std::size_t patterns);

// One region after the other, since there may be more than fit into memory; those with the most rows first. Return how
// many. Throw an error with advice if there are more than the limit.
using RegionSink = std::function<void(std::string_view)>;
std::size_t write_regions_text(const Policy& policy, const RegionsQuery& query, const RegionSink& write,
                               const Progress& progress = {});
std::size_t write_regions_json(const Policy& policy, const RegionsQuery& query, const RegionSink& write,
                               const Progress& progress = {});

}  // namespace polyrx
