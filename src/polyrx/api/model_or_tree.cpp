// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/model_or_tree.hpp"

#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/tree_json.hpp"

namespace polyrx {

ModelOrTree load_model_or_tree(const std::string& path, const Progress& progress) {
    const PolicyFile file = read_policy_file(path, progress);
    if (is_tree_file(file.bytes)) return parse_tree_json(file.bytes, file.name, progress);
    return parse_model(file.bytes, file.name);
}

}  // namespace polyrx
