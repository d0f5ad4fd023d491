#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the paper's recipe in polyrx and in PyTorch on the same rows, one thread each, and two networks on two cores.

Both sides are kept alive and asked for one fit in turn, so that what else the machine does hits them alike; the least
wall time of each counts. PyTorch is written in several ways: as it is used, with autograd, compiled or not, of which the
fastest counts for the target; and with forward pass, backward pass and Adam written out by hand, without autograd, which
few would do, to see what is left. Without PyTorch polyrx is timed alone.
"""

import argparse
import contextlib
import pathlib
import statistics
import tempfile

from training.worker import ROOT, TRAIN_WORKER, Report, Worker, WorkerError, flops, load, train_worker

ROWS = 10_000
TREATMENTS = 3
TARGET, AIM = 8, 12  # times as fast as PyTorch
TARGET_TWO_CORES = 1.5  # times the networks of one core


class Contestant:
    """A way to train, and how its fits went."""

    def __init__(self, name, fit):
        self.name, self.fit = name, fit
        self.answers = []

    def run(self, seed):
        self.answers.append(self.fit(seed))

    def least(self, clock="wall"):
        return min(answer[clock] for answer in self.answers)

    def times(self):
        return f"{self.name:50}{self.least():8.3f}  " + "".join(f"{answer['wall']:8.3f}" for answer in self.answers)

    def losses(self):
        losses = [answer["loss"] for answer in self.answers]
        return f"{statistics.mean(losses):.3f} ({min(losses):.3f} to {max(losses):.3f})"


def start_pytorch(python, stack, report):
    """The worker and what it says of itself, or nothing."""
    advice = "experiments/peers/setup makes one, --python names another"
    if not python.exists():
        report(f"PyTorch is left out: there is no {python}; {advice}")
        return None, None
    worker = stack.enter_context(Worker(python, pathlib.Path(__file__).parent / "training/pytorch_worker.py"))
    try:
        return worker, worker.ask("about")
    except WorkerError as trouble:
        report(f"PyTorch is left out: {python}: {trouble}; {advice}")
        return None, None


def pytorch_contestants(worker, variants, epochs, report):
    """Those that work here, warm: what they compile is compiled."""
    working = []
    for variant in variants:

        def fit(seed, epochs=epochs, variant=variant):
            return worker.ask("fit", variant=variant, epochs=epochs, seed=seed)

        try:
            fit(seed=1, epochs=1)
        except WorkerError as trouble:
            report(f"PyTorch, {variant}: does not work here: {trouble}")
        else:
            working.append(Contestant(f"PyTorch, {variant}", fit))
    return working


def compare(polyrx, pytorch, about, recipe, widths, options, report):
    """Prints the race, its ratio, and how far from the machine's limit it was run."""

    def fit(seed, epochs=options.epochs):
        times = polyrx.ask("fit", hidden=recipe["hidden"], epochs=epochs, seed=seed)
        return times | polyrx.ask("loss")

    fit(seed=1, epochs=1)
    ours = Contestant("polyrx", fit)
    theirs = pytorch_contestants(pytorch, about["variants"], options.epochs, report) if pytorch else []
    speeds = {}  # of torch.mm, by shape
    for seed in range(1, options.fits + 1):
        for contestant in (ours, *theirs):
            contestant.run(seed)
        for shape, speed in (pytorch.ask("products") if pytorch else {}).items():
            speeds[shape] = max(speed, speeds.get(shape, 0))

    each = f"each fit, seeds 1 to {options.fits}"
    report(f"\n{'wall seconds':50}{'least':>8}  {each:{8 * options.fits}}{'CPU':>8}{'/ polyrx':>10}  loss on all rows")
    for one in (ours, *theirs):
        report(f"{one.times()}{one.least('cpu'):8.3f}{one.least() / ours.least():10.2f}  {one.losses()}")

    work = flops(ROWS, widths) * options.epochs
    rate = work / ours.least() / 1e9
    report(f"\npolyrx, whole fit: {work / 1e9:.1f} Gflop of products, {rate:.1f} Gflop/s")
    for shape, speed in speeds.items():
        report(f"torch.mm of {shape:19}{speed:7.1f} Gflop/s; polyrx's whole fit is {rate / speed:.2f} of that")
    for kind, words in (("autograd", f"target {TARGET}, aim {AIM}"), ("step by hand", "no target")):
        if of_kind := [one for one in theirs if one.name.startswith(f"PyTorch, {kind}")]:
            best = min(of_kind, key=Contestant.least)
            ratio = best.least() / ours.least()
            report(f"\n{best.name}: {best.least():.3f} s / {ours.least():.3f} s = {ratio:.2f} ({words};")
            limit = best.least() * max(speeds.values()) * 1e9 / work
            report(f"polyrx's products alone, all at the peak of torch.mm, would make it {limit:.2f})")
    split_of_a_step(polyrx, flops(recipe["batch"], widths), max(speeds.values(), default=None), report)


