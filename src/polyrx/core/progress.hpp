// SPDX-License-Identifier: Apache-2.0
// Progress callbacks, which can also cancel.
#pragma once

#include <functional>
#include <string_view>

namespace polyrx {

// Called with the share of the work done (0..1) and its name. Returning false cancels. May be empty. Parallel work
// calls it from several threads at once.
using Progress = std::function<bool(double share_done, std::string_view work)>;

// Calls `progress` unless it is empty. Throws Error{ErrorKind::canceled} if it returns false.
void report(const Progress& progress, double share_done, std::string_view work);

}  // namespace polyrx
