// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/supported/count_rows.hpp"

namespace polyrx {

void count_rows(Tree& tree, const Matrix& rows) {
    for (Node& node : tree.nodes) node.rows = 0;
    tree.rows = static_cast<std::size_t>(rows.rows());
    tree.outside = 0;
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
        const Vector row = rows.row(i);
        if (contains(tree.domain, row))
            ++tree.nodes[static_cast<std::size_t>(leaf_of(tree, row))].rows;
        else
            ++tree.outside;
    }
    for (std::size_t i = tree.nodes.size(); i-- > 0;)  // children come after their parent
        if (const auto* split = std::get_if<Split>(&tree.nodes[i].what))
            tree.nodes[i].rows = tree.nodes[static_cast<std::size_t>(split->yes)].rows +
                                 tree.nodes[static_cast<std::size_t>(split->no)].rows;
}

void share_certified(Tree& tree, const Matrix& rows) {
    std::size_t answered = 0;
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
        const Vector row = rows.row(i);
        answered += contains(tree.domain, row) && descend(tree, row).answered ? 1 : 0;
    }
    if (rows.rows() > 0) tree.certified_share = static_cast<double>(answered) / static_cast<double>(rows.rows());
}

}  // namespace polyrx
