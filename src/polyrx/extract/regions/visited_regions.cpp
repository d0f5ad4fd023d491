// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/regions/visited_regions.hpp"

namespace polyrx {

VisitedRegions visited_regions(const ReluNetwork& network, const Matrix& rows, const std::vector<int>& received,
                               const Progress& progress) {
    VisitedRegions visited;
    const std::vector<int> prescribed = argmin_rows(forward(network, rows));
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
        if (i % 4096 == 0)
            report(progress, static_cast<double>(i) / static_cast<double>(rows.rows()), "finding regions of rows");
        const auto row = static_cast<std::size_t>(i);
        const auto [place, is_new] =
            visited.try_emplace({activation_pattern(network, rows.row(i).transpose()), prescribed[row]});
        Visits& visits = place->second;
        if (is_new) {
            visits.first = row;
            if (!received.empty()) visits.received.resize(static_cast<std::size_t>(network.outputs()));
        }
        ++visits.rows;
        if (!received.empty()) ++visits.received[static_cast<std::size_t>(received[row])];
    }
    return visited;
}

std::size_t pattern_count(const VisitedRegions& visited) {
    std::size_t count = 0;
    const Pattern* last = nullptr;
    for (const auto& [key, visits] : visited) {  // sorted, so equal patterns are adjacent
        if (!last || *last != key.first) ++count;
        last = &key.first;
    }
    return count;
}

}  // namespace polyrx
