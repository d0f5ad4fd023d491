// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/learn/learn_average.hpp"

#include <algorithm>
#include <atomic>

#include "polyrx/core/parallel_for.hpp"
#include "polyrx/core/part_of_work.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/network/ensemble.hpp"

namespace polyrx {

LearnedNetwork learn_average(const NetworkStudy& study, std::span<const std::size_t> rows,
                             const std::vector<NetworkOptions>& settings, std::uint64_t seed, int threads,
                             const Progress& progress) {
    if (settings.size() == 1) return learn_network(study, rows, settings.front(), seed, threads, progress);
    std::vector<LearnedNetwork> learned(settings.size());
    std::atomic<std::size_t> done{0};
    const Progress training = side_by_side(
        progress, [&] { return static_cast<double>(done) / static_cast<double>(settings.size()); }, "training");
    // Leaves room for the seeds of the restarts of each network.
    const auto apart = static_cast<std::size_t>(std::ranges::max(settings, {}, &NetworkOptions::restarts).restarts);
    parallel_for(settings.size(), threads, [&](std::size_t i) {
        const std::uint64_t own = i == 0 ? seed : Rng(seed, Draw::restart, i * apart).next();
        learned[i] = learn_network(study, rows, settings[i], own, 1, training);
        ++done;
    });
    std::vector<ReluNetwork> members;
    for (const LearnedNetwork& each : learned) {
        members.push_back(each.network);
        if (&each != &learned.front()) learned.front().retries += each.retries;
    }
    learned.front().network = ensemble(members);
    return std::move(learned.front());
}

}  // namespace polyrx
