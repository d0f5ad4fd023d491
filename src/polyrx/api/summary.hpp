// SPDX-License-Identifier: Apache-2.0
// What a person reads after a fit, an evaluation or a proof.
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

// "this row", "this and 268 other rows": what is said after the first of so many.
[[nodiscard]] std::string this_and_others(std::size_t number);

// About a policy in the paper's form: how large its number is, and how large the paper would have it.
[[nodiscard]] std::string big_m_words(const Policy& policy);

// What is said of a policy that has no recommendation.
inline constexpr std::string_view not_compared = "NOT recommended: the policy was not compared with current practice.";

// That the rules of this file may leave a row without a treatment.
[[nodiscard]] std::string not_certain_words(const std::string& rules);
// Why a run in which rows were left without a treatment fails.
[[nodiscard]] std::string none_words(std::size_t rows);

// For how many of the rows the rules allow only treatments that the data, by this support, do not support. There must
// be some.
[[nodiscard]] std::string only_unsupported_words(std::size_t only_unsupported, std::size_t rows,
                                                 const Support& support);

// How the domain that a tree is proved on relates to its model's.
struct ProvedDomain {
    bool narrower = false;
    std::vector<std::string> differences;  // domain_differences(): none if it is the model's
};
[[nodiscard]] ProvedDomain proved_domain(const TreePolicy& tree);

// Proved, and of what; or not, the worst gap and the row where it is.
[[nodiscard]] std::string proof_summary(const TreeCheck& check, const TreePolicy& tree);

}  // namespace polyrx
