// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/list_regions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "polyrx/api/summary.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/json/json.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/encode/why_outside.hpp"
#include "polyrx/extract/regions/describe_region.hpp"
#include "polyrx/extract/regions/enumerate.hpp"
#include "polyrx/policy/policy_domain.hpp"
#include "polyrx/show/region_words.hpp"

namespace polyrx {
namespace {

// More than anyone reads; such a file has several hundred megabytes.
constexpr std::uint64_t most_listed = 100'000;
// Regions are described in parallel in batches of this size.
constexpr std::size_t at_a_time = 1024;
constexpr const char* describing = "describing regions";

// The treatment of each row; empty if unknown.
std::vector<int> received_treatments(const Policy& policy, const RegionRows& rows) {
    std::vector<int> received;
    for (std::size_t row = 0; row < rows.received.size(); ++row) {
        const auto label = std::ranges::find(policy.treatments, rows.received[row]);
        if (label == policy.treatments.end())
            throw data_error(fmt::format("{}: column '{}': '{}' is not a treatment of the model ({})",
                                         rows.table.where(row), policy.treatment_name, rows.received[row],
                                         fmt::join(policy.treatments, ", ")));
        received.push_back(static_cast<int>(label - policy.treatments.begin()));
    }
    return received;
}

// Regions are described on the domain only, so rows outside it belong to none.
void sort_rows(const Policy& policy, const RegionRows& rows, RegionsQuery& query, const Progress& progress) {
    const Table& data = rows.table;
    if (data.rows() == 0) throw data_error(fmt::format("{}: there are no rows", data.where()));
    query.rows = policy.encoder.encode(data);
    std::vector<int> received = received_treatments(policy, rows);
    std::vector<Eigen::Index> inside;
    std::string first_outside;
    for (Eigen::Index row = 0; row < query.rows.rows(); ++row) {
        if (contains(query.domain, query.rows.row(row).transpose())) {
            inside.push_back(row);
        } else if (query.rows_outside++ == 0) {
            const auto first = static_cast<std::size_t>(row);
            first_outside =
                fmt::format("{}: {}", data.where(first), why_outside(policy.encoder, query.domain, data, first, "the"));
        }
    }
    if (query.rows_outside > 0) {
        if (inside.empty())
            throw data_error(fmt::format(
                "{}; {}", first_outside,
                query.rows_outside == 1 ? "there is no other row"
                                        : fmt::format("of {} none is inside", counted(query.rows_outside, "row"))));
        query.warnings.push_back(fmt::format("{}; {} {} not counted", first_outside,
                                             this_and_others(query.rows_outside),
                                             query.rows_outside == 1 ? "is" : "are"));
        if (!received.empty()) {
            std::vector<int> of_inside;
            for (const Eigen::Index row : inside) of_inside.push_back(received[static_cast<std::size_t>(row)]);
            received = std::move(of_inside);
        }
        query.rows = query.rows(inside, Eigen::all).eval();
    }
    query.visited = visited_regions(policy.network, query.rows, received, progress);
}

using EachRegion = std::function<void(const Region& region, const RowsInRegion* rows)>;

void for_each_feasible(const Policy& policy, const RegionsQuery& query, const EachRegion& each,
                       const Progress& progress) {
    std::vector<Pattern> waiting;
    const auto describe_waiting = [&] {
        std::vector<std::vector<Region>> described(waiting.size());
        parallel_for(waiting.size(), query.options.threads, [&](std::size_t i) {
            report(progress, 0, describing);  // the total is unknown
            described[i] = describe_regions(policy.network, query.domain, waiting[i]);
        });
        for (const auto& regions : described)
            for (const Region& region : regions) {
                std::optional<RowsInRegion> rows;
                if (query.visited) {
                    rows.emplace();
                    const auto found = query.visited->find({region.pattern, region.treatment});
                    if (found != query.visited->end()) rows = RowsInRegion{found->second.rows, found->second.received};
                }
                each(region, rows ? &*rows : nullptr);
            }
        waiting.clear();
    };
    for_each_pattern(
        policy.network, query.domain,
        {.threads = query.options.threads,
         .most = static_cast<std::size_t>(query.options.max_regions.value_or(most_listed))},
        [&](const Pattern& pattern) {
            waiting.push_back(pattern);
            if (waiting.size() == at_a_time) describe_waiting();
        },
        progress);
    describe_waiting();
}

void for_each_visited(const Policy& policy, const RegionsQuery& query, const EachRegion& each,
                      const Progress& progress) {
    // In descending order of rows.
    std::vector<VisitedRegions::const_iterator> order;
    for (auto visited = query.visited->begin(); visited != query.visited->end(); ++visited) order.push_back(visited);
    std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a->second.rows > b->second.rows; });
    for (std::size_t begin = 0; begin < order.size(); begin += at_a_time) {
        std::vector<Region> regions(std::min(at_a_time, order.size() - begin));
        parallel_for(regions.size(), query.options.threads, [&](std::size_t i) {
            report(progress, static_cast<double>(begin + i) / static_cast<double>(order.size()), describing);
            const auto& [key, visits] = *order[begin + i];
            regions[i] = describe_region(policy.network, query.domain, key.first, key.second);
            // A row is a certain inner point, and its categories are valid.
            regions[i].inside = query.rows.row(static_cast<Eigen::Index>(visits.first));
        });
        for (std::size_t i = 0; i < regions.size(); ++i) {
            const auto& visits = order[begin + i]->second;
            const RowsInRegion rows{visits.rows, visits.received};
            each(regions[i], &rows);
        }
    }
}

