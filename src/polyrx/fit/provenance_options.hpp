// SPDX-License-Identifier: Apache-2.0
// Reads the settings of a network or a baseline from the provenance in a model file.
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

// Reads the output of spelled() and ignores other names. Missing settings have their default, as in models of earlier
// versions, which did not record all of them. Returns nothing if a value cannot be read, or the hidden layers are
// missing.
[[nodiscard]] std::optional<NetworkOptions> parse_network_options(
    std::span<const std::pair<std::string, std::string>> options);

// The settings of each network in the policy's average: the one that was given, or all that tuning chose. Returns
// nothing if the options are not complete settings of a network.
[[nodiscard]] std::optional<std::vector<NetworkOptions>> network_options_of(const Provenance& provenance);

// The value of --outcome-range; nothing if it was not given.
[[nodiscard]] std::optional<OutcomeRange> declared_range_of(const Provenance& provenance);

// Settings of a baseline that are not chosen from the data. Missing or unreadable ones have their default. Ignores time
// limits, because their effect is not reproducible.
[[nodiscard]] BaselineOptions baseline_options_of(const Provenance& provenance);

}  // namespace polyrx
