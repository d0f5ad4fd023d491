// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/fit_timings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/train/train_kernel.hpp"

namespace polyrx {

std::vector<Stage> stages(const FitTimings& timings) {
    std::vector<Stage> list = {{"read", timings.read},
                               {"encode", timings.fit.encode},
                               {"train", timings.fit.train},
                               {"review", timings.fit.review},
                               {"write", timings.write}};
    if (timings.distill > 0) list.insert(list.end() - 1, {"distill", timings.distill});
    if (timings.fit.recommend > 0) list.insert(list.begin() + 3, {"recommend", timings.fit.recommend});
    if (timings.fit.support > 0) list.insert(list.begin() + 2, {"support", timings.fit.support});
    if (timings.fit.tune > 0) list.insert(list.begin() + 2, {"tune", timings.fit.tune});
    double other = timings.total;
    for (const Stage& stage : list) other -= stage.seconds;
    list.push_back({"other", std::max(other, 0.0)});  // rounding may make it negative
    return list;
}

std::string timings_table(const FitTimings& timings) {
    std::string text;
    const auto add_line = [&text](std::string_view name, std::string_view value) {
        text += fmt::format("{}{:<9}  {}", text.empty() ? "" : "\n", name, value);
    };
    const auto add_time = [&](const Stage& stage) {
        add_line(stage.name, fmt::format("{:>9.3f} s  {:5.1f} %", stage.seconds, 100 * stage.seconds / timings.total));
    };
    for (const Stage& stage : stages(timings)) add_time(stage);
    add_time({"total", timings.total});
    add_line("kernels", kernel_target());
    return text;
}

}  // namespace polyrx
