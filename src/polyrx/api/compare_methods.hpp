// SPDX-License-Identifier: Apache-2.0
// Compares methods on identical splits of one file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "polyrx/api/data_text.hpp"
#include "polyrx/api/judged_rows.hpp"
#include "polyrx/compare/compare.hpp"

namespace polyrx {

// The data of a comparison. `truth` names one column per treatment, in their order, or as LABEL=COLUMN; empty if the
// truth is unknown. `support` is epsilon; without it, all methods extrapolate.
[[nodiscard]] Study compared_study(const DataText& data, const StudyRoles& roles, const std::vector<std::string>& truth,
                                   std::optional<double> support, const Progress& progress = {});

struct CompareMethodsOptions {
    std::vector<std::string> methods = {};  // empty: all that fit the number of treatments
    CompareOptions compare = {};
    std::string journal = {};  // a file that keeps finished fits; may be empty
};

// Receives messages during the work, never from two threads at once.
struct CompareMethodsListeners {
    Progress progress = {};
    std::function<void(const std::string&)> note = {};
    std::function<void(const std::string&)> warning = {};
};

// Throws the errors of compare(). If the comparison was canceled, the message says which results are kept.
[[nodiscard]] Comparison compare_methods(const Study& study, const CompareMethodsOptions& options,
                                         const CompareMethodsListeners& listeners = {});

// One sentence per method and split that failed.
[[nodiscard]] std::vector<std::string> failures_of(const Comparison& comparison);

}  // namespace polyrx
