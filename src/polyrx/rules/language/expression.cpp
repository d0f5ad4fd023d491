// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/language/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <variant>

#include "polyrx/core/text/closest_name.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/rules/language/words.hpp"

namespace polyrx {
namespace {

using Sign = Token::Kind;
using Kind = Formula::Kind;

// A condition or a formula. Only the text after "(" shows which of them it opens. So one grammar parses both, and the
// kind is checked where one of the two is needed.
struct Piece {
    std::variant<Formula, Condition> what;
    std::size_t at = 0;  // position of its first byte in the line
    int column = 1;
    int height = 0;  // of a formula

    [[nodiscard]] bool is_formula() const { return std::holds_alternative<Formula>(what); }
};

struct Term {
    bool minus;
    Piece piece;
};

std::optional<Relation> relation_of(Sign sign) {
    constexpr std::array<std::pair<Sign, Relation>, 6> relations = {{{Sign::less, Relation::less},
                                                                     {Sign::less_equal, Relation::less_equal},
                                                                     {Sign::greater, Relation::greater},
                                                                     {Sign::greater_equal, Relation::greater_equal},
                                                                     {Sign::equal, Relation::equal},
                                                                     {Sign::not_equal, Relation::not_equal}}};
    const auto found = std::ranges::find(relations, sign, &std::pair<Sign, Relation>::first);
    return found == relations.end() ? std::nullopt : std::optional(found->second);
}

class ExpressionParser {
public:
    explicit ExpressionParser(Lexer& lexer) : lexer_(lexer) {}

    Condition whole_condition() {
        Piece piece = any_of();
        if (!lexer_.is(Sign::then)) {
            if (lexer_.is(Sign::end))
                lexer_.fail_here("'then' is missing: a rule is written as if CONDITION then TREATMENT, TREATMENT");
            fail_at_stranger(piece, "'and', 'or' or 'then'");
        }
        return condition(std::move(piece));
    }

    Formula whole_formula() {
        Piece piece = any_of();
        if (!lexer_.is(Sign::end)) fail_at_stranger(piece, "an operator");
        return formula(std::move(piece));
    }

private:
    // ---- conditions

    Piece any_of() {
        return joined(Sign::or_, Condition::Kind::any_of, [this] { return all_of(); });
    }

    Piece all_of() {
        return joined(Sign::and_, Condition::Kind::all_of, [this] { return negation(); });
    }

    template <class Read>
    Piece joined(Sign word, Condition::Kind kind, const Read& read) {
        Piece first = read();
        if (!lexer_.is(word)) return first;
        const auto [at, column] = std::pair(first.at, first.column);
        Condition all{.kind = kind};
        all.operands.push_back(condition(std::move(first)));
        while (lexer_.is(word)) {
            lexer_.advance();
            all.operands.push_back(condition(read()));
        }
        return {std::move(all), at, column};
    }

    Piece negation() {
        if (!lexer_.is(Sign::not_)) return comparison();
        const Nested nested(*this);
        const auto [at, column] = std::pair(lexer_.current().at, lexer_.current().column);
        lexer_.advance();
        Condition negation{.kind = Condition::Kind::negation};
        negation.operands.push_back(condition(this->negation()));
        return {std::move(negation), at, column};
    }

    Piece comparison() {
        Piece first = sum();
        if (!relation_of(lexer_.current().kind)) return first;
        const auto [at, column] = std::pair(first.at, first.column);
        Condition chain{.kind = Condition::Kind::all_of};
        Formula left = formula(std::move(first));
        while (const auto relation = relation_of(lexer_.current().kind)) {
            if (!chain.operands.empty()) check_chain(chain.operands.back().relation, *relation);
            lexer_.advance();
            chain.operands.push_back({.left = std::move(left), .relation = *relation, .right = formula(sum())});
            left = chain.operands.back().right;
        }
        if (chain.operands.size() > 1) return {std::move(chain), at, column};
        return {std::move(chain.operands.front()), at, column};
    }

