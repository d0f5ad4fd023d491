// SPDX-License-Identifier: Apache-2.0
// Linear programs as COIN-OR Clp solves them: another library's answers to what polyrx::Simplex is asked.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "polyrx/geometry/affine.hpp"
#include "polyrx/geometry/domain.hpp"

namespace polyrx::test {

// The domain, its whole numbers taken as real ones, behind a growing list of constraints. An input with an infinite
// bound counts as 0, and may have no weight in any function.
class ClpLp {
public:
    explicit ClpLp(const Domain& domain, const std::vector<AffineFunction>& nonnegative = {});
    ~ClpLp();
    ClpLp(const ClpLp&) = delete;
    ClpLp& operator=(const ClpLp&) = delete;

    // From here on the function is >= 0.
    void require(const AffineFunction& nonnegative);

    struct Maximum {
        double value;
        Vector point;
    };
    // Nothing if no point is left. Throws std::runtime_error if Clp does not know.
    [[nodiscard]] std::optional<Maximum> maximize(const AffineFunction& function);

private:
    struct Model;
    std::unique_ptr<Model> model_;
};

}  // namespace polyrx::test
