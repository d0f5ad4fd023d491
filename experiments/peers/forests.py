#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is our regress-and-compare forest scikit-learn's? Accuracy of both on the same rows, ten seeds for each data set.

    experiments/peers/.venv/bin/python experiments/peers/forests.py build/release/polyrx [--warfarin iwpc.csv]

Writes results/forests.csv. Passed when the mean difference of each data set is within three standard errors of the ten
paired differences. Seeds 1 to 10; 10,000 rows to learn from and 10,000 others (simulate, seed + 1000) to judge by; of
warfarin the patients in the order of a shuffle by the seed, 70 % to learn from.
"""

import argparse
import csv
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.ensemble import RandomForestRegressor

HERE = pathlib.Path(__file__).resolve().parent
SEEDS = range(1, 11)


def table(path):
    with open(path, encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return header, rows


def numbers(path, names):
    """These columns of a table: rows x names."""
    header, rows = table(path)
    places = [header.index(name) for name in names]
    return np.array([[float(row[i]) for i in places] for row in rows])


def accuracy(prescribed, truth):
    """The share of rows whose prescription has the least true outcome; where several tie, each is right."""
    return float(np.mean(truth[np.arange(len(truth)), prescribed] == truth.min(axis=1)))


def write(path, header, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def ours(polyrx, folder, method, seed, truth, schema):
    """Accuracy on the test rows."""
    subprocess.run([polyrx, "fit", folder / "train.csv", "--treatment", "treatment", "--outcome", "outcome", "--method",
                    method, "--seed", str(seed), *schema, "-q", "-o", folder / "model.json"], check=True)
    said = subprocess.run([polyrx, "evaluate", folder / "model.json", folder / "test.csv", "--truth", ",".join(truth),
                           "--json", "-q"], check=True, capture_output=True)
    return json.loads(said.stdout)["accuracy"]


def theirs(folder, seed, truth, labels):
    """The same of scikit-learn's forests with its defaults."""
    header, train = table(folder / "train.csv")
    features = [name for name in header if name not in {"treatment", "outcome", "best", *truth}]
    x, x_test = (numbers(folder / name, features) for name in ("train.csv", "test.csv"))
    y = numbers(folder / "train.csv", ["outcome"])[:, 0]
    t = np.array([labels.index(row[header.index("treatment")]) for row in train])
    predicted = np.column_stack([
        RandomForestRegressor(n_jobs=-1, random_state=seed).fit(x[t == k], y[t == k]).predict(x_test)
        for k in range(len(labels))])
    return accuracy(predicted.argmin(axis=1), numbers(folder / "test.csv", truth))


def simulated(polyrx, folder, data, seed):
    for name, its_seed in (("train", seed), ("test", seed + 1000)):
        subprocess.run([polyrx, "simulate", data, "-n", "10000", "--seed", str(its_seed), "--truth", "-q", "-o",
                        folder / f"{name}.csv"], check=True)
    header, rows = table(folder / "train.csv")
    labels = sorted({row[header.index("treatment")] for row in rows}, key=int)
    return [f"y{k}" for k in range(len(labels))], labels, []


def warfarin(polyrx, folder, file, seed):
    subprocess.run([polyrx, "warfarin", file, "--observe", str(seed), "-q", "-o", folder / "all.csv", "--schema",
                    folder / "schema.json"], check=True)
    header, rows = table(folder / "all.csv")
    random.Random(seed).shuffle(rows)
    cut = round(0.7 * len(rows))
    write(folder / "train.csv", header, rows[:cut])
    write(folder / "test.csv", header, rows[cut:])
    return ["y0", "y1", "y2"], ["Low", "Medium", "High"], ["--schema", folder / "schema.json"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("polyrx", type=pathlib.Path)
    parser.add_argument("--warfarin", type=pathlib.Path, help="the consortium's file")
    options = parser.parse_args()
    polyrx = options.polyrx.resolve()
    sets = [f"D{d}" for d in range(1, 7)] + (["warfarin"] if options.warfarin else [])
    lines, passed = [], True
    print(f"{'':10}{'polyrx':>9}{'sklearn':>9}{'difference':>12}{'its SE':>9}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for data in sets:
            pairs = []
            for seed in SEEDS:
                made = (warfarin(polyrx, folder, options.warfarin.resolve(), seed) if data == "warfarin" else
                        simulated(polyrx, folder, data[1:], seed))
                truth, labels, schema = made
                pairs.append((ours(polyrx, folder, "rc-rf", seed, truth, schema), theirs(folder, seed, truth, labels)))
                lines.append([data, seed, *pairs[-1]])
            difference = [100 * (a - b) for a, b in pairs]
            mean, error = statistics.mean(difference), statistics.stdev(difference) / len(difference) ** 0.5
            passed = passed and abs(mean) <= 3 * error + 1e-9
            means = [100 * statistics.mean(each) for each in zip(*pairs, strict=True)]
            print(f"{data:10}{means[0]:9.2f}{means[1]:9.2f}{mean:12.3f}{error:9.3f}", flush=True)
    (HERE / "results").mkdir(exist_ok=True)
    write(HERE / "results/forests.csv", ["data", "seed", "polyrx", "sklearn"], lines)
    print("passed" if passed else "NOT passed")
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
