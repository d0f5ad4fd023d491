#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the experiment itself: PyTorch's objective and steps against NumPy derived by hand, and the way of the runs.

experiments/peers/.venv/bin/python experiments/parity/test_parity.py
"""

import contextlib
import io
import math
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parent))
import accuracy
import paper_recipe
import replay
import report
import steps


# Objective (4), its gradient and AdamW, row by row and formula by formula.


def forward(layers, inputs):
    activations = [inputs]
    for number, (weights, bias) in enumerate(layers):
        z = activations[-1] @ weights.T + bias
        activations.append(z if number == len(layers) - 1 else np.maximum(z, 0))
    return activations


def objective_by_hand(outputs, treatment, outcome, weight, mu):
    total, gradient = 0.0, np.zeros_like(outputs)
    rows = len(outcome)
    for i in range(rows):
        f, t, y = outputs[i], treatment[i], outcome[i]
        pi = min(range(len(f)), key=lambda k: (f[k], k))
        total += weight[i] * (mu * (y if pi == t else f[pi]) + (1 - mu) * (y - f[t]) ** 2)
        gradient[i, t] -= weight[i] * (1 - mu) * 2 * (y - f[t]) / rows
        if pi != t:
            gradient[i, pi] += weight[i] * mu / rows
    return total / rows, gradient


def gradients_by_hand(layers, activations, gradient):
    found = []
    for (weights, _), below in zip(reversed(layers), reversed(activations[:-1])):
        found.append((gradient.T @ below, gradient.sum(axis=0)))
        gradient = (gradient @ weights) * (below > 0)
    return found[::-1]


def run_by_hand(rng, fault=None, dtype=np.float64, rows=1_007, batch=50, steps_made=steps.STEPS, **changes):
    """A record as parity_steps writes it, from a trainer in NumPy; `fault` is one thing that it does wrong."""
    options = {
        "treatments": 3,
        "mu": 0.1,
        "batch": batch,
        "learning_rate": 3e-3,
        "schedule": "cosine",
        "weight_decay": 0.3,
    }
    options.update(changes)
    inputs = rng.normal(size=(rows, 6))
    inputs = ((inputs - inputs.mean(axis=0)) / inputs.std(axis=0)).astype(np.float32).astype(dtype)
    treatment = rng.integers(options["treatments"], size=rows)
    outcome = (inputs[:, 0] + treatment * inputs[:, 1] + rng.normal(size=rows)).astype(np.float32).astype(dtype)
    weight = rng.uniform(0.2, 2, size=rows)
    weight = (weight / weight.mean()).astype(np.float32).astype(dtype)
    layers = []
    for fan_in, fan_out in ((6, 20), (20, 10), (10, options["treatments"])):
        bound = 1 / math.sqrt(fan_in)
        layers.append(
            [rng.uniform(-bound, bound, size).astype(np.float32).astype(dtype) for size in ((fan_out, fan_in), fan_out)]
        )
    batches_an_epoch = -(-rows // batch)
    options["epochs"] = -(-steps_made // batches_an_epoch)
    orders = [rng.permutation(rows) for _ in range(options["epochs"])]
    run = {
        "dataset": 1,
        "case": "by hand",
        "options": options,
        "inputs": inputs.tolist(),
        "treatment": treatment.tolist(),
        "outcome": outcome.tolist(),
        "weight": weight.tolist(),
        "layers": [{"weights": w.tolist(), "bias": b.tolist()} for w, b in layers],
        "orders": [order.tolist() for order in orders],
        "losses": [],
    }

    total = batches_an_epoch * options["epochs"]
    moments = [[(np.zeros_like(p), np.zeros_like(p)) for p in layer] for layer in layers]
    step = 0
    for order in orders:
        for first in range(0, rows, batch):
            b = order[first : first + batch]
            activations = forward(layers, inputs[b])
            loss, gradient = objective_by_hand(activations[-1], treatment[b], outcome[b], weight[b], options["mu"])
            if fault == "mean over the full batch":
                loss, gradient = loss * len(b) / batch, gradient * len(b) / batch
            if fault == "weighted mean":
                loss, gradient = loss / weight[b].mean(), gradient / weight[b].mean()
            if fault == "no gradient of the prescription":
                gradient = objective_by_hand(activations[-1], treatment[b], outcome[b], weight[b], 0)[1] * (
                    1 - options["mu"]
                )
            run["losses"].append(float(loss))
            s = step + 1 if fault == "schedule one step ahead" else step
            rate = options["learning_rate"]
            if options["schedule"] == "cosine":
                rate *= 0.5 * (1 + math.cos(math.pi * s / total))
            if options["schedule"] == "linear":
                rate *= 1 - s / total
            step += 1
            for layer, moment, grads in zip(layers, moments, gradients_by_hand(layers, activations, gradient)):
                for which in (0, 1):
                    decays = which == 0 or fault == "decay of biases"
                    g = grads[which]
                    if fault == "decay in the gradient":
                        g, decays = g + options["weight_decay"] * layer[which] * decays, False
                    if decays:
                        layer[which] = layer[which] * (1 - rate * options["weight_decay"])
                    m = 0.9 * moment[which][0] + 0.1 * g
                    v = 0.999 * moment[which][1] + 0.001 * g * g
                    moment[which] = (m, v)
                    corrected = (
                        (m, v) if fault == "no bias correction" else (m / (1 - 0.9**step), v / (1 - 0.999**step))
                    )
                    layer[which] = layer[which] - rate * corrected[0] / (np.sqrt(corrected[1]) + 1e-8)
    run["losses"] = run["losses"][:steps_made]
    return run


class Objective(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(1)
        self.outputs = rng.normal(size=(40, 3))
        self.outputs[:5] = 0.5  # ties
        self.treatment = rng.integers(3, size=40)
        self.outcome = rng.normal(size=40)
        self.weight = rng.uniform(0, 2, size=40)

    def by_torch(self, outputs, mu):
        outputs = torch.tensor(outputs, requires_grad=True)
        rows = [torch.tensor(a) for a in (self.treatment, self.outcome, self.weight)]
        value = paper_recipe.objective(outputs, *rows, mu)
        value.backward()
        return value.item(), outputs.grad.numpy()

    def test_value_and_gradient_are_those_derived_by_hand_with_ties_to_the_lowest_index(self):
        for mu in (0, 1e-4, 0.1, 1):
            value, gradient = self.by_torch(self.outputs, mu)
            expected, slope = objective_by_hand(self.outputs, self.treatment, self.outcome, self.weight, mu)
            self.assertAlmostEqual(value, expected, places=12)
            np.testing.assert_allclose(gradient, slope, atol=1e-14)

    def test_gradient_is_the_finite_difference_with_the_prescription_frozen(self):
        mu, h = 0.3, 1e-6
        prescribed = self.outputs.argmin(axis=1)

        def frozen(outputs):
            rows = np.arange(len(outputs))
            cost = np.where(prescribed == self.treatment, self.outcome, outputs[rows, prescribed])
            fit = (self.outcome - outputs[rows, self.treatment]) ** 2
            return (self.weight * (mu * cost + (1 - mu) * fit)).mean()

        _, gradient = self.by_torch(self.outputs, mu)
        for i, k in np.ndindex(self.outputs.shape):
            step = np.zeros_like(self.outputs)
            step[i, k] = h
            slope = (frozen(self.outputs + step) - frozen(self.outputs - step)) / (2 * h)
            self.assertAlmostEqual(gradient[i, k], slope, places=8)


class Steps(unittest.TestCase):
    def test_a_run_by_hand_is_repeated_to_the_last_digits(self):
        for schedule in ("constant", "linear", "cosine"):
            for decay in (0.0, 0.3):
                run = run_by_hand(np.random.default_rng(2), schedule=schedule, weight_decay=decay)
                worst, _ = steps.worst_difference(np.array(run["losses"]), replay.replay(run, torch.float64)[0])
                self.assertLess(worst, 1e-9, f"{schedule}, decay {decay}")
                row, _ = steps.compare(run)
                self.assertEqual(row["passed"], "yes", row)
                self.assertEqual(row["steps"], 200)

    def test_each_fault_is_noticed(self):
        faults = [
            "mean over the full batch",
            "weighted mean",
            "no gradient of the prescription",
            "schedule one step ahead",
        ]
        for fault in [*faults, "decay of biases", "decay in the gradient", "no bias correction"]:
            row, _ = steps.compare(run_by_hand(np.random.default_rng(2), fault=fault))
            self.assertEqual(row["passed"], "no", f"{fault}: {row}")

    def test_a_run_on_the_other_side_of_an_edge_is_told_from_a_fault(self):
        kept, replay.EDGE = replay.EDGE, 1e-4  # wide enough for a network this small to meet some
        try:
            run = run_by_hand(np.random.default_rng(2))
            _, near = replay.replay(run)
            parted = []
            for edge in near[:6]:
                run["losses"] = replay.replay(run, crossed=[edge])[0].tolist()
                row, _ = steps.compare(run)
                if row["passed"] != "yes":
                    parted.append(edge)
                    self.assertEqual((row["passed"], row["edges"]), ("edge", 1), row)
            self.assertTrue(parted)
        finally:
            replay.EDGE = kept

    def test_what_the_replay_takes_over_is_doubted(self):
        run = run_by_hand(np.random.default_rng(2))
        self.assertEqual(steps.doubts(run), [])
        run["orders"][1] = run["orders"][0]
        run["layers"][0]["bias"] = [0.0] * 20
        run["inputs"] = (np.array(run["inputs"]) + 0.1).tolist()
        self.assertEqual(len(steps.doubts(run)), 3, steps.doubts(run))

    def test_a_loss_that_is_not_a_number_is_a_miss(self):
        worst, step = steps.worst_difference(np.array([1.0, math.nan]), np.array([1.0, 1.0]))
        self.assertEqual((worst, step), (math.inf, 1))


# Stands in for polyrx: a tiny simulation, and `fit` that fails on D6 until a file says otherwise.
STAND_IN = """#!{python}
import csv, json, pathlib, random, sys
def option(name): return sys.argv[sys.argv.index(name) + 1]
if sys.argv[1] == "simulate":
    random.seed(int(option("--seed")))
    truth = "--truth" in sys.argv
    out = csv.writer(sys.stdout)
    out.writerow(["x1", "x2", "treatment", "outcome"] + (["y0", "y1", "best"] if truth else []))
    for _ in range(int(option("--n"))):
        x1, x2, t = random.gauss(0, 1), random.gauss(0, 1), random.randrange(2)
        y = [0.0, x1]
        out.writerow([x1, x2, t, y[t] + random.gauss(0, 1)] + ([*y, int(y[1] < y[0])] if truth else []))