    void check_chain(Relation before, Relation now) const {
        const auto direction = [](Relation relation) {
            if (relation == Relation::less || relation == Relation::less_equal) return -1;
            return relation == Relation::greater || relation == Relation::greater_equal ? 1 : 0;
        };
        if (direction(before) == 0 || direction(now) == 0)
            lexer_.fail_here("= and != cannot be part of a chain of comparisons: join them with 'and'");
        if (direction(before) != direction(now))
            lexer_.fail_here("a chain of comparisons has one direction, as in 18 <= age < 65: join others with 'and'");
    }

    Condition condition(Piece piece) const {
        if (auto* found = std::get_if<Condition>(&piece.what)) return std::move(*found);
        auto& formula = std::get<Formula>(piece.what);
        if (formula.kind == Kind::missing)
            return {.left = std::move(formula), .relation = Relation::equal, .right = {.number = 1}};
        lexer_.line().fail(piece.at, "this is compared with nothing: a condition is written as in age >= 80");
    }

    // ---- formulas

    Formula formula(Piece piece) const {
        if (auto* found = std::get_if<Formula>(&piece.what)) return std::move(*found);
        fail_at_condition(piece);
    }

    // Makes a formula that begins where its first operand begins.
    Piece made(Kind kind, std::size_t at, int column, std::vector<Piece> operands) const {
        Formula made{.kind = kind, .line = lexer_.line().number, .column = column};
        int height = 0;
        for (Piece& operand : operands) {
            height = std::max(height, operand.height + 1);
            made.operands.push_back(formula(std::move(operand)));
        }
        if (height > highest_formula)
            lexer_.line().fail(at, fmt::format("more than {} operators of this formula depend on each other: "
                                               "cut it into several with 'let'",
                                               highest_formula));
        return {std::move(made), at, column, height};
    }

    Piece made(Kind kind, Piece left, Piece right) const {
        const auto [at, column] = std::pair(left.at, left.column);
        std::vector<Piece> operands;
        operands.push_back(std::move(left));
        operands.push_back(std::move(right));
        return made(kind, at, column, std::move(operands));
    }

    Piece sum() {
        const int outside = std::exchange(deepest_, depth_);
        std::vector<Term> terms;
        terms.push_back({false, product()});
        while (lexer_.is(Sign::plus) || lexer_.is(Sign::minus)) {
            const bool minus = lexer_.is(Sign::minus);
            lexer_.advance();
            terms.push_back({minus, product()});
        }
        // Counts parentheses that to_text() would add: around halves of halves, and around other terms of a long sum
        // that begins with a sum.
        if (terms.size() > longest_sum)
            for (std::size_t size = terms.size(); size > short_sum; size -= size / 2) ++deepest_;
        if (const auto* first = std::get_if<Formula>(&terms.front().piece.what);
            first != nullptr && terms_of(*first) > 1 && terms_of(*first) + terms.size() > longest_sum)
            ++deepest_;
        if (deepest_ > deepest_nesting) fail_too_deep();
        deepest_ = std::max(deepest_, outside);
        return terms.size() > longest_sum ? in_halves(terms, 0, terms.size()) : left_to_right(terms, 0, terms.size());
    }

    // Builds a balanced sum: a - b - c - d is (a - b) - (c + d), with flipped signs in a subtracted half.
    Piece in_halves(std::vector<Term>& terms, std::size_t begin, std::size_t end) const {
        if (end - begin <= short_sum) return left_to_right(terms, begin, end);
        const std::size_t middle = end - (end - begin) / 2;
        const bool minus = terms[middle].minus != terms[begin].minus;
        Piece left = in_halves(terms, begin, middle);
        return made(minus ? Kind::subtract : Kind::add, std::move(left), in_halves(terms, middle, end));
    }

