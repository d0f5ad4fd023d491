#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What staying within the support of the data gains and costs, on studies whose truth is known (designs.py).

    support.py [--half choose] [--iwpc IWPC.csv] [--only triage,D1] [--jobs 2]      # adds to results/support.csv
    support.py --plan                                                              # fits and hours that a whole run takes
    support.py --table

Epsilon is chosen on one half of the families (seeds 1 to 5); targets are read off the other (seeds 9001 to 9020), once. What is there already is
not run again. Seeds come one after the other, so that a run that is stopped has fewer seeds and not fewer families.
"""

import pathlib
import re
import sys
from functools import partial

import verdicts
from designs import BOTH, CHOOSE, FAMILIES, REPORT, Practice, Study
from plan import CELL, NONE, QUICK_ROWS, RECIPES, planned, print_plan, quickly
from laboratory import ROLES, Results, do_all, parser_of, some_of  # designs knows where it is

FIELDS = [*CELL, "ended", "accuracy", "regret", "outcome", "practice_accuracy", "practice_regret", "constant_accuracy", "constant_regret",
          "deviation", "recommended", "written", "seconds"]


def fitted(study, fit, more):
    """What fit says; nothing where a rival refuses the data (too few rows of an arm) or diverges, which is a result here."""
    family = study.family
    try:
        return study.json("fit", "train.csv", *ROLES, "--objective", family.objective, *family.options, *fit.options(family), *more,
                          "--seed", study.seed, "--threads", 1)
    except RuntimeError as error:
        if fit.method in RECIPES or not re.search(r": exit [13]\n", str(error)):
            raise
        print(error, file=sys.stderr)
        return None


def measured(arguments, iwpc, family, seed, fits, results):
    quick = arguments.quick
    with Study(arguments.program, family, seed, iwpc, QUICK_ROWS if quick else None) as study:
        practice = Practice(study.folder / "test.csv", family)
        best_constant = min(practice.constants, key=lambda constant: constant[1])
        learned = {}  # fits whose learned policy was written: --fallback none would write the same
        for fit in fits:
            row = {"family": family.name, "seed": seed, **fit._asdict()}
            if fit.fallback == NONE and fit._replace(fallback="") in learned:
                results.add(**learned[fit._replace(fallback="")] | row)
                continue
            made = fitted(study, fit, ["--hidden", "8", "--epochs", "2"] if quick and fit.method in RECIPES else [])
            if made is None:
                results.add(**row, ended="refused")
                continue
            known = study.truth_of("model.json", "test.csv", family.truth)
            row |= dict(ended="fitted", accuracy=f"{known['accuracy']:.4f}", regret=f"{known['regret']:.6f}",
                        outcome=f"{known['outcome']:.6f}", practice_accuracy=f"{practice.accuracy:.4f}", practice_regret=f"{practice.regret:.6f}",
                        constant_accuracy=f"{best_constant[0]:.4f}", constant_regret=f"{best_constant[1]:.6f}",
                        deviation=f"{practice.deviation:.6f}", recommended={True: "true", False: "false"}.get(made["recommended"], ""),
                        written=made["fallback"] or "", seconds=f"{made['seconds']:.1f}")
            results.add(**row)
            if not made["fallback"]:
                learned[fit] = row


def main():
    parser = parser_of(__file__, __doc__)
    parser.add_argument("--half", choices=[CHOOSE, REPORT, BOTH], default=BOTH)
    parser.add_argument("--only", type=some_of(FAMILIES), default=list(FAMILIES), help="only these families")
    parser.add_argument("--iwpc", type=pathlib.Path, help="the consortium's file (docs/warfarin.md)")
    parser.add_argument("--plan", action="store_true", help="only say what a whole run takes")
    arguments = parser.parse_args()
    if arguments.plan:
        print_plan(arguments.half)
        return
    results = Results(arguments.results / "support.csv", FIELDS, CELL)
    if not arguments.table:
        iwpc = arguments.iwpc and arguments.iwpc.resolve()
        if not iwpc:
            print("warfarin is skipped: say where the consortium's file is with --iwpc")
        tasks = []
        for family, seed, fits in quickly() if arguments.quick else planned(arguments.half):
            missing = [fit for fit in fits if not results.has(family=family.name, seed=seed, **fit._asdict())]
            if missing and family.name in arguments.only and (iwpc or family.source != "warfarin"):
                tasks.append(partial(measured, arguments, iwpc, family, seed, missing, results))
        do_all(tasks, arguments.jobs)
    verdicts.print_tables(results)


if __name__ == "__main__":
    main()
