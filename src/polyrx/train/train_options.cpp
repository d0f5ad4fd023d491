// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/train_options.hpp"

#include <algorithm>

namespace polyrx {

std::string_view name_of(Schedule schedule) {
    switch (schedule) {
        case Schedule::constant:
            return "constant";
        case Schedule::linear:
            return "linear";
        case Schedule::cosine:
            return "cosine";
    }
    return "";
}

std::string_view name_of(ShrunkParts parts) {
    return parts == ShrunkParts::weights ? "weights" : "weights+biases";
}

std::string_view name_of(Sparsify how) {
    return how == Sparsify::gradual ? "gradual" : "paper";
}

bool can_be_parted(const std::vector<int>& hidden) {
    return !hidden.empty() && std::ranges::all_of(hidden, [](int width) { return width >= 2; });
}

}  // namespace polyrx
