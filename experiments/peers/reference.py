#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do linear regress-and-compare, the best constant and personalisation trees give what others measured for them?

    experiments/peers/.venv/bin/python experiments/peers/reference.py build/release/polyrx

Accuracy on D1 to D6, the mean and standard deviation of seeds 1 to 5; 10,000 rows to learn from and 10,000 others
(simulate, seed + 1000) to judge by. Writes results/reference.csv.
"""

import argparse
import pathlib
import statistics
import tempfile

from forests import HERE, ours, simulated, write

METHODS = ("rc-lr", "constant", "pt")
SEEDS = range(1, 6)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("polyrx", type=pathlib.Path)
    polyrx = parser.parse_args().polyrx.resolve()
    lines = []
    print(f"{'':10}" + "".join(f"{f'D{d}':>14}" for d in range(1, 7)))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for d in range(1, 7):
            for seed in SEEDS:
                truth, _, schema = simulated(polyrx, folder, str(d), seed)
                lines += [[f"D{d}", seed, method, ours(polyrx, folder, method, seed, truth, schema)]
                          for method in METHODS]
    for method in METHODS:
        shown = []
        for d in range(1, 7):
            values = [100 * line[3] for line in lines if line[0] == f"D{d}" and line[2] == method]
            shown.append(f"{statistics.mean(values):6.2f} ±{statistics.stdev(values):5.2f}")
        print(f"{method:10}" + "".join(f"{each:>14}" for each in shown))
    (HERE / "results").mkdir(exist_ok=True)
    write(HERE / "results/reference.csv", ["data", "seed", "method", "accuracy"], lines)


if __name__ == "__main__":
    main()