void for_each_region(const Policy& policy, const RegionsQuery& query, const EachRegion& each,
                     const Progress& progress) {
    try {
        if (query.which == WhichRegions::feasible)
            for_each_feasible(policy, query, each, progress);
        else
            for_each_visited(policy, query, each, progress);
    } catch (const TooManyPatterns& error) {
        throw Error(error.kind(), fmt::format("{} (--max-regions); --count counts them, and --data lists those that "
                                              "rows visit",
                                              error.what()));
    }
}

}  // namespace

std::string_view name_of(WhichRegions which) {
    return which == WhichRegions::feasible ? "feasible" : "visited";
}

RegionsQuery query_regions(const Policy& policy, const RegionRows* rows, const RegionsOptions& options,
                           const Progress& progress) {
    require_network(policy, "polyrx regions");
    RegionsQuery query;
    query.options = options;
    query.which = options.which.value_or(rows ? WhichRegions::visited : WhichRegions::feasible);
    if (query.which == WhichRegions::visited && !rows)
        throw usage_error("--mode visited needs the rows that visit: name a file with --data");
    if (!policy.rules.bound.empty())
        query.notes.emplace_back(
            "regions ignore the model's rules and support: their treatments are those of its network alone");
    query.domain = policy_domain(policy, parse_overrides(options.domain));
    if (rows) sort_rows(policy, *rows, query, progress);
    return query;
}

std::size_t count_patterns(const Policy& policy, const RegionsQuery& query, const Progress& progress) {
    if (query.which == WhichRegions::visited) return pattern_count(*query.visited);
    return count_patterns(
        policy.network, query.domain,
        {.threads = query.options.threads, .most = static_cast<std::size_t>(query.options.max_regions.value_or(0))},
        progress);
}

std::string count_text(const RegionsQuery& query, std::size_t patterns) {
    const std::string counted_patterns = counted(patterns, "activation pattern");
    if (query.which == WhichRegions::feasible) return fmt::format("{} feasible on the domain\n", counted_patterns);
    return fmt::format("{} visited by {}\n", counted_patterns,
                       counted(static_cast<std::size_t>(query.rows.rows()), "row"));
}

std::string count_json(const RegionsQuery& query, std::size_t patterns) {
    return fmt::format("{{\"mode\": \"{}\", \"patterns\": {}{}}}\n", name_of(query.which), patterns,
                       query.visited ? fmt::format(", \"rows_outside\": {}", query.rows_outside) : "");
}

std::size_t write_regions_text(const Policy& policy, const RegionsQuery& query, const RegionSink& write,
                               const Progress& progress) {
    std::size_t written = 0;
    for_each_region(
        policy, query,
        [&](const Region& region, const RowsInRegion* rows) {
            if (written++ > 0) write("\n");
            write(region_words(region, written, policy, query.domain, rows,
                               {.max_terms = query.options.max_terms, .scaled = {}}));
        },
        progress);
    return written;
}

std::size_t write_regions_json(const Policy& policy, const RegionsQuery& query, const RegionSink& write,
                               const Progress& progress) {
    Json inputs = Json::array();
    for (const EncodedColumn& column : policy.encoder.columns()) inputs.push_back(column.name);
    write(fmt::format("{{\"mode\": \"{}\",\n{} \"inputs\": {},\n \"treatments\": {},\n \"regions\": [",
                      name_of(query.which),
                      query.visited ? fmt::format(" \"rows_outside\": {},\n", query.rows_outside) : "", inputs.dump(),
                      Json(policy.treatments).dump()));
    std::size_t written = 0;
    for_each_region(
        policy, query,
        [&](const Region& region, const RowsInRegion* rows) {
            write(fmt::format("{}\n  {}", written++ > 0 ? "," : "", region_json(region, policy, rows)));
        },
        progress);
    write("\n ]}\n");
    return written;
}

}  // namespace polyrx