    Piece left_to_right(std::vector<Term>& terms, std::size_t begin, std::size_t end) const {
        Piece sum = std::move(terms[begin].piece);
        for (std::size_t i = begin + 1; i < end; ++i) {
            const bool minus = terms[i].minus != terms[begin].minus;
            sum = made(minus ? Kind::subtract : Kind::add, std::move(sum), std::move(terms[i].piece));
        }
        return sum;
    }

    Piece product() {
        Piece product = sign();
        while (lexer_.is(Sign::times) || lexer_.is(Sign::over)) {
            const Kind kind = lexer_.is(Sign::times) ? Kind::multiply : Kind::divide;
            lexer_.advance();
            product = made(kind, std::move(product), sign());
        }
        return product;
    }

    // -x^2 is -(x^2).
    Piece sign() {
        if (!lexer_.is(Sign::minus) && !lexer_.is(Sign::plus)) return power();
        const Nested nested(*this);
        const Token token = lexer_.current();
        lexer_.advance();
        Piece operand = sign();
        const int height = operand.height;
        if (token.kind == Sign::plus) return {formula(std::move(operand)), token.at, token.column, height};
        std::vector<Piece> operands;
        operands.push_back(std::move(operand));
        return made(Kind::negate, token.at, token.column, std::move(operands));
    }

    // 2^3^2 is 2^(3^2), and 2^-x needs no parentheses.
    Piece power() {
        Piece base = primary();
        if (!lexer_.is(Sign::caret)) return base;
        const Nested nested(*this);
        lexer_.advance();
        return made(Kind::power, std::move(base), sign());
    }

    Piece primary() {
        const Token token = lexer_.current();
        Formula formula{.line = lexer_.line().number, .column = token.column};
        switch (token.kind) {
            case Sign::number:
                formula.number = token.number;
                break;
            case Sign::name:
            case Sign::quoted:
                formula.kind = Kind::name;
                formula.name = token.name;
                break;
            case Sign::open:
                return parenthesis();
            default:
                fail_at_nothing();
        }
        lexer_.advance();
        if (token.kind == Sign::name && lexer_.is(Sign::open)) return call(token);
        return {std::move(formula), token.at, token.column};
    }

    Piece parenthesis() {
        const Nested nested(*this);
        const Token open = lexer_.current();
        lexer_.advance();
        Piece inside = any_of();
        close(open.at, inside, "'('");
        inside.at = open.at;
        inside.column = open.column;
        if (auto* formula = std::get_if<Formula>(&inside.what)) formula->column = open.column;
        return inside;
    }

    Piece call(const Token& name) {
        static const std::vector<std::string> known = {"log", "exp", "sqrt", "min", "max", "missing"};
        const auto kind = function_named(name.name);
        if (!kind) {
            const std::string guess = did_you_mean(name.name, known);
            lexer_.line().fail(name.at,
                               fmt::format("there is no function {}{}", in_quotes(name.name),
                                           guess.empty() ? fmt::format(" (there are {})", listed(known, 6)) : guess));
        }
        const Nested nested(*this);
        std::vector<Piece> arguments;
        do {
            lexer_.advance();
            Piece argument = any_of();
            if (!argument.is_formula()) fail_at_condition(argument);
            arguments.push_back(std::move(argument));
        } while (lexer_.is(Sign::comma));
        close(name.at, arguments.back(), fmt::format("'{}('", name.source));
        check_arguments(*kind, name, arguments);
        if (*kind != Kind::missing) return made(*kind, name.at, name.column, std::move(arguments));
        return {Formula{.kind = Kind::missing,
                        .name = std::get<Formula>(arguments.front().what).name,
                        .line = lexer_.line().number,
                        .column = name.column},
                name.at, name.column};
    }

    void check_arguments(Kind kind, const Token& name, const std::vector<Piece>& arguments) const {
        const std::size_t count = arguments.size();
        const std::string_view function = name_of_function(kind);
        if (kind == Kind::min || kind == Kind::max) {
            if (count < 2) lexer_.line().fail(name.at, fmt::format("{} takes two arguments or more, not 1", function));
        } else if (kind == Kind::missing) {
            if (count != 1 || std::get<Formula>(arguments.front().what).kind != Kind::name)
                lexer_.line().fail(name.at, "missing takes the name of one feature");
        } else if (count != 1) {
            lexer_.line().fail(name.at, fmt::format("{} takes one argument, not {}", function, count));
        }
    }