def split_of_a_step(polyrx, work, peak, report):
    """Prints where the time of a step goes, whose products are so much work."""
    split = polyrx.ask("step")
    whole = sum(split.values())
    report(f"\n{'one step of polyrx':50}{'us':>8}{'share':>8}")
    for part, seconds in split.items():
        report(f"{part:50}{seconds * 1e6:8.1f}{seconds / whole:8.2f}")
    rate = work / split["products"] / 1e9
    of_peak = f", {rate / peak:.2f} of the fastest torch.mm" if peak else ""
    report(f"{'all':50}{whole * 1e6:8.1f}          the products run at {rate:.1f} Gflop/s{of_peak}")


def two_cores(polyrx, recipe, options, report):
    """Prints what a second core is worth."""

    def one(seed, epochs=options.epochs):
        return polyrx.ask("fit", hidden=recipe["hidden"], epochs=epochs, seed=seed)

    def two(seed, epochs=options.epochs):
        return polyrx.ask("fits", networks=2, threads=2, epochs=epochs, seed=seed)

    alone, together = Contestant("one network on one core", one), Contestant("two networks on two cores", two)
    one(seed=1, epochs=1)
    two(seed=1, epochs=1)
    for seed in range(1, options.fits + 1):
        alone.run(seed)
        together.run(seed)
    report(f"\n{f'wall seconds ({load()})':50}{'least':>8}  each")
    report(alone.times())
    report(together.times())
    ratio = 2 * alone.least() / together.least()
    report(f"networks per second, two cores over one: {ratio:.2f} (target {TARGET_TWO_CORES})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", type=pathlib.Path, default=TRAIN_WORKER, help="build/bench/polyrx_train_worker")
    peers = ROOT / "experiments/peers/.venv/bin/python"
    parser.add_argument("--python", type=pathlib.Path, default=peers, help="one that has PyTorch: experiments/peers'")
    parser.add_argument("--fits", type=int, default=5, help="of each (5)")
    parser.add_argument("--epochs", type=int, help="of each fit (the paper's 20)")
    parser.add_argument("--output", type=pathlib.Path, metavar="FILE", help="where to keep what is printed")
    options = parser.parse_args()
    report = Report(options.output)

    with contextlib.ExitStack() as stack:
        polyrx = stack.enter_context(train_worker(options.worker))
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        recipe = polyrx.ask("recipe")
        options.epochs = options.epochs or recipe["epochs"]
        rows = pathlib.Path(folder) / "rows"
        inputs = polyrx.ask("rows", rows=ROWS, treatments=TREATMENTS, path=str(rows))["inputs"]
        widths = [inputs, *recipe["hidden"], TREATMENTS]
        report(
            f"{ROWS:,} rows x {inputs} inputs, K = {TREATMENTS}, layers {'-'.join(map(str, widths))}, batch"
            f" {recipe['batch']}, {options.epochs} epochs; one thread each;"
            f" kernels {polyrx.ask('about')['kernels']}; {load()}"
        )
        pytorch, about = start_pytorch(options.python, stack, report)
        if pytorch:
            report("PyTorch {pytorch}, BLAS {blas}, {simd}; {cpu}".format(**about))
            described = {"widths": widths} | {name: recipe[name] for name in ("batch", "mu", "learning_rate")}
            pytorch.ask("load", path=str(rows), rows=ROWS, recipe=described)
        compare(polyrx, pytorch, about, recipe, widths, options, report)
        two_cores(polyrx, recipe, options, report)
    report.save()


if __name__ == "__main__":
    main()
