// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "domain_option.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/encode/why_outside.hpp"
#include "polyrx/extract/regions/describe_region.hpp"
#include "polyrx/extract/regions/enumerate.hpp"
#include "polyrx/extract/regions/visited_regions.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/show/region_words.hpp"
#include "polyrx/api/data_text.hpp"
#include "polyrx/api/summary.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

enum class Which { feasible, visited };

std::string_view name_of(Which which) {
    return which == Which::feasible ? "feasible" : "visited";
}

// More than anybody reads; a file of them is some hundred megabytes.
constexpr std::uint64_t most_listed = 100'000;

struct RegionsArguments {
    std::string model;
    std::string data;
    std::optional<Which> mode;
    bool count = false;
    bool json = false;
    std::vector<std::string> domain;
    std::optional<std::uint64_t> max_regions;
    std::uint64_t terms_per_split = 0;
    int threads = 0;
    std::string output = "-";
    bool quiet = false;
};

// The rows of the data file that lie in the domain, encoded, and the treatment that each was given if the file has that
// column.
struct Rows {
    Matrix encoded;
    std::vector<int> received;
    std::size_t outside = 0;    // rows that do not
    std::string first_outside;  // where, and why
};

// The treatment that each row was given; empty if the file does not have that column.
std::vector<int> received_treatments(const Policy& policy, const Table& data, const DataText& text,
                                     const Progress& progress) {
    std::vector<int> received;
    const std::vector<std::string>& header = data.source().header;
    if (std::find(header.begin(), header.end(), policy.treatment_name) == header.end()) return received;
    const Table given = parse_as_text(text, {policy.treatment_name}, progress);
    const Column& column = given.columns().front();
    for (std::size_t row = 0; row < given.rows(); ++row) {
        const auto label = std::find(policy.treatments.begin(), policy.treatments.end(), column.text(row));
        if (label == policy.treatments.end())
            throw data_error(fmt::format("{}: column '{}': '{}' is not a treatment of the model ({})", data.where(row),
                                         policy.treatment_name, column.text(row), fmt::join(policy.treatments, ", ")));
        received.push_back(static_cast<int>(label - policy.treatments.begin()));
    }
    return received;
}

// What is said of regions holds on the domain, so other rows are in none of them.
void leave_out_rows_outside(const Policy& policy, const Domain& domain, const Table& data, Rows& rows) {
    std::vector<Eigen::Index> inside;
    for (Eigen::Index row = 0; row < rows.encoded.rows(); ++row) {
        if (contains(domain, rows.encoded.row(row).transpose())) {
            inside.push_back(row);
        } else if (rows.outside++ == 0) {
            const auto first = static_cast<std::size_t>(row);
            rows.first_outside =
                fmt::format("{}: {}", data.where(first), why_outside(policy.encoder, domain, data, first, "the"));
        }
    }
    if (rows.outside == 0) return;
    if (inside.empty())
        throw data_error(fmt::format("{}; {}", rows.first_outside,
                                     rows.outside == 1
                                         ? "there is no other row"
                                         : fmt::format("of {} none is inside", counted(rows.outside, "row"))));
    if (!rows.received.empty()) {
        std::vector<int> received;
        for (const Eigen::Index row : inside) received.push_back(rows.received[static_cast<std::size_t>(row)]);
        rows.received = std::move(received);
    }
    rows.encoded = rows.encoded(inside, Eigen::all).eval();
}

Rows read_rows(const Policy& policy, const Domain& domain, const std::string& path, const Progress& progress) {
    const DataText text = read_data(path, progress);
    const Table data = parse_for(policy, text, {}, progress);
    if (data.rows() == 0) throw data_error(fmt::format("{}: there are no rows", data.where()));
    Rows rows{.encoded = policy.encoder.encode(data), .received = {}, .outside = 0, .first_outside = {}};
    rows.received = received_treatments(policy, data, text, progress);
    leave_out_rows_outside(policy, domain, data, rows);
    return rows;
}

void warn_of_rows_outside(const Rows& rows, Terminal& terminal) {
    if (rows.outside > 0)
        terminal.warn(fmt::format("{}; {} {} not counted", rows.first_outside, this_and_others(rows.outside),
                                  rows.outside == 1 ? "is" : "are"));
}

