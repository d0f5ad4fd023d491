#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ways to choose among the settings that candidates.cpp tried, by what the truth says of what they chose.

    choose.py FILE...        files that `candidates` wrote, named STUDY-SEED.bin

For development only: data seeds 1 to 10. The seeds that are reported are never looked at here.
"""

import pathlib
import sys

import numpy as np

FOLDS_TRIED = 3  # as candidates.cpp has it
KEPT, AVERAGED = 14, 8  # the best alone, among which is chosen, and how many networks an average has


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
             "e": take(n, k), "m": take(n, k)}
    truth = take(n, k)
    settings, held_out, test = [], [], []
    for _ in range(count):
        settings.append(tuple(take(1, 7)[0]))
        held_out.append(take(n, k))
        test.append(take(n, k))
    tried = study["fold"] < FOLDS_TRIED
    return {name: values[tried] for name, values in study.items()}, truth, settings, np.array(held_out)[:, tried], np.array(test)


def judged(truth, outcomes):
    chosen = outcomes.argmin(1)
    got = truth[np.arange(len(truth)), chosen]
    return 100 * np.mean(got <= truth.min(1) + 1e-9), np.mean(got - truth.min(1))


class Judge:
    def __init__(self, study, held_out, least=0.02):
        self.rows, self.study, t = np.arange(len(study["y"])), study, study["t"]
        self.weight = 1 / np.maximum(study["e"][self.rows, t], least)
        self.score = study["m"].copy()
        self.score[self.rows, t] += self.weight * (study["y"] - study["m"][self.rows, t])
        chances = np.maximum(study["e"], 1e-3)
        self.chances = chances / chances.sum(1, keepdims=True)
        self.expected = (self.chances * held_out.mean(0)).sum(1)  # outcome of a row, whatever it receives

    def error(self, f, weight):
        return np.sum(weight * (self.study["y"] - f[self.rows, self.study["t"]])**2) / np.sum(weight)

    def contrast(self, f):
        return np.mean(np.sum(((self.score - self.score.mean(1, keepdims=True)) - (f - f.mean(1, keepdims=True)))**2, axis=1))

    def r_loss(self, f, weight):
        """Nie & Wager (2021): only what a treatment does beside the others counts, and only where others were as likely."""
        effect = f[self.rows, self.study["t"]] - (self.chances * f).sum(1)
        return np.sum(weight * (self.study["y"] - self.expected - effect)**2) / np.sum(weight)

    def criteria(self):
        once = np.ones(len(self.rows))
        return {"error": lambda f: self.error(f, once), "weighted": lambda f: self.error(f, self.weight), "contrast": self.contrast,
                "value": lambda f: np.mean(self.score[self.rows, f.argmin(1)]), "R-loss": lambda f: self.r_loss(f, once),
                "weighted R-loss": lambda f: self.r_loss(f, self.weight)}


# Of (layers, weight decay, shrinkage, effect share, effect decay, balance, steps).
GROUPS = {"all": lambda s: True, "one block": lambda s: s[3] == 0, "two blocks": lambda s: s[3] > 0, "decay of effects": lambda s: s[4] > 0,
          "decay and balance": lambda s: s[4] > 0 and s[5] > 0, "decay 0.5 and balance": lambda s: s[4] == 0.5 and s[5] > 0,
          "decay 1 and balance": lambda s: s[4] == 1 and s[5] > 0}


def greedy(loss, held_out, members):
    """Caruana et al. (2004): networks are added to an average, each time the one with which it is best."""
    members = sorted(members, key=lambda s: loss(held_out[s]))[:KEPT]
    chosen = []
    for _ in range(AVERAGED):
        chosen.append(min(members, key=lambda s: loss(held_out[[*chosen, s]].mean(0))))
    return chosen


def main():
    table = {}
    for path in map(pathlib.Path, sys.argv[1:]):
        study, truth, settings, held_out, test = read(path)

        def note(name, f):
            table.setdefault(name, {}).setdefault(path.stem.split("-")[0], []).append(judged(truth, f))

        criteria = Judge(study, held_out).criteria()
        for group, belongs in GROUPS.items():
            members = [s for s, setting in enumerate(settings) if belongs(setting)]
            for name, loss in criteria.items():
                if group in ("all", "decay of effects") or name == "weighted":
                    note(f"{name}, {group}", test[greedy(loss, held_out, members)].mean(0))
        note("truth, the best one", test[np.argmin([judged(truth, f)[1] for f in test])])
    studies = sorted({study for row in table.values() for study in row})
    print(f"{'accuracy in %, and regret':34}" + "".join(f"{study:>15}" for study in studies))
    for name, row in table.items():
        print(f"{name:34}" + "".join(f"{np.mean([a for a, _ in row[s]]):7.1f} ({np.mean([r for _, r in row[s]]):.3f})" for s in studies))


if __name__ == "__main__":
    main()
