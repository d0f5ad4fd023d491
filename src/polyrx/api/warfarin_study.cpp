// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/warfarin_study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "polyrx/core/text/text_table.hpp"
#include "polyrx/studies/warfarin.hpp"

namespace polyrx {
namespace {

// Counts of the correct doses: "Low 1,439 (32.6 %), ...".
std::string classes_in(const Table& patients) {
    const auto& classes = std::get<NumericColumn>(patients.at("class").values).values;
    std::vector<std::string> words;
    for (std::size_t k = 0; k < warfarin_doses.size(); ++k) {
        const auto number = static_cast<std::size_t>(std::ranges::count(classes, static_cast<double>(k)));
        words.push_back(fmt::format("{} {} ({:.1f} %)", warfarin_doses[k], grouped(number),
                                    100.0 * static_cast<double>(number) / static_cast<double>(classes.size())));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

WarfarinStudy warfarin_study(const DataText& data, std::optional<std::uint64_t> observe_seed,
                             const Progress& progress) {
    const WarfarinCohort cohort = parse_warfarin(data.bytes, data.name, progress);
    return {.rows = observe_seed ? observe_doses(cohort.patients, *observe_seed) : cohort.patients,
            .left_out = cohort.left_out,
            .right_doses = fmt::format("right dose: {}", classes_in(cohort.patients))};
}

}  // namespace polyrx
