// SPDX-License-Identifier: Apache-2.0
// How long work tells its caller where it stands, and how the caller stops it.
#pragma once

#include <functional>
#include <string_view>

namespace polyrx {

// Called with the share of the work done (0..1) and its name; returning false cancels.
// An empty function means that nobody listens. Parallel work calls it from several threads at once.
using Progress = std::function<bool(double share_done, std::string_view work)>;

// Tells the listener, if there is one; throws Error{ErrorKind::canceled} when it asks to stop.
void report(const Progress& progress, double share_done, std::string_view work);

}  // namespace polyrx
