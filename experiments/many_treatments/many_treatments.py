#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Accuracy and regret against the number of treatments, on simulated studies whose truth is known.

    many_treatments.py [--program build/release/polyrx] [--seeds 5001-5010] [--auto] [--jobs 2]
    many_treatments.py --table                              # only the tables, from results/many_treatments.csv
    many_treatments.py --quick --results FOLDER             # seconds

A study is rows to learn from and as many others with their truth. The functions of its treatments are drawn by its seed, each by a draw
of its own: the study of 5 treatments has those of 3 and two more, on the same people.
"""

import itertools
import math
import pathlib
import random
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from figures import figure  # noqa: E402
from laboratory import ROLES, Program, Results, beside_readme, difference, do_all, mean_and_deviation, mean_and_interval, parser_of  # noqa: E402

TREATMENTS = [2, 3, 5, 10, 20]
SEEDS = "5001-5010"
QUICK_SEEDS = [1, 2]  # not those that are reported
ROWS = 10_000
FEATURES = 20
LEVEL = 0.5  # deviation of the treatments' mean effects, so that some are better on average, as treatments are
SCALING_ROWS = 4_000  # from which a function's mean and deviation are taken
METHODS = {"rc-lr": ["--method", "rc-lr"], "rc-rf": ["--method", "rc-rf"], "cf": ["--method", "cf-1va"],
           "policytree": ["--method", "policytree"], "constant": ["--method", "constant"], "paper": ["--recipe", "paper"],
           "fast": ["--recipe", "fast"], "auto": ["--recipe", "auto"]}
RIVALS = ["rc-lr", "rc-rf", "cf", "policytree", "constant", "paper"]
FIELDS = ["treatments", "seed", "method", "accuracy", "regret", "best_constant_regret", "seconds"]

NORMAL, SIGNS = list(range(0, FEATURES, 2)), list(range(1, FEATURES, 2))  # x1, x3, ... and x2, x4, ... from 0


def drawn_features(source):
    """Section 5.2: odd-numbered features are normal, even-numbered ones -1 or 1."""
    return [source.gauss(0, 1) if j % 2 == 0 else source.choice((-1.0, 1.0)) for j in range(FEATURES)]


def drawn_function(source, sample):
    """One in the spirit of the paper's f1 to f4, of features and a sign drawn by chance, scaled to mean 0 and deviation 1."""
    kind, sign = source.randint(1, 4), source.choice((-1, 1))
    n, s = source.sample(NORMAL, 5), source.sample(SIGNS, 4)
    cut, values = source.choice((-1.0, 0.0, 1.0)), source.sample(range(1, 9), 8)

    def raw(x):
        if kind == 1:  # a step
            return 5.0 * (x[n[0]] > cut)
        if kind == 2:  # steps that interact, and a product
            return 4.0 * (x[n[0]] > 1 and x[n[1]] > 0) + 4.0 * (x[n[2]] > 1 and x[n[3]] > 0) + 2 * x[s[0]] * x[n[4]]
        if kind == 3:  # smooth and additive
            return 0.5 * (sum(x[j] ** 2 for j in n) + sum(x[j] for j in s))
        return float(values[4 * (x[s[0]] > 0) + 2 * (x[s[1]] > 0) + (x[s[2]] > 0)])  # a table of three features

    seen = [raw(x) for x in sample]
    middle, deviation = statistics.mean(seen), statistics.stdev(seen)
    return lambda x: sign * (raw(x) - middle) / deviation


class Study:
    """Base(x) is the outcome of treatment 0; that of p is Base(x) + level_p + Effect_p(x), as the paper has it for three."""

    def __init__(self, seed, treatments):
        self.seed, self.treatments = seed, treatments
        source = random.Random(f"{seed} scaling")
        sample = [drawn_features(source) for _ in range(SCALING_ROWS)]
        self.base = drawn_function(random.Random(f"{seed} base"), sample)
        self.effects = []
        for p in range(1, treatments):
            source = random.Random(f"{seed} effect {p}")
            level = LEVEL * source.gauss(0, 1)
            self.effects.append((level, drawn_function(source, sample)))

    def write(self, path, rows, part):
        """Features are drawn apart from treatments and noise, so that people are the same whatever K is. Only test rows have the truth."""
        people, chance = random.Random(f"{self.seed} people {part}"), random.Random(f"{self.seed} chance {part} {self.treatments}")
        numbers = range(self.treatments)
        # P[p | x] is as exp(p/(K-1) Base(x)): the worse off get higher numbers. For two treatments that is the paper's formula.
        doses = [p / (self.treatments - 1) for p in numbers]
        names = [*(f"x{j + 1}" for j in range(FEATURES)), "treatment", "outcome", *(f"y{p}" for p in numbers if part == "test")]
        lines = [",".join(names)]
        for _ in range(rows):
            x = drawn_features(people)
            base = self.base(x)
            truth = [base, *(base + level + effect(x) for level, effect in self.effects)]
            given = chance.choices(numbers, [math.exp(dose * base) for dose in doses])[0]
            values = [*x, given, truth[given] + chance.gauss(0, 1), *truth]
            lines.append(",".join(f"{value:.5g}" for value in values[:len(names)]))
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def measured(arguments, treatments, seed, methods, results):
    rows, extra = (300, ["--epochs", "2"]) if arguments.quick else (ROWS, [])
    with Program(arguments.program) as program:
        study = Study(seed, treatments)
        study.write(program.folder / "train.csv", rows, "train")
        study.write(program.folder / "test.csv", rows, "test")
        truth = ",".join(f"{p}=y{p}" for p in range(treatments))
        for method in methods:
            options = METHODS[method] if method != "cf" or treatments > 2 else ["--method", "cf"]  # two need no one against all
            made = program.json("fit", "train.csv", *ROLES, *options, *(extra if "--recipe" in options else []), "--seed", seed,
                                "--threads", "1")
            found = program.truth_of("model.json", "test.csv", truth)
            constant = min(each["outcome"] for each in found["always"]) - found["best_outcome"]
            results.add(treatments=treatments, seed=seed, method=method, accuracy=f"{found['accuracy']:.4f}",
                        regret=f"{found['regret']:.6f}", best_constant_regret=f"{constant:.6f}", seconds=f"{made['seconds']:.2f}")


