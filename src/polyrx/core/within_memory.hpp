// SPDX-License-Identifier: Apache-2.0
// Turns out-of-memory exceptions into a data error that names the file.
#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include "polyrx/core/error.hpp"

namespace polyrx {

template <class Make>
[[nodiscard]] auto within_memory(const std::string& name, const Make& make) {
    const auto too_large = [&] { return data_error(name + ": too large for the memory of this machine"); };
    try {
        return make();
    } catch (const std::bad_alloc&) {
        throw too_large();
    } catch (const std::length_error&) {
        throw too_large();
    }
}

}  // namespace polyrx
