// SPDX-License-Identifier: Apache-2.0
// From a simulated cohort of patients to a policy, a proved tree and what they are worth.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "polyrx/core/progress.hpp"

namespace polyrx {

struct DemoOptions {
    std::string folder = "polyrx-demo";  // where the files go, for the commands that the text ends with
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
