// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/file/check_written.hpp"

#include <fmt/format.h>

#include "polyrx/core/error.hpp"
#include "polyrx/core/mapped_file.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/tree_json.hpp"

namespace polyrx {

void check_written(const std::filesystem::path& written) {
    const MappedFile file(written);
    try {
        if (is_tree_file(file.bytes()))
            check_tree_json(file.bytes(), "the tree");
        else
            check_model(file.bytes(), "the model");
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::data) throw;
        throw data_error(
            fmt::format("{}; polyrx could not read what it was about to write, so nothing was replaced", error.what()));
    }
}

}  // namespace polyrx
