// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/tree_policy.hpp"

#include "polyrx/policy/tree_scorer.hpp"

namespace polyrx {

std::string_view name_of(AnsweredBy answered_by) {
    switch (answered_by) {
        case AnsweredBy::tree:
            return "tree";
        case AnsweredBy::guard:
            return "guard";
        case AnsweredBy::empirical:
            return "empirical";
        default:
            return "outside";
    }
}

TreePrescriptions prescribe(const TreePolicy& tree, const Table& table, const PrescribeOptions& options,
                            const Progress& progress) {
    return TreeScorer(tree).prescribe(table, options, progress);
}

}  // namespace polyrx
