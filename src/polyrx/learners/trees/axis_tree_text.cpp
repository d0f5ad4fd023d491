// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/trees/axis_tree_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

class Writer {
public:
    Writer(const AxisTree& tree, const LeafNumbers& leaves) : tree_(tree), leaves_(leaves) {}

    [[nodiscard]] std::string run() {
        std::vector<int> pending = {0};
        while (!pending.empty()) {
            const int at = pending.back();
            pending.pop_back();
            const AxisNode& node = tree_.nodes[static_cast<std::size_t>(at)];
            if (!text_.empty()) text_ += ' ';
            if (node.is_leaf()) {
                write_leaf(leaves_.of(static_cast<std::size_t>(at)));
                continue;
            }
            write(node.split());
            pending.push_back(node.left() + 1);
            pending.push_back(node.left());
        }
        return std::move(text_);
    }

private:
    void write(const AxisSplit& split) {
        if (split.set < 0) {
            fmt::format_to(std::back_inserter(text_), "{}<={}", split.feature, split.threshold);
        } else {
            const LevelSet& set = tree_.sets[static_cast<std::size_t>(split.set)];
            char sign = ':';
            fmt::format_to(std::back_inserter(text_), "{}", split.feature);
            for (int level = 0; level < set.capacity(); ++level) {
                if (!set.has(level)) continue;
                fmt::format_to(std::back_inserter(text_), "{}{}", sign, level);
                sign = ',';
            }
        }
        if (split.missing_left) text_ += '?';
    }

    void write_leaf(std::span<const double> numbers) {
        char sign = '=';
        for (const double number : numbers) {
            fmt::format_to(std::back_inserter(text_), "{}{}", sign, number);
            sign = ',';
        }
    }

    const AxisTree& tree_;
    const LeafNumbers& leaves_;
    std::string text_;
};

class Reader {
public:
    Reader(std::string_view text, std::span<const int> levels, std::size_t numbers, std::string_view place)
        : text_(text), levels_(levels), place_(place) {
        result_.leaves.each = numbers;
    }

    [[nodiscard]] TreeWithLeaves run() {
        result_.tree.nodes.resize(1);
        std::vector<int> pending = {0};
        while (!pending.empty()) {
            const int at = pending.back();
            pending.pop_back();
            if (at > 0 && !skip(' ')) fail();
            if (skip('=')) {
                read_leaf(at);
                continue;
            }
            const AxisSplit split = read_split();
            const int left = static_cast<int>(result_.tree.nodes.size());
            result_.tree.nodes.resize(result_.tree.nodes.size() + 2);
            result_.tree.nodes[static_cast<std::size_t>(at)] = {split, left};
            pending.push_back(left + 1);
            pending.push_back(left);
        }
        if (at_ != text_.size()) fail();
        result_.tree.nodes.shrink_to_fit();  // as after growing
        result_.leaves.numbers.resize(result_.tree.nodes.size() * result_.leaves.each);
        return std::move(result_);
    }

private:
    [[noreturn]] void fail() const {
        throw data_error(fmt::format("{}: the tree is invalid from character {} on", place_, at_));
    }

    bool skip(char c) {
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    template <class T>
    T read() {
        T value{};
        const char* begin = text_.data() + at_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
        if (error != std::errc() || end == begin) fail();
        at_ += static_cast<std::size_t>(end - begin);
        return value;
    }

    double read_number() {
        const double number = read<double>();
        if (!std::isfinite(number)) fail();
        return number;
    }

    AxisSplit read_split() {
        AxisSplit split;
        split.feature = read<int>();
        if (split.feature < 0 || static_cast<std::size_t>(split.feature) >= levels_.size()) fail();
        const int levels = levels_[static_cast<std::size_t>(split.feature)];
        if (levels == 0) {
            if (!skip('<') || !skip('=')) fail();
            split.threshold = read_number();
        } else {
            if (!skip(':')) fail();
            LevelSet set(levels);
            do {
                const int level = read<int>();
                if (level < 0 || level >= levels) fail();
                set.insert(level);
            } while (skip(','));
            split.set = static_cast<int>(result_.tree.sets.size());
            result_.tree.sets.push_back(std::move(set));
        }
        split.missing_left = skip('?');
        return split;
    }

    void read_leaf(int at) {
        const std::size_t each = result_.leaves.each;
        const std::size_t from = static_cast<std::size_t>(at) * each;
        std::vector<double>& numbers = result_.leaves.numbers;
        if (numbers.size() < from + each) numbers.resize(from + each);
        std::size_t got = 0;
        do {
            if (got == each) fail();
            numbers[from + got] = read<double>();
            if (std::isnan(numbers[from + got++])) fail();
        } while (skip(','));
        if (got != each) fail();
    }

    std::string_view text_;
    std::span<const int> levels_;
    std::string_view place_;
    std::size_t at_ = 0;
    TreeWithLeaves result_;
};

}  // namespace

std::string to_text(const AxisTree& tree, const LeafNumbers& leaves) {
    return Writer(tree, leaves).run();
}

TreeWithLeaves parse_axis_tree(std::string_view text, std::span<const int> levels, std::size_t numbers,
                               std::string_view place) {
    return Reader(text, levels, numbers, place).run();
}

}  // namespace polyrx