    void close(std::size_t open_at, const Piece& inside, std::string_view opened) {
        if (lexer_.is(Sign::end) || lexer_.is(Sign::then))
            lexer_.line().fail(open_at, fmt::format("{} is not closed with ')'", opened));
        if (!lexer_.is(Sign::close)) fail_at_stranger(inside, "an operator or ')'");
        lexer_.advance();
    }

    // ---- errors

    [[noreturn]] void fail_at_condition(const Piece& piece) const {
        lexer_.line().fail(piece.at, "this is a condition, where a number or a name was expected");
    }

    // Fails because no operand begins here.
    [[noreturn]] void fail_at_nothing() const {
        const Token& here = lexer_.current();
        if (is_keyword(here.source) && !lexer_.is(Sign::then) && !lexer_.is(Sign::not_))
            lexer_.fail_here(
                fmt::format("{} is a word of the language (in quotes it is a name)", in_quotes(here.source)));
        constexpr std::array conditions_follow = {Sign::if_, Sign::and_, Sign::or_, Sign::not_};
        const bool condition = std::ranges::find(conditions_follow, lexer_.previous_kind()) != conditions_follow.end();
        lexer_.fail_here(fmt::format("{} {}", condition ? "a condition" : "a number or a name",
                                     lexer_.previous().empty()
                                         ? "was expected"
                                         : fmt::format("is missing after {}", in_quotes(lexer_.previous()))));
    }

    // Fails because this token does not continue the complete piece before it.
    [[noreturn]] void fail_at_stranger(const Piece& before, std::string_view expected) const {
        const std::string here = in_quotes(lexer_.current().source);
        const bool two_words = lexer_.previous_kind() == Sign::name && lexer_.is(Sign::name);
        if (lexer_.is(Sign::close)) lexer_.fail_here("this ')' closes nothing");
        if (lexer_.is(Sign::then)) lexer_.fail_here("'then' belongs to rules, which begin with 'if'");
        if (lexer_.is(Sign::comma) && lexer_.previous_kind() == Sign::number)
            lexer_.fail_here("',' means nothing here: a number is written as 1000 or 0.5");
        lexer_.fail_here(fmt::format("{} was expected, not {}{}", before.is_formula() ? "an operator" : expected, here,
                                     two_words ? " (a name with a space in it is quoted)" : ""));
    }

    [[noreturn]] void fail_too_deep() const {
        lexer_.line().fail(lexer_.current().at,
                           fmt::format("nested more than {} levels deep up to here", deepest_nesting));
    }

    // Adds a level of nesting during its lifetime.
    class Nested {
    public:
        explicit Nested(ExpressionParser& parser) : parser_(parser) {
            if (parser_.depth_ == deepest_nesting) parser_.fail_too_deep();
            parser_.deepest_ = std::max(parser_.deepest_, ++parser_.depth_);
        }
        ~Nested() { --parser_.depth_; }
        Nested(const Nested&) = delete;
        Nested& operator=(const Nested&) = delete;

    private:
        ExpressionParser& parser_;
    };

    Lexer& lexer_;
    int depth_ = 0;    // levels around the current token
    int deepest_ = 0;  // greatest number of levels around a token of the innermost sum
};

}  // namespace

std::size_t terms_of(const Formula& formula) {
    std::size_t terms = 1;
    for (const Formula* left = &formula; left->kind == Kind::add || left->kind == Kind::subtract;
         left = &left->operands.front())
        ++terms;
    return terms;
}

Condition read_condition(Lexer& lexer) {
    return ExpressionParser(lexer).whole_condition();
}

Formula read_formula(Lexer& lexer) {
    return ExpressionParser(lexer).whole_formula();
}

}  // namespace polyrx
