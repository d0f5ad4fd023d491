// SPDX-License-Identifier: Apache-2.0
// Selects the SIMD targets of the kernels. Kernel sources include it before Highway.
#pragma once

// SSE4 adds nothing over SSSE3 for these kernels, and vectors of unknown length cannot be stored in arrays.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSE4 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
