// SPDX-License-Identifier: Apache-2.0
// The verbs of the program, with one file each.
#pragma once

#include "option_table.hpp"

namespace polyrx::cli {

[[nodiscard]] Verb demo_verb();
[[nodiscard]] Verb simulate_verb();
[[nodiscard]] Verb warfarin_verb();
[[nodiscard]] Verb fit_verb();
[[nodiscard]] Verb prescribe_verb();
[[nodiscard]] Verb evaluate_verb();
[[nodiscard]] Verb compare_verb();
[[nodiscard]] Verb distill_verb();
[[nodiscard]] Verb tree_verb();
[[nodiscard]] Verb verify_verb();
[[nodiscard]] Verb regions_verb();
[[nodiscard]] Verb prune_verb();
[[nodiscard]] Verb rules_verb();
[[nodiscard]] Verb constrain_verb();
[[nodiscard]] Verb completions_verb();  // shell completions and the man page, for packagers

[[nodiscard]] std::vector<Verb> all_verbs();

}  // namespace polyrx::cli
