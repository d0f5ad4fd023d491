#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second report, after trees with lookahead joined the models of propensities (docs/decisions/0022).

    interactions.py [--iwpc IWPC.csv] [--jobs 2]      # adds to results/interactions.csv
    interactions.py --table

The first report missed three targets where doctors go by interactions. Its families have been read, so they count for little here, on new seeds.
Four families are new: they were written down, with seeds and criteria, before the program with lookahead was run on any of them. The paper's
studies are there to see that nothing else changed. Default settings only.
"""

import pathlib
import statistics
from functools import partial

import designs
import draws
import verdicts
from designs import GOOD, PAPER, REPORT, families_of, good
from draws import Row, logistic, noisy_best, normals, one_by_one, two, x_names
from laboratory import Results, do_all, parser_of  # designs knows where it is
from plan import CELL
from support import FIELDS, measured

SEEDS = range(9101, 9109)
PAPER_SEEDS = SEEDS[:2]

def opposite(a, b):
    """Near 1 where both have the same sign, and near -1 where they have not."""
    return (2 * logistic(4 * a) - 1) * (2 * logistic(4 * b) - 1)


@one_by_one
def sepsis(draw):
    """Two of twelve features decide together, and neither does alone; an event."""
    x = normals(draw, x_names(12))
    benefit = 1.2 * opposite(x["x2"], x["x7"]) + 0.2 * x["x4"]
    base = -0.8 + 0.5 * x["x1"] + 0.3 * x["x4"]
    return Row(x, [logistic(base + benefit / 2), logistic(base - benefit / 2)], two(logistic(benefit / 0.5)))


@one_by_one
def rheumatology(draw):
    """Three treatments; a category with a number decides between them; a continuous score that is to be large."""
    x = {"kind": draw.choice(["a", "b", "c", "d"]), "markers": draw.randint(0, 20), "female": draw.random() < 0.6, **normals(draw, x_names(6))}
    high = (x["markers"] - 10) / 5
    sign = 1 if x["kind"] in "ac" else -1
    gains = [0.0, 0.6 * sign * high, 0.5 * (x["female"] - 0.5) + 0.3 * x["x1"]]
    base = 2 + 0.5 * x["x2"] - 0.1 * x["markers"]
    return Row(x, [base + gain for gain in gains], noisy_best(gains, 0.2), 1.5)


@one_by_one
def migraine(draw):
    """A smooth product of two features, and a third; an event that is wanted. Doctors believe a little too much in the new drug."""
    x = normals(draw, x_names(10))
    benefit = 0.9 * x["x3"] * x["x5"] + 0.4 * x["x1"]
    base = 0.2 + 0.4 * x["x2"]
    return Row(x, [logistic(base - benefit / 2), logistic(base + benefit / 2)], two(logistic((benefit + 0.1) / 0.3)))


@one_by_one
def asthma(draw):
    """The middle of one feature, in those who smoke, and its ends in the others; few rows."""
    x = {"flow": round(draw.gauss(400, 80)), "smoker": draw.random() < 0.4, "visits": draw.randint(0, 6), **normals(draw, x_names(8))}
    from_middle = abs(x["flow"] - 400) / 80 - 0.8
    benefit = 1.5 * from_middle * (-1 if x["smoker"] else 1)
    base = 0.3 * x["visits"] + 0.5 * x["x1"] - 0.004 * (x["flow"] - 400)
    return Row(x, [base, base - benefit], two(logistic(benefit / 0.4)), 1.0)


NEW = [
    good("sepsis", "interacting", "binary", "min", ["early", "late"], 3_000, (0.70, 0.85), sepsis),
    good("rheumatology", "interacting", "continuous", "max", ["rest", "biologic", "steroid"], 4_000, (0.65, 0.85), rheumatology),
    good("migraine", "interacting", "binary", "max", ["usual", "new"], 2_500, (0.70, 0.90), migraine),
    good("asthma", "interacting", "continuous", "min", ["spray", "tablets"], 1_500, (0.75, 0.92), asthma),
]


GROUPS = {"new": NEW, "read before": families_of(REPORT, GOOD), "paper": families_of(REPORT, PAPER)}


def planned():
    """The new families first; seed by seed."""
    return [(family, seed) for seed in SEEDS for group, families in GROUPS.items() if group != "paper" or seed in PAPER_SEEDS for family in families]


def print_table(results):
    if not results.rows:
        print("Not run yet.")
        return
    print("Accuracy less that of practice in points and, in brackets, value in standard deviations; means over the seeds, and the worst.\n")
    print("| family | kind | seeds | practice, % | mean | worst run | recommended, % |\n|---|---|---|---|---|---|---|")
    read = {}
    for group, families in GROUPS.items():
        for family in families:
            rows = [row for seed in SEEDS for row in results.where(family=family.name, seed=seed) if row["accuracy"]]
            if not rows:
                continue
            read.setdefault(group, {})[family.name] = rows
            points, values = [verdicts.points(row) for row in rows], [verdicts.value(row) for row in rows]
            practice = statistics.mean(float(row["practice_accuracy"]) for row in rows)
            recommended = statistics.mean(row["recommended"] == "true" for row in rows)
            print(f"| {family.name} | {group} | {len(rows)} | {100 * practice:.1f} | {statistics.mean(points):+.1f} ({statistics.mean(values):+.3f}) | "
                  f"{min(points):+.1f} ({min(values):+.3f}) | {100 * recommended:.0f} |")
    print("\n| target | new families | families read before | D1-D6 |\n|---|---|---|---|")
    for measure in verdicts.MEASURES:
        for words, met in ((f"no mean credibly more than {measure.tolerance:g} below practice, {measure.name}", verdicts.not_below),
                           (f"no run more than {measure.single:g} below practice, {measure.name}", verdicts.none_far_below)):
            print(f"| {words} | {' | '.join(verdict(read.get(group, {}), partial(met, measure=measure)) for group in GROUPS)} |")
    every = [row for families in read.values() for rows in families.values() for row in rows]
    said = [verdicts.value(row) for row in every if row["recommended"] == "true"]
    print(f"\nRecommended in {len(said)} of {len(every)} runs; in truth worse than practice in {sum(each < 0 for each in said)} of these.")


def verdict(families, met):
    wrong = [name for name, rows in families.items() if not met(rows)]
    return f"{len(families) - len(wrong)} of {len(families)}" + (f" (not {', '.join(wrong)})" if wrong else "")


def main():
    parser = parser_of(__file__, __doc__)
    parser.add_argument("--iwpc", type=pathlib.Path, help="the consortium's file (docs/warfarin.md)")
    arguments = parser.parse_args()
    results = Results(arguments.results / "interactions.csv", FIELDS, CELL)
    if not arguments.table:
        iwpc = arguments.iwpc and arguments.iwpc.resolve()
        do_all([partial(measured, arguments, iwpc, family, seed, [verdicts.DEFAULT], results) for family, seed in planned()
                if not results.has(family=family.name, seed=seed) and (iwpc or family.source != "warfarin")], arguments.jobs)
    print_table(results)


if __name__ == "__main__":
    main()
