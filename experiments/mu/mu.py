#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What mu of objective (4), between prediction error and prescribed outcome, does to a policy.

    mu.py [--program build/release/polyrx] [--seeds 5001-5010] [--jobs 2]         # adds to results/mu.csv
    mu.py --table

A study is 10,000 rows to learn from (its seed) and 10,000 others with their truth (its seed + 100,000).
"""

import csv
import math
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from figures import COLOURS, MARKS, figure  # noqa: E402
from laboratory import ROLES, Results, SimulatedStudy, beside_readme, do_all, mean_and_deviation, parser_of  # noqa: E402

SEEDS = "5001-5010"
MUS = ["0", "0.0001", "0.001", "0.01", "0.03", "0.1", "0.3", "0.5", "0.9", "0.99", "1"]
STUDIES = {"D1": "1", "D2": "2", "D5": "5"}
RECIPES = ["paper", "fast"]
FIELDS = ["study", "recipe", "mu", "seed", "ended", "accuracy", "regret", "error", "seconds"]


def fitted(program, *options):
    """What fit says; nothing where training diverged, which is a result here."""
    try:
        return program.json("fit", "train.csv", *ROLES, *options, "--threads", "1")
    except RuntimeError as error:
        if "diverged" not in str(error):
            raise
        return None


def prediction_error(program):
    """Root mean squared error of the outcomes that were observed, on rows that nothing was learned from."""
    printed = program.run("prescribe", "model.json", "test.csv", "--outcomes", "--keep", "treatment,outcome", "-q")
    predicted = csv.DictReader(printed.splitlines())
    return math.sqrt(statistics.fmean((float(row["outcome"]) - float(row[f"outcome_{row['treatment']}"])) ** 2 for row in predicted))


def measured(path, study, recipe, seed, mus, rows, options, results):
    with SimulatedStudy(path, [STUDIES[study]], seed, rows) as program:
        for mu in mus:
            row = {"study": study, "recipe": recipe, "mu": mu, "seed": seed}
            made = fitted(program, "--recipe", recipe, "--mu", mu, "--seed", seed, *options)
            if not made:
                results.add(**row, ended="diverged", accuracy="", regret="", error="", seconds="")
                continue
            known = program.known_of("model.json")
            results.add(**row, ended="fitted", accuracy=f"{known['accuracy']:.4f}", regret=f"{known['regret']:.6f}",
                        error=f"{prediction_error(program):.4f}", seconds=f"{made['seconds']:.2f}")


def print_tables(results):
    for title, field, scale, digits in (("Accuracy in percent", "accuracy", 100, 1), ("Regret", "regret", 1, 3),
                                        ("Root mean squared error of the outcomes observed in new rows", "error", 1, 2)):
        print(f"\n{title}: mean and deviation over the seeds whose training ended; in brackets how many diverged.\n")
        columns = [(study, recipe) for study in STUDIES for recipe in RECIPES if results.where(study=study, recipe=recipe)]
        print(f"| mu | {' | '.join(f'{study} {recipe}' for study, recipe in columns)} |\n|---|{'---|' * len(columns)}")
        for mu in MUS:
            line = []
            for study, recipe in columns:
                cell = {"study": study, "recipe": recipe, "mu": mu}
                values, lost = [scale * value for value in results.numbers(field, **cell)], len(results.where(**cell, ended="diverged"))
                line.append(" ".join(filter(None, [values and mean_and_deviation(values, digits), lost and f"({lost} diverged)"])))
            if any(line):
                print(f"| {mu} | {' | '.join(line)} |")


def draw(path, results):
    def panels(axes):
        for colour, mark, study in zip(COLOURS, MARKS, STUDIES, strict=False):
            for recipe, style in zip(RECIPES, ("-", "--"), strict=True):
                for axis, field in zip(axes, ("accuracy", "regret", "diverged"), strict=True):
                    points = []
                    for mu in MUS:
                        cell = {"study": study, "recipe": recipe, "mu": mu}
                        if not results.where(**cell):
                            continue
                        values = ([row["ended"] == "diverged" for row in results.where(**cell)] if field == "diverged"
                                  else results.numbers(field, **cell))
                        # A gap, and not a line across it, where no seed's training ended.
                        points.append((float(mu), (1 if field == "regret" else 100) * statistics.mean(values) if values else math.nan))
                    axis.plot([x for x, _ in points], [y for _, y in points], style, color=colour, marker=mark, label=f"{study}, {recipe}")
        for axis, title in zip(axes, ("right treatments, %", "regret", "diverged, % of the seeds"), strict=True):
            axis.set_xscale("symlog", linthresh=1e-4, linscale=0.5)
            axis.set(xlabel="mu", ylabel=title, xlim=(-2e-5, 1.3))
        axes[2].set_ylim(-4, 104)
        axes[2].legend(loc="upper left")

    return figure(path, 3, panels)


def main():
    arguments = parser_of(__file__, __doc__, SEEDS).parse_args()
    results = Results(arguments.results / "mu.csv", FIELDS, ["study", "recipe", "mu", "seed"])
    quick = arguments.quick
    if not arguments.table:
        tasks = []
        for seed in arguments.seeds[:2] if quick else arguments.seeds:
            for study in STUDIES:
                for recipe in RECIPES:
                    missing = [mu for mu in (MUS[::5] if quick else MUS) if not results.has(study=study, recipe=recipe, mu=mu, seed=seed)]
                    if missing:
                        tasks.append(lambda study=study, recipe=recipe, seed=seed, missing=missing: measured(
                            arguments.program, study, recipe, seed, missing, 500 if quick else 10_000,
                            ["--hidden", "20", "--epochs", "5"] if quick else [], results))
        do_all(tasks, arguments.jobs)
    print_tables(results)
    if results.rows and not arguments.table:
        draw(beside_readme(arguments, __file__) / "mu.svg", results)


if __name__ == "__main__":
    main()
