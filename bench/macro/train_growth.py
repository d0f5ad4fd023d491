#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the time of an epoch grows with rows, width, depth and treatments, each with the others as in the paper.

The slopes are those of log time over log size: 1 is proportional, 2 quadratic. All sizes take turns, several times,
and the least wall time of each counts. Only the paper's K = 3 is a data set of the paper: for other K each row's
treatment is drawn anew, which takes as long to train on.
"""

import argparse
import math
import pathlib

from training.worker import TRAIN_WORKER, Report, flops, load, train_worker

ROWS, WIDTH, DEPTH, TREATMENTS = 10_000, 100, 5, 3
SIZES = {
    "rows": (1_000, 10_000, 100_000, 1_000_000),
    "width": (10, 20, 50, 100, 200, 500),
    "depth": (1, 2, 3, 5, 10),
    "treatments": (2, 5, 10, 20, 50),
}
LEAST_ROWS = 20_000  # seen in a fit, so that beginning and ending it do not show
LEAST_SECONDS = 0.4  # of a turn: short fits are repeated, as one alone is easily disturbed


def slope(xs, ys):
    """Of the least-squares line through the logarithms."""
    xs, ys = [math.log(x) for x in xs], [math.log(y) for y in ys]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / sum((x - mean_x) ** 2 for x in xs)


class Shape:
    """One size of one of the four, the others as in the paper, and the least seconds of an epoch so far."""

    def __init__(self, axis, size):
        self.size = size
        chosen = {"rows": ROWS, "width": WIDTH, "depth": DEPTH, "treatments": TREATMENTS} | {axis: size}
        self.rows, self.treatments = chosen["rows"], chosen["treatments"]
        self.hidden = [chosen["width"]] * chosen["depth"]
        self.epochs = max(1, LEAST_ROWS // self.rows)
        self.seconds = math.inf

    def time(self, polyrx):
        spent = 0
        while spent < LEAST_SECONDS:
            times = polyrx.ask("fit", hidden=self.hidden, epochs=self.epochs, seed=1)
            self.seconds = min(self.seconds, times["wall"] / self.epochs)
            spent += times["wall"]

    def flops(self, inputs):
        return flops(self.rows, [inputs, *self.hidden, self.treatments])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", type=pathlib.Path, default=TRAIN_WORKER, help="build/bench/polyrx_train_worker")
    parser.add_argument("--turns", type=int, default=3, help="turns of each size (3)")
    parser.add_argument("--most-rows", type=int, default=1_000_000, help="leave out larger tables (1000000)")
    parser.add_argument("--output", type=pathlib.Path, metavar="FILE", help="where to keep what is printed")
    options = parser.parse_args()
    report = Report(options.output)

    shapes = {axis: [Shape(axis, size) for size in sizes] for axis, sizes in SIZES.items()}
    shapes["rows"] = [shape for shape in shapes["rows"] if shape.rows <= options.most_rows]
    with train_worker(options.worker) as polyrx:
        for _ in range(options.turns):
            made = None
            for shape in (shape for axis in shapes.values() for shape in axis):
                if made != (shape.rows, shape.treatments):
                    made = (shape.rows, shape.treatments)
                    inputs = polyrx.ask("rows", rows=shape.rows, treatments=shape.treatments, path="")["inputs"]
                shape.time(polyrx)

    report(f"{ROWS:,} rows x {inputs} inputs, {DEPTH} layers of {WIDTH}, K = {TREATMENTS} but for what grows")
    report(f"one thread; least of {options.turns} turns; {load()}")
    for axis, tried in shapes.items():
        report(f"\n{axis:>12}{'s an epoch':>12}{'us a row':>10}{'Gflop/s':>9}{'slope':>7}")
        for before, shape in zip([None, *tried], tried):
            pair = (before, shape)
            local = slope([s.size for s in pair], [s.seconds for s in pair]) if before else None
            report(
                f"{shape.size:12,}{shape.seconds:12.4f}{1e6 * shape.seconds / shape.rows:10.2f}"
                f"{shape.flops(inputs) / shape.seconds / 1e9:9.1f}" + (f"{local:7.2f}" if before else "")
            )
        if len(tried) > 1:
            report(f"{'overall':>43}{slope([s.size for s in tried], [s.seconds for s in tried]):7.2f}")
    report.save()


if __name__ == "__main__":
    main()