// Writes regions one after the other, so that there may be more of them than fit into memory.
class Listing {
public:
    Listing(const Policy& policy, const Domain& domain, const VisitedRegions* visited,
            const RegionsArguments& arguments)
        : policy_(policy), domain_(domain), visited_(visited), arguments_(arguments), output_(arguments.output) {}

    void begin(Which which, const std::string& rows_outside) {
        if (!arguments_.json) return;
        nlohmann::json inputs = nlohmann::json::array();
        for (const EncodedColumn& column : policy_.encoder.columns()) inputs.push_back(column.name);
        output_.write(fmt::format("{{\"mode\": \"{}\",\n{} \"inputs\": {},\n \"treatments\": {},\n \"regions\": [",
                                  name_of(which), rows_outside, inputs.dump(),
                                  nlohmann::json(policy_.treatments).dump()));
    }

    void add(const Region& region) {
        std::optional<RowsInRegion> rows;
        if (visited_) {
            rows.emplace();
            const auto found = visited_->find({region.pattern, region.treatment});
            if (found != visited_->end()) rows = RowsInRegion{found->second.rows, found->second.received};
        }
        const RowsInRegion* shown = rows ? &*rows : nullptr;
        ++written_;
        if (arguments_.json)
            output_.write(fmt::format("{}\n  {}", written_ > 1 ? "," : "", region_json(region, policy_, shown)));
        else
            output_.write(fmt::format("{}{}", written_ > 1 ? "\n" : "",
                                      region_words(region, written_, policy_, domain_, shown,
                                                   {.max_terms = arguments_.terms_per_split, .scaled = {}})));
    }

    void end() {
        if (arguments_.json) output_.write("\n ]}\n");
        output_.commit();
    }

    [[nodiscard]] std::size_t written() const { return written_; }

private:
    const Policy& policy_;
    const Domain& domain_;
    const VisitedRegions* visited_;
    const RegionsArguments& arguments_;
    Output output_;
    std::size_t written_ = 0;
};

constexpr const char* describing = "describing regions";

void list_feasible(const Policy& policy, const Domain& domain, Listing& listing, const RegionsArguments& arguments,
                   const Progress& progress) {
    // Described in parallel, some at a time, and written in their order.
    std::vector<Pattern> waiting;
    const auto describe_waiting = [&] {
        std::vector<std::vector<Region>> described(waiting.size());
        parallel_for(waiting.size(), arguments.threads, [&](std::size_t i) {
            report(progress, 0, describing);  // how many there will be nobody knows
            described[i] = describe_regions(policy.network, domain, waiting[i]);
        });
        for (const auto& regions : described)
            for (const Region& region : regions) listing.add(region);
        waiting.clear();
    };
    for_each_pattern(
        policy.network, domain,
        {.threads = arguments.threads, .most = static_cast<std::size_t>(arguments.max_regions.value_or(most_listed))},
        [&](const Pattern& pattern) {
            waiting.push_back(pattern);
            if (waiting.size() == 1024) describe_waiting();
        },
        progress);
    describe_waiting();
}

void list_visited(const Policy& policy, const Domain& domain, const VisitedRegions& visited, const Matrix& rows,
                  Listing& listing, const RegionsArguments& arguments, const Progress& progress) {
    // Those with the most rows first.
    std::vector<VisitedRegions::const_iterator> order;
    for (auto each = visited.begin(); each != visited.end(); ++each) order.push_back(each);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a->second.rows > b->second.rows; });
    for (std::size_t begin = 0; begin < order.size(); begin += 1024) {
        std::vector<Region> regions(std::min<std::size_t>(1024, order.size() - begin));
        parallel_for(regions.size(), arguments.threads, [&](std::size_t i) {
            report(progress, static_cast<double>(begin + i) / static_cast<double>(order.size()), describing);
            const auto& [key, visits] = *order[begin + i];
            regions[i] = describe_region(policy.network, domain, key.first, key.second);
            // A row is in it for certain, and nobody has to imagine half a category.
            regions[i].inside = rows.row(static_cast<Eigen::Index>(visits.first));
        });
        for (const Region& region : regions) listing.add(region);
    }
}

