# SPDX-License-Identifier: Apache-2.0
"""Trains in PyTorch when asked: a request in JSON on a line of standard input, its answer on a line of standard output.

{"do": "about"}                                         versions, and the names of the variants
{"do": "load", "path": FILE, "rows": N, "recipe": {}}   the rows that train_worker wrote
{"do": "fit", "variant": NAME, "epochs": E, "seed": S}  seconds, and the objective on all rows afterwards
{"do": "products"}                                      Gflop/s of torch.mm by shape
"""

import json
import os
import re
import sys
import time

# Compilers and profilers that write to standard output must not speak into the answers.
ANSWERS = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)
os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", TORCHINDUCTOR_COMPILE_THREADS="1")

import numpy as np  # pylint: disable=wrong-import-position
import torch  # pylint: disable=wrong-import-position

import pytorch_fits  # pylint: disable=wrong-import-position
from pytorch_fits import paper_recipe  # pylint: disable=wrong-import-position


class Worker:
    """The rows, and the variants that have been asked for."""

    def __init__(self):
        self.rows = self.recipe = None
        self.variants = {}

    def about(self):
        blas = re.search(r"BLAS_INFO=(\w+)", torch.__config__.show())
        library = re.search(r"Math Kernel Library Version (\S+)", torch.__config__.show())
        return {
            "pytorch": torch.__version__,
            "blas": " ".join(found[1] for found in (blas, library) if found) or "of unknown name",
            "simd": paper_recipe.machine()["pytorch_simd"],
            "cpu": paper_recipe.machine()["cpu"],
            "variants": list(pytorch_fits.VARIANTS),
        }

    def load(self, path, rows, recipe):
        self.recipe = pytorch_fits.Recipe(**recipe)
        with open(path, "rb") as file:
            inputs = np.fromfile(file, np.float32, rows * recipe["widths"][0]).reshape(rows, -1)
            treatment = np.fromfile(file, np.int32, rows)
            outcome = np.fromfile(file, np.float32, rows)
        self.rows = pytorch_fits.Rows(
            torch.from_numpy(inputs), torch.from_numpy(treatment).long()[:, None], torch.from_numpy(outcome)[:, None]
        )
        return {}

    def fit(self, variant, epochs, seed):
        if variant not in self.variants:
            self.variants[variant] = pytorch_fits.VARIANTS[variant](self.rows, self.recipe)
        wall, cpu = time.perf_counter(), time.process_time()
        network = self.variants[variant].fit(epochs, seed)
        seconds = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
        with torch.no_grad():
            treatment, outcome = self.rows.treatment[:, 0], self.rows.outcome[:, 0]
            outputs = network(self.rows.inputs)
            ones = torch.ones_like(outcome)
            loss = paper_recipe.objective(outputs, treatment, outcome, ones, self.recipe.mu)
        return seconds | {"loss": loss.item()}

    def products(self):
        """The fastest of several tries of about 20 ms each."""
        speeds = {}
        for rows, inner, columns in ((1024, 1024, 1024), (512, 512, 512), (256, 256, 256), (64, 100, 100)):
            flops = 2 * rows * inner * columns
            a, b, ab = torch.randn(rows, inner), torch.randn(inner, columns), torch.empty(rows, columns)
            repeats = max(1, 2_000_000_000 // flops)
            least = float("inf")
            for _ in range(5):
                start = time.perf_counter()
                for _ in range(repeats):
                    torch.mm(a, b, out=ab)
                least = min(least, time.perf_counter() - start)
            speeds[f"{rows} x {inner} x {columns}"] = flops * repeats / least / 1e9
        return speeds


def main():
    """Answers until there are no more requests."""
    paper_recipe.one_thread()
    worker = Worker()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(worker, request.pop("do"))(**request)
        except Exception as trouble:  # pylint: disable=broad-except
            # A variant that this machine or this PyTorch cannot run: the others go on.
            answer = {"error": f"{type(trouble).__name__}: {trouble}".splitlines()[0]}
        print(json.dumps(answer), file=ANSWERS, flush=True)


if __name__ == "__main__":
    main()
