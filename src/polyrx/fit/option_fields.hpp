// SPDX-License-Identifier: Apache-2.0
// The description of everything that a fit can be asked for: see core/options/option_field.hpp.
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
// Of the other methods. Names that a network or its tuning have too mean the same there.
[[nodiscard]] std::span<const OptionField<BaselineOptions>> baseline_fields();
// But for the three above, and rules, which are a file.
[[nodiscard]] std::span<const OptionField<FitOptions>> fit_fields();

}  // namespace polyrx
