// SPDX-License-Identifier: Apache-2.0
// For which SIMD targets kernels are compiled. A kernel's .cpp includes it before Highway.
#pragma once

// SSE4 has nothing for our kernels that SSSE3 lacks, and vectors of unknown length cannot be kept in arrays.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSE4 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
