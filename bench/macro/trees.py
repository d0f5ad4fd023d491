#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts regions, makes trees, checks them and prescribes with them, and says how that compares with the targets.

Rates are per second of CPU time on one core, and the least of several turns counts: what else a shared machine does
then hardly shows. Wall times stand beside them. Networks are random (weights N(0, 1) * 1.4 / sqrt(fan-in), biases 0.3
N(0, 1), three treatments, inputs in [-2, 2], with 20 inputs or more the second half 0 or 1) or fitted on simulated data;
each line says which. trees/study.hpp makes them.
"""

import argparse
import pathlib
import statistics
import sys

from training.worker import ROOT, Report, Worker, load

WORKER = ROOT / "build/bench/polyrx_tree_worker"
PAPER = [100] * 5
PRESCRIBED = 16_384  # rows


def name_of(hidden):
    return f"{len(hidden)}x{hidden[0]}"


def machine():
    """The processor, as Linux names it."""
    with open("/proc/cpuinfo", encoding="ascii") as lines:
        said = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    family = f"family {said.get('cpu family')} model {said.get('model')}"
    return f"{said.get('model name', 'unknown processor')} ({family})"


def verdict(measured, target, more_is_better=True):
    """How a figure stands to its target, in words."""
    of_target = measured / target if more_is_better else target / measured
    return f"met, {of_target:.2f} times as good" if of_target >= 1 else f"MISSED, {of_target:.2f} of it"


class Bench:
    """The worker, the words, and how often to repeat."""

    def __init__(self, options):
        self.program, self.turns = options.worker, options.turns
        self.report = Report(options.output)
        self.worker = Worker(self.program)

    def random(self, hidden, inputs, seed=1, sparse=False, binary=True, rows=0):
        self.worker.ask("random", hidden=hidden, inputs=inputs, seed=seed, sparse=sparse, binary=binary, rows=rows)
        return f"random {name_of(hidden)}, d = {inputs}"

    def fitted(self, hidden, inputs=0, data="1", recipe="paper", rows=10_000):
        made = self.worker.ask("fitted", hidden=hidden, inputs=inputs, data=data, recipe=recipe, rows=rows)
        source = "the demo cohort" if data == "clinic" else f"simulate {data}"
        return f"{name_of(hidden)} fitted on {source}, d = {made['inputs']}"

    def least(self, what, turns=None, **request):
        """The answer of the turn with the least CPU time, with the least wall time of all."""
        answers = [self.worker.ask(what, **request) for _ in range(turns or self.turns)]
        best = min(answers, key=lambda answer: answer["cpu"])
        best["wall"] = min(answer["wall"] for answer in answers)
        return best

    def regions(self):
        report = self.report
        report(f"\nRegions (activation patterns), one thread\n{'':44}{'regions':>10}{'CPU s':>8}{'wall s':>8}{'per CPU s':>11}")
        for hidden, inputs, target in (([20], 20, 150e3), ([20], 40, 150e3), (PAPER, 2, 50e3)):
            for make in (self.random, self.fitted):
                name = make(hidden, inputs)
                found = self.least("count", threads=1)
                rate = found["regions"] / found["cpu"]
                # A network that hardly bends tells nothing of the rate.
                said = f"  target {target:,.0f}: {verdict(rate, target)}" if found["regions"] > 1000 else ""
                report(f"{name:44}{found['regions']:10,}{found['cpu']:8.2f}{found['wall']:8.2f}{rate:11,.0f}{said}")

    def million(self):
        """In a process of its own, whose memory is that of the count alone."""
        with Worker(self.program) as fresh:
            fresh.ask("random", hidden=[20], inputs=40, seed=1, sparse=False, binary=True, rows=0)
            counts = [fresh.ask("count", threads=1) for _ in range(self.turns)]
            peak = fresh.ask("about")["peak"]
        wall, cpu = (min(count[clock] for count in counts) for clock in ("wall", "cpu"))
        self.report(f"\nThe {counts[0]['regions']:,} regions of the random 1x20, d = 40, in a process of its own")
        self.report(f"  {cpu:.2f} s of CPU, {wall:.2f} s on the wall   target 10 s: {verdict(cpu, 10, False)}")
        self.report(f"  peak {peak:.0f} MB   target 1000 MB: {verdict(peak, 1000, False)}")

    def threads(self):
        self.report("\nThe same on one and on two threads, in turn: wall s, CPU s, and the ratio of wall times")
        for hidden, inputs in (([20], 40), (PAPER, 2)):
            name = self.random(hidden, inputs)
            pairs = [[self.worker.ask("count", threads=t) for t in (1, 2)] for _ in range(self.turns)]
            same = len({found["regions"] for pair in pairs for found in pair}) == 1
            one, two = (min(pair[t]["wall"] for pair in pairs) for t in (0, 1))
            cpu = [min(pair[t]["cpu"] for pair in pairs) for t in (0, 1)]
            within = max(pair[0]["wall"] / pair[1]["wall"] for pair in pairs)
            self.report(
                f"{name:44}{one:6.2f} {two:6.2f}  {cpu[0]:6.2f} {cpu[1]:6.2f}  {one / two:5.2f} (best pair {within:.2f}), "
                f"counts {'equal' if same else 'DIFFER'}"
            )

    def clp(self):
        self.report("\nAgainst COIN-OR Clp: the same search, the same questions, one thread (linear programs per CPU s)")
        self.report(f"{'':44}{'regions':>9}{'LPs':>9}{'polyrx':>11}{'Clp':>9}{'ratio':>7}")
        for hidden, inputs in (([100], 2), ([16], 20), ([16], 40)):
            name = self.random(hidden, inputs)
            ours, theirs = [], []
            for _ in range(self.turns):
                ours.append(self.worker.ask("count", threads=1))
                theirs.append(self.worker.ask("count with Clp"))
            questions = theirs[0]["questions"]
            agree = "" if ours[0]["regions"] == theirs[0]["regions"] else f"  Clp counts {theirs[0]['regions']:,} regions"
            rates = [questions / min(found["cpu"] for found in side) for side in (ours, theirs)]
            self.report(
                f"{name:44}{ours[0]['regions']:9,}{questions:9,}{rates[0]:11,.0f}{rates[1]:9,.0f}"
                f"{rates[0] / rates[1]:7.1f}{agree}"
            )

    def sparse(self):
        self.report("\nSparse 1x10, d = 40, one weight for each hidden neuron, to the minimal tree: 20 networks, CPU ms")
        for binary, name in ((True, "half of the inputs binary"), (False, "all inputs real")):
            times, leaves = [], []
            for seed in range(1, 21):
                self.random([10], 40, seed=seed, sparse=True, binary=binary)
                made = self.least("tree", mode="exact", leaves=0, threads=1)
                times.append(1e3 * made["cpu"])
                leaves.append(made["leaves"])
            # The target was set for networks half of whose inputs are binary.
            said = f"   target 100 ms: {verdict(max(times), 100, False)} at the worst" if binary else ""
            self.report(
                f"{name:30} mean {statistics.mean(times):7.1f}, worst {max(times):7.1f}; leaves: mean "
                f"{statistics.mean(leaves):.0f}, most {max(leaves)}{said}"
            )

    def supported(self):
        self.report("\nSupported tree of the paper's network on the 10,000 rows it was fitted on, one thread")
        for data in ("1", "clinic"):
            name = self.fitted(PAPER, data=data)
            made = self.least("tree", mode="supported", leaves=0, threads=1)
            self.report(
                f"{name:44}{made['cpu']:6.2f} CPU s,{made['wall']:6.2f} s, {made['leaves']} leaves, rows answered "
                f"{made['certified']:.0%}   target 10 s: {verdict(made['cpu'], 10, False)}"
            )

    def checks(self):
        self.report("\nExact trees and the replay of their certificates, one thread, CPU s")
        self.report(f"{'':44}{'leaves':>8}{'make':>9}{'check':>9}{'check / make':>14}")
        cases = [
            lambda: self.random([10], 40, sparse=True) + ", sparse",
            lambda: self.random([10], 20),
            lambda: self.random([20, 20], 2),
            lambda: self.random([40] * 3, 2),
            lambda: self.random(PAPER, 2),
            lambda: self.fitted([10], 20),
            lambda: self.fitted(PAPER, 2),
        ]
        for case in cases:
            name = case()
            made = self.least("tree", mode="exact", leaves=0, threads=1)
            check = self.least("check", threads=1)
            proved = "" if check["proved"] and made["certified"] == 1 else f"  certified {made['certified']:.1%}"
            proved += "" if check["proved"] else ", NOT PROVED"
            self.report(
                f"{name:44}{made['leaves']:8,}{made['cpu']:9.3f}{check['cpu']:9.3f}{check['cpu'] / made['cpu']:14.2f}{proved}"
            )

    def prescribing(self):
        report = self.report
        report("\nPrescribing with trees of about 30 leaves and with their networks, in turn: million rows per CPU s,")
        report("from a table as a user calls it, and from encoded rows without the encoder")
        report(f"{'':48}{'leaves':>7}{'network':>9}{'tree':>7}{'ratio':>7}   {'network':>9}{'tree':>7}{'ratio':>7}")
        worst = None
        cases = [([5], 2), ([10], 2), ([4], 5), ([5], 5), ([4], 20), ([5], 20), ([4], 40), ([5], 40)]
        for hidden, inputs, sparse in [(*case, False) for case in cases] + [([10], 20, True), ([10], 40, True)]:
            name, leaves = self.tree_of_thirty_leaves(hidden, inputs, sparse)
            ratio = self.race(name, leaves)
            # Some networks have no tree near 30 leaves among those tried; the target is for those that do.
            if leaves <= 35 and (worst is None or ratio < worst[0]):
                worst = ratio, name
        report(f"target 1, for trees of up to 35 leaves: {verdict(worst[0], 1)} at the worst, {worst[1]}")
        report("Supported trees of 30 leaves: rows that they do not answer go through the network too")
        for make in (
            lambda: self.random([5], 5, rows=PRESCRIBED),
            lambda: self.random([10], 20, rows=PRESCRIBED),
            lambda: self.fitted([10], 20, rows=PRESCRIBED),
            lambda: self.fitted(PAPER, data="1", rows=PRESCRIBED),
            lambda: self.fitted(PAPER, data="clinic", rows=PRESCRIBED),
        ):
            name = make()
            self.race(name, self.worker.ask("tree", mode="supported", leaves=30, threads=1)["leaves"])

    def tree_of_thirty_leaves(self, hidden, inputs, sparse):
        """Of 20 random networks, the one whose exact tree is nearest to 30 leaves."""
        sizes = {}
        for seed in range(1, 21):
            self.random(hidden, inputs, seed=seed, sparse=sparse)
            sizes[seed] = self.worker.ask("tree", mode="exact", leaves=0, threads=1)["leaves"]
        seed = min(sizes, key=lambda seed: abs(sizes[seed] - 30))
        name = self.random(hidden, inputs, seed=seed, sparse=sparse, rows=PRESCRIBED)
        self.worker.ask("tree", mode="exact", leaves=0, threads=1)
        return name + (", sparse" if sparse else ""), sizes[seed]

    def race(self, name, leaves):
        least = self.worker.ask("prescribe", turns=20 * self.turns)
        rates = {way: least["rows"] / least[way] / 1e6 for way in ("network", "tree", "network, encoded", "tree, encoded")}
        ratio = rates["tree"] / rates["network"]
        notes = "" if least["answered"] > 0.9999 else f"  answers {least['answered']:.0%}"
        notes += "" if least["same"] else "  NOT THE SAME"
        self.report(
            f"{name:48}{leaves:7}{rates['network']:9.1f}{rates['tree']:7.1f}{ratio:7.2f}   {rates['network, encoded']:9.1f}"
            f"{rates['tree, encoded']:7.1f}{rates['tree, encoded'] / rates['network, encoded']:7.2f}{notes}"
        )
        return ratio


def main():
    parts = ["regions", "million", "threads", "clp", "sparse", "supported", "checks", "prescribing"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to time: {', '.join(parts)} (all)")
    parser.add_argument("--worker", type=pathlib.Path, default=WORKER, help="build/bench/polyrx_tree_worker")
    parser.add_argument("--turns", type=int, default=3, help="turns of each, of which the least counts (3)")
    parser.add_argument("--output", type=pathlib.Path, metavar="FILE", help="where to keep what is printed")
    options = parser.parse_args()
    if not options.worker.exists():
        sys.exit(f"there is no {options.worker}; ./dev build bench makes it")
    if unknown := [part for part in options.parts if part not in parts]:
        sys.exit(f"there is no part '{unknown[0]}'; there are {', '.join(parts)}")

    bench = Bench(options)
    with bench.worker:
        about = bench.worker.ask("about")
        bench.report(f"{machine()}, {about['compiler']}; {load()}; least of {options.turns} turns")
        for part in options.parts or parts:
            getattr(bench, part)()
    bench.report.save()


if __name__ == "__main__":
    main()
