#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ways to choose among the settings that candidates.cpp tried, by what the truth says of what they chose.

    choose.py FILE...        files that `candidates` wrote, named DATASET-SEED.bin

For development only: data seeds 1 to 10. The seeds that are reported are never looked at here.
"""

import pathlib
import sys

import numpy as np


def read(path):
    data = np.fromfile(path, dtype=np.float32)
    n, k, count = (int(x) for x in data[:3])
    place = 3

    def take(rows, columns):
        nonlocal place
        part = data[place:place + rows * columns].reshape(rows, columns)
        place += rows * columns
        return part.astype(float)

    about = take(n, 3)
    study = {"t": about[:, 0].astype(int), "y": about[:, 1], "fold": about[:, 2].astype(int),
             "e": take(n, k), "m": take(n, k), "truth": take(n, k)}
    settings, held_out, test = [], [], []
    for _ in range(count):
        settings.append(tuple(take(1, 6)[0]))
        held_out.append(take(n, k))
        test.append(take(n, k))
    return study, settings, np.array(held_out), np.array(test)


def judged(truth, outcomes):
    chosen = outcomes.argmin(1)
    got = truth[np.arange(len(truth)), chosen]
    return 100 * np.mean(got <= truth.min(1) + 1e-9), np.mean(got - truth.min(1))


class Judge:
    def __init__(self, study, least=0.02):
        self.rows = np.arange(len(study["y"]))
        self.study, t = study, study["t"]
        self.weight = 1 / np.maximum(study["e"][self.rows, t], least)
        self.score = study["m"].copy()
        self.score[self.rows, t] += self.weight * (study["y"] - study["m"][self.rows, t])

    def error(self, f, weight):
        return np.sum(weight * (self.study["y"] - f[self.rows, self.study["t"]])**2) / np.sum(weight)

    def criteria(self, f):
        centred = (self.score - self.score.mean(1, keepdims=True)) - (f - f.mean(1, keepdims=True))
        return {"error": self.error(f, np.ones(len(self.rows))), "weighted": self.error(f, self.weight),
                "contrast": np.mean(np.sum(centred**2, axis=1)),
                "contrast-dm": np.mean(np.sum(((self.study["m"] - self.study["m"].mean(1, keepdims=True)) -
                                               (f - f.mean(1, keepdims=True)))**2, axis=1)),
                "value": np.mean(self.score[self.rows, f.argmin(1)])}


def main():
    table = {}
    for path in map(pathlib.Path, sys.argv[1:]):
        dataset = path.stem.split("-")[0]
        study, settings, held_out, test = read(path)
        judge = Judge(study)
        scores = [judge.criteria(f) for f in held_out]
        truth = [judged(study["truth"], f) for f in test]
        regret = np.array([r for _, r in truth])

        def note(name, f):
            table.setdefault(name, {}).setdefault(dataset, []).append(judged(study["truth"], f))

        for criterion in scores[0]:
            order = np.argsort([s[criterion] for s in scores])
            for top in (1, 3, 5, 8):
                note(f"{criterion} best {top}", test[order[:top]].mean(0))
        for least in (0.01, 0.05, 0.1):
            weight = 1 / np.maximum(study["e"][judge.rows, study["t"]], least)
            order = np.argsort([judge.error(f, weight) for f in held_out])
            note(f"weighted {least} best 3", test[order[:3]].mean(0))
        # Greedy ensemble (Caruana et al. 2004) on the held-out predictions.
        groups = {"of all": lambda s: True, "in one block": lambda s: s[3] == 0, "in two blocks": lambda s: s[3] > 0,
                  "without balance": lambda s: s[5] == 0, "with balance": lambda s: s[5] > 0}
        for group, belongs in groups.items():
            chosen = []
            for _ in range(8):
                best = min((s for s in range(len(settings)) if belongs(settings[s])),
                           key=lambda s: judge.error(held_out[[*chosen, s]].mean(0), judge.weight))
                chosen.append(best)
            note(f"greedy 8 weighted, {group}", test[chosen].mean(0))
        note("truth best 1", test[regret.argmin()])
        note("all averaged", test.mean(0))
        for s, setting in enumerate(settings):
            note("setting " + " ".join(f"{x:g}" for x in setting), test[s])
        constant = min(range(study["truth"].shape[1]), key=lambda k: judge.score[:, k].mean())
        f = np.ones_like(study["truth"])
        f[:, constant] = 0
        note("constant (dr)", f)
    datasets = sorted({d for row in table.values() for d in row})
    print(f"{'':36}" + "".join(f"{'D' + d:>16}" for d in datasets))
    for name, row in table.items():
        print(f"{name:36}" + "".join(
            f"{np.mean([a for a, _ in row[d]]):8.1f} ({np.mean([r for _, r in row[d]]):.3f})" for d in datasets))


if __name__ == "__main__":
    main()
