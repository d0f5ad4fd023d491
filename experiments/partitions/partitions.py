#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many regions networks of all sizes make of the warfarin cohort, and what they are good for (appendix on partitions).

    partitions.py --iwpc IWPC.csv [--program build/release/polyrx] [--jobs 2]     # adds to results/partitions.csv
    partitions.py --table
    partitions.py --quick --results FOLDER                                        # without the cohort, on a simulated clinic
"""

import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "warfarin")]
from figures import figure  # noqa: E402
from laboratory import Program, Results, beside_readme, do_all, mean_and_deviation, parser_of  # noqa: E402
from splits import Split  # noqa: E402

SEEDS = "5001-5003"
LAYERS = [1, 2, 5]
NEURONS = [5, 10, 20, 50, 100]
NETWORKS = {
    "dense": [],
    "sparse, pruned as in the paper": ["--weights-per-neuron", "1", "--sparsify", "paper"],
    "sparse, pruned gradually": ["--weights-per-neuron", "1", "--sparsify", "gradual"],
}
MOST = 10_000  # feasible patterns are counted up to here: there may be more of them than anybody could wait for
FIELDS = ["network", "layers", "neurons", "seed", "accuracy", "rows", "visited", "feasible"]


class Clinic(Split):
    """The simulated clinic in the place of the cohort, so that --quick needs no file."""

    def __enter__(self):
        Program.__enter__(self)
        for name, seed in (("train.csv", self.seed), ("test.csv", self.seed + 100_000)):
            self.run("simulate", "clinic", "-n", "600", "--seed", seed, "--truth", "--schema", "doses.json", "-q", "-o", name)
        return self


def feasible_patterns(split, most):
    """As text, ">10000" where there are more."""
    try:
        return split.json("regions", "model.json", "--count", "--max-regions", most, "--threads", "1")["patterns"]
    except RuntimeError as error:
        if "more than" not in str(error):
            raise
        return f">{most}"


def measured(cohort, network, layers, neurons, seed, most, results):
    with cohort(seed) as split:
        split.fit("--recipe", "paper", "--hidden", f"{layers}x{neurons}", *NETWORKS[network], "--threads", "1")
        visited = split.json("regions", "model.json", "--data", "train.csv", "--count", "--threads", "1")["patterns"]
        results.add(network=network, layers=layers, neurons=neurons, seed=seed, accuracy=f"{split.accuracy('model.json'):.4f}",
                    rows=len(split.rows("train.csv")), visited=visited, feasible=feasible_patterns(split, most))


def between(counts):
    """"384 to 6,144", "more than 10,000"; the least and the most of the splits."""
    def words(count):
        return f"more than {int(count[1:]):,}" if count[0] == ">" else f"{int(count):,}"

    ordered = sorted(counts, key=lambda count: (count[0] == ">", int(count.lstrip(">"))))
    return " to ".join(dict.fromkeys(words(count) for count in (ordered[0], ordered[-1])))


def print_tables(results):
    for network in NETWORKS:
        if not results.where(network=network):
            continue
        print(f"\n{network.capitalize()}; of accuracy mean and deviation over the splits, of regions the least and the most of them:\n")
        print("| layers | neurons of each | accuracy % | regions visited by the training rows | regions in the whole domain |")
        print("|---|---|---|---|---|")
        for layers in LAYERS:
            for neurons in NEURONS:
                cell = {"network": network, "layers": layers, "neurons": neurons}
                if rows := results.where(**cell):
                    accuracy = mean_and_deviation([100 * value for value in results.numbers("accuracy", **cell)])
                    print(f"| {layers} | {neurons} | {accuracy} | {between([row['visited'] for row in rows])} | "
                          f"{between([row['feasible'] for row in rows])} |")


def draw(path, results):
    rows = float(results.rows[0]["rows"])

    def panels(axes):
        for axis in axes[1:]:
            axis.sharey(axes[0])
        for axis, network in zip(axes, NETWORKS, strict=True):
            for layers in LAYERS:
                points = []
                for neurons in NEURONS:
                    cell = {"network": network, "layers": layers, "neurons": neurons}
                    if results.where(**cell):
                        points.append([statistics.mean(results.numbers("visited", **cell)),
                                       100 * statistics.mean(results.numbers("accuracy", **cell))])
                axis.plot([x for x, _ in points], [y for _, y in points], label=f"{layers} hidden layer{'s' if layers > 1 else ''}")
            axis.axvline(rows, color="#999999", linestyle=":", marker="")
            axis.set(title=network, xscale="log", xlabel="regions visited by the training rows", xlim=(1, 1.6 * rows))
        axes[0].set_ylabel("right doses, %")
        axes[2].legend(loc="lower right")

    return figure(path, len(NETWORKS), panels)


def main():
    parser = parser_of(__file__, __doc__, SEEDS)
    parser.add_argument("--iwpc", type=pathlib.Path, help="the consortium's file (docs/warfarin.md)")
    arguments = parser.parse_args()
    results = Results(arguments.results / "partitions.csv", FIELDS, ["network", "layers", "neurons", "seed"])
    quick = arguments.quick
    if not arguments.table:
        if not arguments.iwpc and not quick:
            print("Skipped: this is about the warfarin cohort, whose file is not part of the repository (--iwpc, docs/warfarin.md).")
            return

        def cohort(seed):
            return Split(arguments.program, arguments.iwpc.resolve(), seed) if arguments.iwpc else Clinic(arguments.program, None, seed)

        cells = [{"network": network, "layers": layers, "neurons": neurons, "seed": seed}
                 for seed in (arguments.seeds[:1] if quick else arguments.seeds) for network in NETWORKS
                 for layers in (LAYERS[:2] if quick else LAYERS) for neurons in (NEURONS[:2] if quick else NEURONS)]
        do_all([lambda cell=cell: measured(cohort, **cell, most=100 if quick else MOST, results=results)
                for cell in cells if not results.has(**cell)], arguments.jobs)
    print_tables(results)
    if results.rows and not arguments.table:
        draw(beside_readme(arguments, __file__) / "partitions.svg", results)


if __name__ == "__main__":
    main()
