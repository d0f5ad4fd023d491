// SPDX-License-Identifier: Apache-2.0
// Small networks that learn from a teacher, each with its exact tree.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "polyrx/fit/distill/teacher.hpp"
#include "polyrx/fit/learn/scaled_rows.hpp"
#include "polyrx/tree/tree_size.hpp"

namespace polyrx {

struct StudentShape {
    enum class Kind {
        constant,     // one treatment for all
        regressions,  // a linear one for each treatment, of its rows alone (R&C LR): to compare, it has no teacher
        linear,       // no neurons
        network,      // one hidden layer
    };
    Kind kind = Kind::network;
    int neurons = 0;             // of a network
    int weights_per_neuron = 0;  // of a network; 0: all
    int features = 0;            // that it reads; 0: all
    friend bool operator==(const StudentShape&, const StudentShape&) = default;
};

// "one for all", "regressions", "linear in 5 inputs", "linear", "5 neurons of 1 weight", "3 neurons"
[[nodiscard]] std::string words_of(const StudentShape& shape);

// The constant first, then what needs no teacher, then sums of few inputs and networks of few weights, the paper's 1x5
// of one weight among them.
[[nodiscard]] std::vector<StudentShape> student_shapes();

struct StudentOptions {
    // lambda: most of what there is to know of differences between treatments, the teacher has made of all rows
    // together already; the data keep the level right, and are a check on a teacher that errs.
    double teacher_share = 0.8;
    int steps = 3000;          // of training
    std::size_t leaves = 256;  // that are planned, before needless splits are left out; a tree of more is not looked at
};

// What students of one set of rows have in common. Others own what is referred to.
struct Classroom {
    const NetworkStudy& study;
    const Policy& frame;  // the policy that a student becomes, but for its network
    const Lesson& lesson;
    std::span<const std::size_t> rows;   // that are learned from
    std::span<const std::size_t> asked;  // that the students prescribe for
    ScaledRows scaled;                   // the rows, taught
};

[[nodiscard]] Classroom classroom(const NetworkStudy& study, const Policy& frame, const Lesson& lesson,
                                  std::span<const std::size_t> rows, std::span<const std::size_t> asked);

struct Student {
    // Its outcomes differ between treatments as the teacher's do; what all treatments have in common is the mean of the
    // rows, whatever the row.
    ReluNetwork network;
    TreeSize size;                // of its exact tree
    double regret = 0;            // what its choices cost by the teacher's outcomes, on average of its rows
    std::vector<int> prescribed;  // to the rows that are asked for
};

// None where the tree is larger than the options allow, or is not proved to the last leaf, or training diverges.
[[nodiscard]] std::optional<Student> learn_student(const Classroom& room, const StudentShape& shape,
                                                   const StudentOptions& options, std::uint64_t seed);

}  // namespace polyrx
