// SPDX-License-Identifier: Apache-2.0
// Trains small networks on the predictions of a teacher, and builds the exact tree of each.
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
        regressions,  // one linear regression per treatment on its own rows (R&C LR); for comparison, without a teacher
        linear,       // no neurons
        network,      // one hidden layer
    };
    Kind kind = Kind::network;
    int neurons = 0;             // of a network
    int weights_per_neuron = 0;  // of a network; 0: no limit
    int features = 0;            // number of features that it reads; 0: all
    friend bool operator==(const StudentShape&, const StudentShape&) = default;
};

// "one for all", "regressions", "linear in 5 inputs", "linear", "5 neurons of 1 weight", "3 neurons"
[[nodiscard]] std::string words_of(const StudentShape& shape);

// The constant first, then the shape without a teacher, then linear students with few inputs and networks with few
// weights. These include the paper's 1x5 network with one weight per neuron.
[[nodiscard]] std::vector<StudentShape> student_shapes();

struct StudentOptions {
    // lambda, the weight of the teacher's loss. The teacher has already learned most of the differences between
    // treatments from all rows. The data set the level and correct a teacher that errs.
    double teacher_share = 0.8;
    int steps = 3000;          // training steps
    std::size_t leaves = 256;  // limit before redundant splits are removed; larger trees are discarded
};

// Shared inputs of all students of one set of rows. Borrows everything except `scaled`.
struct Classroom {
    const NetworkStudy& study;
    const Policy& frame;  // the policy that a student becomes, without its network
    const Lesson& lesson;
    std::span<const std::size_t> rows;   // training rows
    std::span<const std::size_t> asked;  // rows that students prescribe for
    ScaledRows scaled;                   // the training rows, with the teacher's predictions
};

[[nodiscard]] Classroom classroom(const NetworkStudy& study, const Policy& frame, const Lesson& lesson,
                                  std::span<const std::size_t> rows, std::span<const std::size_t> asked);

struct Student {
    // The differences between its outcomes follow the teacher's. The level that all treatments share is a constant: the
    // mean of the rows.
    ReluNetwork network;
    TreeSize size;                // size of its exact tree
    double regret = 0;            // mean over its rows, by the teacher's outcomes
    std::vector<int> prescribed;  // for the rows in `asked`
};

// Returns nothing if the tree is larger than the options allow, if a leaf cannot be certified, or if training diverges.
[[nodiscard]] std::optional<Student> learn_student(const Classroom& room, const StudentShape& shape,
                                                   const StudentOptions& options, std::uint64_t seed);

}  // namespace polyrx
