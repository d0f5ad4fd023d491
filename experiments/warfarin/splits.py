# SPDX-License-Identifier: Apache-2.0
"""The warfarin cohort, given doses and split: what the scripts of this folder share."""

import argparse
import csv
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from laboratory import ROLES, Program, seeds_of  # noqa: E402


def parser_of(description, choices):
    """What scripts that print a table of some kinds of trees are asked."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("iwpc", type=pathlib.Path, nargs="?")
    parser.add_argument("--table", type=pathlib.Path, help="only print the means of such a file")
    parser.add_argument("--program", type=pathlib.Path, default=pathlib.Path("build/release/polyrx"))
    parser.add_argument("--seeds", type=seeds_of, default=range(1, 11))
    parser.add_argument("--only", choices=choices, action="append", help="only these")
    return parser


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

    def rows(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def accuracy(self, model):
        """The share of test patients whom a model prescribes the right dose."""
        given = [row[0] for row in csv.reader(self.run("prescribe", model, "test.csv").splitlines()[1:])]
        right = [row["best"] for row in self.rows("test.csv")]
        return sum(a == b for a, b in zip(given, right, strict=True)) / len(right)
