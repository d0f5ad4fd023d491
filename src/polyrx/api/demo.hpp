// SPDX-License-Identifier: Apache-2.0
// Fits a policy to simulated patients, evaluates it, and distills it to a proved tree.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "polyrx/core/progress.hpp"

namespace polyrx {

struct DemoOptions {
    std::string folder = "polyrx-demo";  // of the files, as the commands in steps.sh name it
    std::uint64_t seed = 1;
    int threads = 1;
};

// Where text and files go as they are made.
struct DemoListeners {
    using Sink = std::function<void(std::string_view)>;
    Sink text;
    std::function<void(const std::string& name, const std::function<void(const Sink&)>& write)> file;
    Progress progress = {};
};

void demo(const DemoOptions& options, const DemoListeners& listeners);

}  // namespace polyrx
