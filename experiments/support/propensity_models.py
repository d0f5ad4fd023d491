#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which model of propensities should support rest on? By the true propensities of the families to choose on (designs.py).

    cmake --preset experiments && cmake --build --preset experiments
    propensity_models.py --iwpc IWPC.csv      # adds to results/propensity_models.csv
    propensity_models.py --table

A row counts as wrong if some treatment is called supported whose true ratio to the largest propensity is below epsilon / 2, or is left out although
that ratio is at least 2 epsilon. Criterion, stated before the run: the fewest rows that are wrongly supported, on average over families; of rules
within one point of that, the fewest that are wrongly left out.
"""

import csv
import pathlib
import statistics
import subprocess
from functools import partial

from designs import CHOOSE, PAPER, TEST_ROWS, Study, drawn, families_of, observed, stream, text_of
from laboratory import ROOT, Results, do_all, parser_of  # designs knows where it is

SEEDS = range(1, 4)
FIELDS = ["family", "seed", "candidate", "log_loss", "contradicted", "chosen", "wrongly_supported", "wrongly_left_out"]
MOST_CONTRADICTED = 0.01  # as in fit/learn_support.hpp


def write(path, family, rows, draw, truth):
    """Features, treatment and outcome; with the truth, the propensities too."""
    groups = family.options[1:2] if family.options[:1] == ("--group",) else ()
    features = [name for name in rows[0].cells if name not in groups]
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([*features, "treatment", "outcome", *(f"e:{label}" for label in family.treatments if truth)])
        for row in rows:
            given, outcome = observed(family, row, draw)
            out.writerow([*(text_of(row.cells[name]) for name in features), family.treatments[given], outcome, *(f"{e:.9g}" for e in row.chances if truth)])


def measured(arguments, models, iwpc, family, seed, results):
    with Study(arguments.program, family, seed, iwpc) as study:
        records = study.records((family.rows, TEST_ROWS))
        for part, rows, patients in zip(("train", "test"), (family.rows, TEST_ROWS), records, strict=True):
            write(study.folder / f"{part}.csv", family, drawn(family, seed, part, rows, patients), stream(family.name, seed, part, "outcomes"),
                  part == "test")
        done = subprocess.run([models, "train.csv", "test.csv", str(seed)], cwd=study.folder, check=True, capture_output=True, text=True)
        for line in csv.reader(done.stdout.splitlines()):
            results.add(**dict(zip(FIELDS, [family.name, seed, *line], strict=True)))


def kind(name):
    return lambda trials: min((trial for trial in trials if trial["candidate"].startswith(name)), key=lambda trial: float(trial["log_loss"]))


def lowest(trials):
    return min(trials, key=lambda trial: float(trial["log_loss"]))


def lowest_not_contradicted(trials):
    kept = [trial for trial in trials if float(trial["contradicted"]) <= MOST_CONTRADICTED]
    return lowest(kept) if kept else min(trials, key=lambda trial: float(trial["contradicted"]))


RULES = {
    "polyrx: the simplest within one standard error, not contradicted": lambda trials: next(trial for trial in trials if trial["chosen"] == "1"),
    "lowest log-loss, not contradicted": lowest_not_contradicted,
    "lowest log-loss": lowest,
    "logistic with at most 5 terms": lambda trials: lowest([trial for trial in trials if "term" in trial["candidate"]]),
    "logistic with all inputs": kind("logistic with all"),
    "tree of at most 16 leaves": kind("tree"),
    "constant": kind("constant"),
}


def print_tables(results):
    families = [family for family in families_of(CHOOSE) if results.where(family=family.name)]
    print("Rows with a treatment that is wrongly supported / wrongly left out, in %, means over three seeds.\n")
    print(f"| family | {' | '.join(RULES)} |\n|---|{'---|' * len(RULES)}")
    means = {rule: [] for rule in RULES}
    for family in families:
        cells = []
        for rule, choose in RULES.items():
            chosen = [choose(trials) for seed in SEEDS if (trials := results.where(family=family.name, seed=str(seed)))]
            pair = [100 * statistics.mean(float(trial[field]) for trial in chosen) for field in ("wrongly_supported", "wrongly_left_out")]
            means[rule].append(pair)
            cells.append("{:.1f} / {:.1f}".format(*pair))
        print(f"| {family.name} | {' | '.join(cells)} |")
    print(f"| **mean** | {' | '.join('{:.1f} / {:.1f}'.format(*map(statistics.mean, zip(*pairs, strict=True))) for pairs in means.values())} |")


def main():
    parser = parser_of(__file__, __doc__)
    parser.add_argument("--models", type=pathlib.Path, default=ROOT / "build" / "experiments" / "propensity_models")
    parser.add_argument("--iwpc", type=pathlib.Path, help="the consortium's file (docs/warfarin.md)")
    arguments = parser.parse_args()
    results = Results(arguments.results / "propensity_models.csv", FIELDS, ["family", "seed", "candidate"])
    if not arguments.table:
        if not arguments.iwpc:
            print("warfarin is skipped: say where the consortium's file is with --iwpc")
        iwpc = arguments.iwpc and arguments.iwpc.resolve()
        do_all([partial(measured, arguments, arguments.models.resolve(), iwpc, family, seed, results) for seed in SEEDS
                for family in families_of(CHOOSE) if family.kind != PAPER and (iwpc or family.source != "warfarin")
                and not results.where(family=family.name, seed=str(seed))], arguments.jobs)
    print_tables(results)


if __name__ == "__main__":
    main()
