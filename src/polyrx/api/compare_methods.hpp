// SPDX-License-Identifier: Apache-2.0
// Many methods on identical splits of one file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "polyrx/api/data_text.hpp"
#include "polyrx/api/judged_rows.hpp"
#include "polyrx/compare/compare.hpp"

namespace polyrx {

// What methods are compared on. `truth` names a column for each treatment, in their order, or as LABEL=COLUMN; empty:
// nobody knows it. `support` is epsilon; none: all methods extrapolate.
[[nodiscard]] Study compared_study(const DataText& data, const StudyRoles& roles, const std::vector<std::string>& truth,
                                   std::optional<double> support, const Progress& progress = {});

struct CompareMethodsOptions {
    std::vector<std::string> methods = {};  // empty: all that suit the number of treatments
    CompareOptions compare = {};
    std::string journal = {};  // a file that keeps each finished fit; empty: none
};

// Sentences as the work goes on; never from two threads at once.
struct CompareMethodsListeners {
    Progress progress = {};
    std::function<void(const std::string&)> note = {};
    std::function<void(const std::string&)> warning = {};
};

// Throws what compare() throws, and says of a comparison that was canceled what is kept.
[[nodiscard]] Comparison compare_methods(const Study& study, const CompareMethodsOptions& options,
                                         const CompareMethodsListeners& listeners = {});

// A sentence for each method that failed on a split.
[[nodiscard]] std::vector<std::string> failures_of(const Comparison& comparison);

}  // namespace polyrx
