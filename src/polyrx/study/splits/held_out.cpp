// SPDX-License-Identifier: Apache-2.0
#include "polyrx/study/splits/held_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "polyrx/core/error.hpp"
#include "polyrx/core/every_row.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/study/splits/row_hash.hpp"

namespace polyrx {
namespace {

RowSplit split_by(const std::vector<std::uint64_t>& hashes, double fraction) {
    RowSplit split;
    for (std::size_t row = 0; row < hashes.size(); ++row)
        (share_of(hashes[row]) < fraction ? split.held_out : split.kept).push_back(row);
    return split;
}

// The split of models before format version 4. It depends on treatment and outcome. That is harmless only if no rows
// repeat, because all rows with equal content are on one side.
RowSplit split_by_content(const Observations& observations, double fraction, std::uint64_t seed) {
    RowHashes hashes(observations.rows(), mixed(word_of("polyrx held out 1"), seed));
    hashes.add(observations.features);
    const std::vector<std::uint64_t> labels = words_of(observations.treatments);
    hashes.add(observations.treatment_name,
               [&](std::size_t row) { return labels[static_cast<std::size_t>(observations.treatment[row])]; });
    hashes.add(observations.outcome_name, [&](std::size_t row) { return word_of(observations.outcome[row]); });
    return split_by(hashes.values(), fraction);
}

std::uint64_t first_hash(std::uint64_t seed) {
    return mixed(word_of("polyrx held out 2"), seed);
}

RowSplit split_by_features(const RankedRows& ranked, double fraction, std::uint64_t seed) {
    // Ranks follow treatments and outcomes. Without the hash of all rows, a seed would hold out the same ranks in every
    // study with the same coarse features: a bias shared by all users of that seed.
    const std::uint64_t first = ranked.repeats ? mixed(first_hash(seed), word_of(ranked.sha256)) : first_hash(seed);
    std::vector<std::uint64_t> hashes;
    hashes.reserve(ranked.rank.size());
    for (std::size_t row = 0; row < ranked.rank.size(); ++row)
        hashes.push_back(mixed(mixed(first, ranked.features[row]), ranked.rank[row]));
    return split_by(hashes, fraction);
}

// True for each held-out group.
std::vector<bool> held_out_groups(const Observations& observations, double fraction, std::uint64_t seed, bool dealt) {
    const std::uint64_t first = first_hash(seed);
    std::vector<std::uint64_t> hashes;
    for (const std::string& label : observations.groups) hashes.push_back(mixed(first, word_of(label)));
    std::vector<bool> held_out(hashes.size());
    if (!dealt) {
        for (std::size_t g = 0; g < hashes.size(); ++g) held_out[g] = share_of(hashes[g]) < fraction;
        return held_out;
    }
    std::vector<std::size_t> order = every_row(hashes.size());
    std::ranges::sort(order, {}, [&](std::size_t g) { return hashes[g]; });
    const auto wanted = static_cast<std::size_t>(std::lround(fraction * static_cast<double>(hashes.size())));
    const std::size_t count = std::clamp<std::size_t>(wanted, 2, hashes.size() - 2);
    for (std::size_t i = 0; i < count; ++i) held_out[order[i]] = true;
    return held_out;
}

RowSplit split_by_group(const Observations& observations, double fraction, std::uint64_t seed, bool dealt) {
    const std::vector<bool> held_out = held_out_groups(observations, fraction, seed, dealt);
    RowSplit split;
    for (std::size_t row = 0; row < observations.rows(); ++row)
        (held_out[observations.group[row]] ? split.held_out : split.kept).push_back(row);
    return split;
}

void check_fraction(double fraction) {
    if (!(fraction > 0 && fraction < 1))
        throw usage_error(fmt::format("the held-out share must be above 0 and below 1, not {}", fraction));
}

}  // namespace

std::string_view name_of(SplitBy by) {
    switch (by) {
        case SplitBy::content:
            return "content";
        case SplitBy::features:
            return "features";
        case SplitBy::group:
            break;
    }
    return "group";
}

HeldOut hold_out(const Observations& observations, double fraction, std::uint64_t seed) {
    check_fraction(fraction);
    const RankedRows ranked = ranked_rows(observations);
    HeldOut held_out;
    held_out.record.rows_sha256 = ranked.sha256;
    if (observations.group.empty()) {
        held_out.record.by = SplitBy::features;
        held_out.record.one_by_one = !ranked.repeats;
        held_out.rows = split_by_features(ranked, fraction, seed);
    } else {
        constexpr std::size_t fewest_groups = 4;
        const std::size_t groups = observations.groups.size();
        if (groups < fewest_groups)
            throw data_error(fmt::format(
                "{}: the group column {} has {} values; expected at least {}, two for each side of the split",
                observations.features.where(), in_quotes(observations.group_name), groups, fewest_groups));
        const bool dealt = groups < fewest_hashed_groups;
        held_out.record.by = SplitBy::group;
        held_out.record.one_by_one = !dealt;
        held_out.rows = split_by_group(observations, fraction, seed, dealt);
    }
    std::vector<std::uint64_t> contents;
    for (const std::size_t row : held_out.rows.held_out) contents.push_back(ranked.content[row]);
    held_out.record.held_out_sha256 = set_sha256(std::move(contents));
    return held_out;
}

std::optional<RowSplit> hold_out_again(const Observations& observations, double fraction, std::uint64_t seed,
                                       const SplitRecord& record) {
    check_fraction(fraction);
    if (record.by == SplitBy::content) return split_by_content(observations, fraction, seed);
    const RankedRows ranked = ranked_rows(observations);
    if (ranked.sha256 == record.held_out_sha256) return RowSplit{{}, every_row(observations.rows())};
    const bool is_same = ranked.sha256 == record.rows_sha256;
    if (record.by == SplitBy::group) {
        if (observations.group.empty() || (!is_same && !record.one_by_one)) return std::nullopt;
        return split_by_group(observations, fraction, seed, !record.one_by_one);
    }
    if (!is_same && (!record.one_by_one || ranked.repeats)) return std::nullopt;
    return split_by_features(ranked, fraction, seed);
}

}  // namespace polyrx