def relative(results, treatments, method):
    """By seed: regret as a share of that of the best single treatment by the truth. The latter is the mean over the seeds: where one
    treatment is best for nearly everybody, a study's own is nearly 0."""
    constants = {row["seed"]: float(row["best_constant_regret"]) for row in results.where(treatments=treatments)}
    return {int(row["seed"]): float(row["regret"]) / statistics.mean(constants.values())
            for row in results.where(treatments=treatments, method=method)}


def slope(differences):
    """Of a difference against the logarithm of K to the base 2, by least squares."""
    return statistics.linear_regression([math.log2(k) for k in differences], list(differences.values())).slope


def compared(results):
    """The numbers of treatments and the methods that there are, and the shares of regret of each pair of them."""
    counts = sorted({int(row["treatments"]) for row in results.rows})
    methods = [method for method in METHODS if results.where(method=method)]
    return counts, methods, {(k, method): relative(results, k, method) for k in counts for method in methods}


def print_tables(results):
    if not results.rows:
        print("Not run yet.")
        return
    counts, methods, shares = compared(results)
    head = f"| | {' | '.join(f'K = {k}' for k in counts)} |"
    rule = "|---|" + "---|" * len(counts)
    print(f"Accuracy in percent; means and deviations over the seeds.\n\n{head}\n{rule}")
    for method in methods:
        cells = [[100 * value for value in results.numbers("accuracy", treatments=k, method=method)] for k in counts]
        print(f"| {method} | " + " | ".join(mean_and_deviation(cell, 1) if cell else "" for cell in cells) + " |")
    print(f"\nRegret as a share of the mean regret of the best single treatment, which is in the last line.\n\n{head}\n{rule}")
    for method in methods:
        print(f"| {method} | " + " | ".join(mean_and_deviation(list(shares[k, method].values()), 3) if shares[k, method] else ""
                                            for k in counts) + " |")
    constants = [[float(row["best_constant_regret"]) for row in results.where(treatments=k, method="constant")] for k in counts]
    print("| *best single treatment, regret* | " + " | ".join(mean_and_deviation(cell, 3) if cell else "" for cell in constants) + " |")
    for mine in ("fast", "auto"):
        if mine not in methods:
            continue
        print(f"\nThese shares, {mine} less the other method, paired by seed, with 95 % intervals; below 0 is better. The last column is "
              "how the difference changes when K doubles, a slope for each seed: below 0 the margin widens.\n")
        print(f"{head} for twice as many |\n{rule}---|")
        for rival in [name for name in RIVALS if name in methods]:
            paired = {k: {s: shares[k, mine][s] - shares[k, rival][s] for s in shares[k, mine] if s in shares[k, rival]} for k in counts}
            whole = set.intersection(*(set(paired[k]) for k in counts))
            slopes = [slope({k: paired[k][s] for k in counts}) for s in sorted(whole)] if len(counts) > 1 else []
            print(f"| {rival} | " + " | ".join(difference(list(paired[k].values())) for k in counts)
                  + f" | {difference(slopes)} |")


def draw(path, results):
    counts, methods, shares = compared(results)

    def lines(panels):
        for method in [name for name in methods if name != "constant"]:
            seen = [k for k in counts if shares[k, method]]
            for axes, values in ((panels[0], {k: results.numbers("regret", treatments=k, method=method) for k in seen}),
                                 (panels[1], {k: list(shares[k, method].values()) for k in seen})):
                middles = {k: mean_and_interval(cell) for k, cell in values.items()}
                line, = axes.plot(seen, [middles[k][0] for k in seen], label=method)
                axes.fill_between(seen, [middles[k][1] for k in seen], [middles[k][2] for k in seen], color=line.get_color(), alpha=0.12,
                                  linewidth=0)
        panels[1].axhline(1, color="#999999", linewidth=1, linestyle="--", marker="")
        for axes, words in zip(panels, ("regret", "regret, share of best single treatment's")):
            axes.set(xscale="log", xlabel="treatments", ylabel=words, ylim=(0, None))
            axes.set_xticks(counts, [str(k) for k in counts])
            axes.minorticks_off()
        panels[0].legend(fontsize=8)
    figure(path, 2, lines)


def main():
    parser = parser_of(__file__, __doc__, SEEDS)
    parser.add_argument("--auto", action="store_true", help="recipe auto too: half a minute of one core for each fit, or more")
    arguments = parser.parse_args()
    results = Results(arguments.results / "many_treatments.csv", FIELDS, ["treatments", "seed", "method"])
    if not arguments.table:
        counts, seeds = (TREATMENTS[:3], QUICK_SEEDS) if arguments.quick else (TREATMENTS, arguments.seeds)
        tasks = []
        for seed, treatments in itertools.product(seeds, counts):
            wanted = [method for method in METHODS if method != "auto" or arguments.auto]
            missing = [method for method in wanted if not results.has(treatments=treatments, seed=seed, method=method)]
            if missing:
                tasks.append(lambda k=treatments, s=seed, these=missing: measured(arguments, k, s, these, results))
        do_all(tasks, arguments.jobs)
    print_tables(results)
    if results.rows and not arguments.table:
        draw(beside_readme(arguments, __file__) / "many_treatments.svg", results)


if __name__ == "__main__":
    main()
