// SPDX-License-Identifier: Apache-2.0
// The settings of a network or a baseline, read back from what a model file says of how it was made.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "polyrx/evaluate/value/outcome_range.hpp"
#include "polyrx/fit/fit_baseline.hpp"
#include "polyrx/fit/learn/network_options.hpp"
#include "polyrx/policy/policy.hpp"

namespace polyrx {

// What spelled() wrote. Names of other options are passed over. Missing ones have their default, as in models of
// earlier versions, which did not record all of them. None where a value cannot be read, or the hidden layers are
// missing.
[[nodiscard]] std::optional<NetworkOptions> parse_network_options(
    std::span<const std::pair<std::string, std::string>> options);

// Those of each network that a policy is the mean of: the one that was set, or all that tuning chose. None where the
// options are not those of a network, or not whole.
[[nodiscard]] std::optional<std::vector<NetworkOptions>> network_options_of(const Provenance& provenance);

// What --outcome-range declared; none where nothing was declared.
[[nodiscard]] std::optional<OutcomeRange> declared_range_of(const Provenance& provenance);

// Those of a baseline that are not chosen from the data; what is missing or cannot be read has its default. A limit of
// time is passed over: what was found in it cannot be found again.
[[nodiscard]] BaselineOptions baseline_options_of(const Provenance& provenance);

}  // namespace polyrx