elif sys.argv[1] == "fit":
    if pathlib.Path.cwd().name.startswith("D6") and not pathlib.Path("{allow}").exists():
        sys.exit("train.csv: cannot be learned from")
    pathlib.Path("model.json").write_text("{{}}")
elif sys.argv[1] == "evaluate":
    assert option("--truth") == "y0,y1" and "--json" in sys.argv
    print(json.dumps({{"rows": 50, "accuracy": 0.9, "regret": 0.01}}))
"""


class Accuracy(unittest.TestCase):
    def test_a_standard_error_of_zero_passes_only_without_a_difference(self):
        self.assertEqual(accuracy.paired([1, 1, 1], [1, 1, 1])["ratio"], 0)
        self.assertEqual(accuracy.paired([1, 1, 1], [0, 0, 0])["ratio"], math.inf)
        self.assertAlmostEqual(
            accuracy.paired([1, 2, 4], [1, 1, 1])["ratio"], (4 / 3) / (math.sqrt(7 / 3) / math.sqrt(3))
        )

    def test_truth_ties_are_right_either_way(self):
        truth = np.array([[0.0, 0.0, 1.0], [2.0, 1.0, 1.5]])
        self.assertEqual(accuracy.score_against_truth(np.array([1, 2]), truth), (0.5, 0.25))

    def test_no_seed_is_used_for_training_and_test(self):
        self.assertEqual(len({*accuracy.SEEDS, *(seed + accuracy.TEST_SEED_OFFSET for seed in accuracy.SEEDS)}), 20)

    def test_the_recipe_learns_who_should_get_what(self):
        rng = np.random.default_rng(3)
        inputs, treatment = rng.normal(size=(2_000, 2)), rng.integers(2, size=2_000)
        outcome = treatment * inputs[:, 0] + 0.1 * rng.normal(size=2_000)
        network = paper_recipe.fit_paper_recipe(inputs, treatment, outcome, 2, seed=1, epochs=5)
        right = paper_recipe.prescribe(network, inputs) == (inputs[:, 0] < 0)
        self.assertGreater(right.mean(), 0.9)
        again = paper_recipe.fit_paper_recipe(inputs, treatment, outcome, 2, seed=1, epochs=5)
        for a, b in zip(network.parameters(), again.parameters()):
            self.assertTrue(torch.equal(a, b))

    def test_runs_go_on_where_they_stopped_and_failures_stay_listed(self):
        kept = {name: getattr(accuracy, name) for name in ("SEEDS", "TRAINING_ROWS", "TEST_ROWS")}
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            allow = folder / "allow"
            program = folder / "polyrx"
            program.write_text(STAND_IN.format(python=sys.executable, allow=allow))
            program.chmod(0o755)
            accuracy.SEEDS, accuracy.TRAINING_ROWS, accuracy.TEST_ROWS = (1, 2), 100, 50
            arguments = (program, {"polyrx": "stand-in", "pytorch": "1"}, folder / "work", folder, 1)
            # In this process: a spawned one would not see the smaller sizes.
            pool = accuracy.futures.ProcessPoolExecutor
            accuracy.futures.ProcessPoolExecutor = lambda jobs, mp_context: accuracy.futures.ThreadPoolExecutor(jobs)
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    accuracy.run_all(*arguments)
                    first = accuracy.read_rows(folder / "accuracy.csv")
                    allow.touch()
                    accuracy.run_all(*arguments)
                rows = accuracy.read_rows(folder / "accuracy.csv")
                self.assertEqual(len(first), 24)
                self.assertEqual(
                    [row["note"] for row in first if row["status"] == "failed"],
                    ["RuntimeError: fit exited 1: train.csv: cannot be learned from"] * 2,
                )
                self.assertEqual(len(rows), 26)
                self.assertEqual(len(accuracy.read_rows(folder / "accuracy_started.csv")), 26)
                self.assertFalse(accuracy.summarise(first)[5]["passed"])
                self.assertEqual([line["pairs"] for line in accuracy.summarise(rows)], [2] * 6)
                (folder / "accuracy_machine.json").write_text(
                    '{"cpu": "a CPU", "pytorch": "1", "pytorch_simd": "AVX2"}'
                )
                self.assertIn(
                    "26 runs were started, 24 ended well, 2 failed, 0 were cut off", report.accuracy_text(folder)
                )
            finally:
                accuracy.futures.ProcessPoolExecutor = pool
                for name, value in kept.items():
                    setattr(accuracy, name, value)


if __name__ == "__main__":
    paper_recipe.one_thread()
    unittest.main()
