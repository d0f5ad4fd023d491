#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the intervals of `polyrx evaluate` hold the truth on the families of experiments/support?

    families.py [--jobs 2] [--seeds 20001-20004]    # adds to results/families.csv
    families.py --table

Each treatment for all is evaluated on the rows of a study, with default settings. Families that take their patients from elsewhere are left out.
The thresholds of support were set on the designs of bounded_coverage.cpp, never on these.
"""

import pathlib
import statistics
import sys
from functools import partial

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parent / "support"))
from designs import DECLARED, HIDDEN, Study, drawn  # noqa: E402
from laboratory import ROLES, Results, do_all, parser_of  # noqa: E402

FAMILIES = [family for family in DECLARED if family.draw and not family.source and family.kind != HIDDEN]
POPULATION = 400_000  # rows whose mean is taken for the truth
FIELDS = ["family", "seed", "treatment", "verdict", "supported", "value", "value_low", "value_high", "gain", "gain_low", "gain_high"]
QUANTITIES = ["value", "gain"]


def truths(family):
    """By treatment: the mean outcome if all received it, and that minus the mean as treated."""
    sums, practice = [0.0] * len(family.treatments), 0.0
    for row in drawn(family, "population", "test", POPULATION):
        practice += sum(chance * mean for chance, mean in zip(row.chances, row.means, strict=True)) / sum(row.chances)
        sums = [total + mean for total, mean in zip(sums, row.means, strict=True)]
    return [(total / POPULATION, (total - practice) / POPULATION) for total in sums]


def end(interval, name):
    return "" if interval is None else f"{interval[name]:.8g}"


def measured(arguments, family, results):
    seeds = [seed for seed in arguments.seeds if not all(results.has(family=family.name, seed=seed, treatment=label) for label in family.treatments)]
    if not seeds:
        return
    truth = truths(family)
    for seed in seeds:
        with Study(arguments.program, family, seed) as study:
            for label, (value, gain) in zip(family.treatments, truth, strict=True):
                if results.has(family=family.name, seed=seed, treatment=label):
                    continue
                said = study.json("evaluate", f"always:{label}", "train.csv", *ROLES, "--objective", family.objective, *family.options,
                                  "--bootstrap", 0, "--seed", seed, "--threads", 1)
                intervals = {name: said["supported"][name]["interval"] for name in QUANTITIES}
                results.add(family=family.name, seed=seed, treatment=label, verdict=said["overlap"]["verdict"],
                            supported=f"{said['supported']['supported_share']:.4f}", value=f"{value:.8g}", gain=f"{gain:.8g}",
                            **{f"{name}_{which}": end(interval, which) for name, interval in intervals.items() for which in ("low", "high")})


def held(row, name):
    return float(row[f"{name}_low"]) <= float(row[name]) <= float(row[f"{name}_high"])


def line(words, rows):
    there = [row for row in rows if row["value_low"]]
    said = [row for row in there if row["verdict"] == "supported"]
    cells = [f"{sum(held(row, name) for row in part)} of {len(part)}" for part in (there, said) for name in QUANTITIES]
    print(f"| {words} | {100 * statistics.mean(float(row['supported']) for row in rows):.0f} | {' | '.join(cells)} | {len(rows) - len(there)} |")


def print_tables(results):
    if not results.rows:
        print("Not run yet.")
        return
    print("| family | supported, % | value held | gain held | value held where called supported | gain held there | too few rows |")
    print("|---|---|---|---|---|---|---|")
    for family in FAMILIES:
        rows = results.where(family=family.name)
        if rows:
            line(family.name, rows)
    line("**all**", results.rows)


def main():
    parser = parser_of(__file__, __doc__, "20001-20004")
    arguments = parser.parse_args()
    results = Results(arguments.results / "families.csv", FIELDS, FIELDS[:3])
    if not arguments.table:
        do_all([partial(measured, arguments, family, results) for family in FAMILIES], arguments.jobs)
    print_tables(results)


if __name__ == "__main__":
    main()
