// SPDX-License-Identifier: Apache-2.0
// Constants that reader and writer of model files share.
#pragma once

namespace polyrx {

inline constexpr const char* model_format_name = "polyrx-model";
inline constexpr const char* checksum_key = "sha256";
inline constexpr const char* baseline_key = "baseline";

}  // namespace polyrx
