// SPDX-License-Identifier: Apache-2.0
#include "polyrx/compare/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/closest_name.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

bool suits(const Candidate& candidate, std::size_t treatments) {
    return !candidate.options || suits(candidate.options->method, treatments);
}

std::vector<std::string> names_of(std::span<const Candidate> candidates) {
    std::vector<std::string> names;
    for (const Candidate& candidate : candidates) names.push_back(candidate.name);
    return names;
}

std::size_t place_of(const std::string& name) {
    const std::vector<std::string> known = names_of(all_candidates());
    const auto found = std::ranges::find(known, name);
    if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
    const std::string meant = did_you_mean(name, known);
    throw usage_error(meant.empty() ? fmt::format("{} is not one of {}", in_quotes(name), listed(known, known.size()))
                                    : fmt::format("{} is not a method{}", in_quotes(name), meant));
}

}  // namespace

const std::vector<Candidate>& all_candidates() {
    static const std::vector<Candidate> candidates = [] {
        std::vector<Candidate> list;
        for (const Recipe recipe : {Recipe::tuned, Recipe::fast, Recipe::paper})
            list.push_back({fmt::format("network-{}", name_of(recipe)), recipe_options(recipe)});
        for (const Method method : all_methods()) {
            if (method == Method::network) continue;
            FitOptions options;
            options.method = method;
            list.push_back({std::string(name_of(method)), options});
        }
        list.push_back({"observed", std::nullopt});
        return list;
    }();
    return candidates;
}

std::vector<Candidate> candidates_for(std::size_t treatments) {
    std::vector<Candidate> suiting;
    std::ranges::copy_if(all_candidates(), std::back_inserter(suiting),
                         [&](const Candidate& candidate) { return suits(candidate, treatments); });
    return suiting;
}

std::vector<Candidate> candidates_named(std::span<const std::string> names, std::size_t treatments) {
    std::vector<std::size_t> places;
    for (const std::string& name : names) {
        const std::size_t place = place_of(name);
        if (std::ranges::find(places, place) != places.end())
            throw usage_error(fmt::format("{} is named twice", in_quotes(name)));
        if (!suits(all_candidates()[place], treatments)) {
            const std::vector<std::string> suiting = names_of(candidates_for(treatments));
            throw usage_error(fmt::format("{} is not for {} treatments; these are: {}", in_quotes(name), treatments,
                                          listed(suiting, suiting.size())));
        }
        places.push_back(place);
    }
    std::ranges::sort(places);
    std::vector<Candidate> chosen;
    for (const std::size_t place : places) chosen.push_back(all_candidates()[place]);
    return chosen;
}

}  // namespace polyrx
