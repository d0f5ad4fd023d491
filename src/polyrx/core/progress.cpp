// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/progress.hpp"

#include "polyrx/core/error.hpp"

namespace polyrx {

void report(const Progress& progress, double share_done, std::string_view work) {
    if (progress && !progress(share_done, work)) throw Error(ErrorKind::canceled, "canceled");
}

}  // namespace polyrx