void run(const RegionsArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.model == "-" && arguments.data == "-")
        throw usage_error("only one of MODEL and --data can be standard input");
    check_writable(arguments.output, {arguments.model, arguments.data});
    const Which which = arguments.mode.value_or(arguments.data.empty() ? Which::feasible : Which::visited);
    if (which == Which::visited && arguments.data.empty())
        throw usage_error("--mode visited needs the rows that visit: name a file with --data");
    const Progress progress = terminal.progress();
    const Policy policy = load_model(arguments.model, progress);
    repeat_recommendation(policy, terminal);
    require_network(policy, "polyrx regions");
    if (!policy.rules.bound.empty())
        terminal.say("regions ignore the model's rules and support: their treatments are those of its network alone");
    const Domain domain = domain_for(policy, arguments.domain);
    std::optional<Rows> rows;
    std::optional<VisitedRegions> visited;
    if (!arguments.data.empty()) {
        rows = read_rows(policy, domain, arguments.data, progress);
        visited = visited_regions(policy.network, rows->encoded, rows->received, progress);
    }
    if (arguments.count) {
        const std::size_t count =
            which == Which::visited
                ? pattern_count(*visited)
                : count_patterns(policy.network, domain,
                                 {.threads = arguments.threads,
                                  .most = static_cast<std::size_t>(arguments.max_regions.value_or(0))},
                                 progress);
        Output output(arguments.output);
        if (arguments.json)
            output.write(fmt::format("{{\"mode\": \"{}\", \"patterns\": {}{}}}\n", name_of(which), count,
                                     rows ? fmt::format(", \"rows_outside\": {}", rows->outside) : ""));
        else if (which == Which::visited)
            output.write(fmt::format("{} visited by {}\n", counted(count, "activation pattern"),
                                     counted(static_cast<std::size_t>(rows->encoded.rows()), "row")));
        else
            output.write(fmt::format("{} feasible on the domain\n", counted(count, "activation pattern")));
        output.commit();
        if (rows) warn_of_rows_outside(*rows, terminal);
        return;
    }
    Listing listing(policy, domain, visited ? &*visited : nullptr, arguments);
    listing.begin(which, rows ? fmt::format(" \"rows_outside\": {},\n", rows->outside) : "");
    try {
        if (which == Which::feasible)
            list_feasible(policy, domain, listing, arguments, progress);
        else
            list_visited(policy, domain, *visited, rows->encoded, listing, arguments, progress);
    } catch (const TooManyPatterns& error) {
        throw Error(error.kind(), fmt::format("{} (--max-regions); --count counts them, and --data lists those that "
                                              "rows visit",
                                              error.what()));
    }
    listing.end();
    if (rows) warn_of_rows_outside(*rows, terminal);
    terminal.say(fmt::format("{} {}", counted(listing.written(), "region"),
                             which == Which::feasible ? "feasible on the domain" : "visited by the rows"));
}

}  // namespace

Verb regions_verb() {
    const auto arguments = std::make_shared<RegionsArguments>();
    Verb verb;
    verb.name = "regions";
    verb.summary = "list the linear regions of a model's network";
    verb.description =
        "A ReLU network divides the domain into polyhedra, in each of which it is linear and recommends one "
        "treatment. For every region, regions writes the treatment, the activation pattern, the inequalities without "
        "redundant ones, a point inside, and the outcome under each treatment as a linear function. With --data, it "
        "also counts the rows in each region by treatment received; rows outside of the domain are in none.";
    verb.positionals = {positional(arguments->model, "MODEL", "model file").completes(Complete::file)};
    verb.options = {
        option(arguments->data, "data", "DATA.csv", "rows to count in the regions").completes(Complete::file),
        choice(arguments->mode, {Which::feasible, Which::visited}, "mode", "WHICH",
               "all regions that are feasible on the domain, or those that contain rows")
            .default_is("visited with --data, else feasible"),
        flag(arguments->count, "count", "only count activation patterns"),
        domain_option(arguments->domain),
        option(arguments->max_regions, "max-regions", "N",
               "stop with an error after N activation patterns (0 = no limit)")
            .default_is("100000 to list, no limit to count"),
        terms_per_split_option(arguments->terms_per_split),
        output_option(arguments->output, "file of the regions"),
        threads_option(arguments->threads),
        json_option(arguments->json),
        quiet_option(arguments->quiet),
    };
    verb.example = {"polyrx regions model.json --data train.csv --count"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
