// SPDX-License-Identifier: Apache-2.0
// The table of all options of a fit; see core/options/option_field.hpp.
#pragma once

#include <span>

#include "polyrx/core/options/option_field.hpp"

namespace polyrx {

struct NetworkOptions;
struct TuningOptions;
struct BaselineOptions;
struct FitOptions;

[[nodiscard]] std::span<const OptionField<NetworkOptions>> network_fields();
[[nodiscard]] std::span<const OptionField<TuningOptions>> tuning_fields();
// Options of the other methods. A name that networks or tuning have too means the same here.
[[nodiscard]] std::span<const OptionField<BaselineOptions>> baseline_fields();
// All options except those of the three tables above and rules, which are a file.
[[nodiscard]] std::span<const OptionField<FitOptions>> fit_fields();

}  // namespace polyrx
