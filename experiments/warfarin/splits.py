# SPDX-License-Identifier: Apache-2.0
"""The warfarin cohort, given doses and split: what the scripts of this folder share."""

import csv
import pathlib
import random
import sys
from functools import partial

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from laboratory import ROLES, Program, do_all, doubly_robust_in_folds, parser_of, some_of  # noqa: E402

SHARED = 0.3 / 0.7  # test rows as a share of training rows: for intervals over splits of the same patients
SEEDS = "7001-7010"  # 1 to 10 are for development; 3001 to 3010 were looked at before auto was changed, and before trees lost needless splits
OPTIMAL_TREE_SEEDS = "3001-3010"  # no change since concerns them


def cohort_parser(script, description, choices, seeds=SEEDS):
    """What a script is asked that measures each of its `choices` on every split."""
    parser = parser_of(script, description, seeds)
    parser.add_argument("--iwpc", type=pathlib.Path, help="the consortium's file (docs/warfarin.md)")
    parser.add_argument("--only", type=some_of(choices), default=list(choices), help=f"only these of {', '.join(choices)}")
    return parser


def measure_missing(arguments, results, field, measure):
    """Calls measure(split, choices, results) for every split with the choices that `results` does not have yet, by their `field`."""
    if not arguments.iwpc:
        print("warfarin is skipped: say where the consortium's file is with --iwpc")
        return

    def measured(seed, missing):
        with Split(arguments.program, arguments.iwpc.resolve(), seed) as split:
            measure(split, missing, results)

    tasks = []
    for seed in arguments.seeds:
        missing = [choice for choice in arguments.only if not results.has(seed=seed, **{field: choice})]
        if missing:
            tasks.append(partial(measured, seed, missing))
    do_all(tasks, arguments.jobs)


class Split(Program):
    """Seven patients of ten in train.csv, the others in test.csv; doses are given by the same seed. Use it with `with`."""

    def __init__(self, program, iwpc, seed):
        super().__init__(program)
        self.iwpc, self.seed = iwpc, seed

    def __enter__(self):
        super().__enter__()
        self.run("warfarin", self.iwpc, "--observe", self.seed, "-o", "all.csv", "--schema", "doses.json", "-q")
        header, *rows = (self.folder / "all.csv").read_text(encoding="utf-8").splitlines()
        random.Random(self.seed).shuffle(rows)
        kept = round(0.7 * len(rows))
        for name, part in (("train.csv", rows[:kept]), ("test.csv", rows[kept:])):
            (self.folder / name).write_text("\n".join([header, *part]) + "\n", encoding="utf-8")
        return self

    def fit(self, *options):
        """Learns model.json from train.csv; what polyrx fit --json says."""
        return self.json("fit", "train.csv", "--schema", "doses.json", *ROLES, *options, "--seed", self.seed)

    def value_in_folds(self, method):
        """Its doubly robust value on three folds of train.csv; small is good."""
        return doubly_robust_in_folds(self, method, "--schema", "doses.json", "--seed", self.seed)

    def rows(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def full_feedback(self):
        """Features and right doses of train.csv and of test.csv, as arrays for scikit-learn."""
        import numpy as np

        roles = (*ROLES[1::2], "y0", "y1", "y2", "best")
        doses = ["Low", "Medium", "High"]
        return [(np.array([[float(value) for column, value in row.items() if column not in roles] for row in rows]),
                 np.array([doses.index(row["best"]) for row in rows])) for rows in (self.rows("train.csv"), self.rows("test.csv"))]

    def accuracy(self, model):
        """The share of test patients whom a model prescribes the right dose."""
        given = [row[0] for row in csv.reader(self.run("prescribe", model, "test.csv").splitlines()[1:])]
        right = [row["best"] for row in self.rows("test.csv")]
        return sum(a == b for a, b in zip(given, right, strict=True)) / len(right)
