// SPDX-License-Identifier: Apache-2.0
// Sentences for reports of fits, evaluations and proofs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "polyrx/core/text/text_table.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/policy/tree_policy.hpp"
#include "polyrx/show/split_words.hpp"
#include "polyrx/verify/check_tree.hpp"

namespace polyrx {

// "1 row", "10,000 rows"
[[nodiscard]] std::string counted(std::size_t number, std::string_view what);

// "this row", "this and 268 other rows": follows the first of several rows.
[[nodiscard]] std::string this_and_others(std::size_t number);

// The big M of a policy with rules in the paper's form, and the paper's bound.
[[nodiscard]] std::string big_m_words(const Policy& policy);

// For a policy without a recommendation.
inline constexpr std::string_view not_compared = "NOT recommended: the policy was not compared with current practice.";

// States that the rules in this file may leave a row without a treatment.
[[nodiscard]] std::string not_certain_words(const std::string& rules);
// The error for rows that are left without a treatment.
[[nodiscard]] std::string none_words(std::size_t rows);

// How many rows have only treatments that the rules allow and `support` excludes. Requires only_unsupported > 0.
[[nodiscard]] std::string only_unsupported_words(std::size_t only_unsupported, std::size_t rows,
                                                 const Support& support);

// The domain of a tree's proof, compared with its model's.
struct ProvedDomain {
    bool narrower = false;
    std::vector<std::string> differences;  // domain_differences(); empty if it is the model's
};
[[nodiscard]] ProvedDomain proved_domain(const TreePolicy& tree);

// States what is proved, or the worst gap and its row.
[[nodiscard]] std::string proof_summary(const TreeCheck& check, const TreePolicy& tree);

}  // namespace polyrx
