#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The paper's small warfarin tree (Section 5.3): five neurons with one weight each, as an exact tree, with and without its rule.

    warfarin_tree.py --iwpc IWPC.csv [--program build/release/polyrx] [--seeds 8001-8010] [--jobs 2]    # results/warfarin_tree.csv
    warfarin_tree.py --table                                                                            # only the table
    warfarin_tree.py --quick --results FOLDER --iwpc IWPC.csv                                           # one split, few epochs

Seven patients of ten are learned from, and the others are prescribed for; doses and splits are of the seed. Trees of split 8001
are drawn beside the README.
"""

import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "warfarin")]
from laboratory import Results, beside_readme, difference, do_all, mean_and_deviation, parser_of  # noqa: E402
from splits import SHARED, Split  # noqa: E402

SEEDS = "8001-8010"  # 5001 to 5010 were looked at before trees lost needless splits
DRAWN = 8001  # the split whose trees are drawn, whatever they look like
QUICK_SEEDS = [1]  # not one that is reported
SHAPE = ["--hidden", "5", "--weights-per-neuron", "1"]
LETTER = ["--recipe", "paper", *SHAPE, "--sparsify", "paper"]
RULE = "if BMI > 30 then Medium, High"
CLAIM = "if BMI > 30 then not Low"
DISTILLED = ["--neurons", "5", "--weights-per-neuron", "1", "--leaves", "5"]
# Each: how the model of a split is made, as commands whose last one writes it; and the paper's accuracy.
FIT, RULES = ["fit"], ["--rules", "rules.txt"]
TREES = {
    "direct": ([[*FIT, *SHAPE, "-o", "direct.json"]], "64.48"),
    "direct, with the rule": ([[*FIT, *SHAPE, *RULES, "-o", "direct_rule.json"]], "64.33"),
    "pruned to the letter": ([[*FIT, *LETTER, "-o", "letter.json"]], "64.48"),
    "pruned to the letter, with the rule": ([[*FIT, *LETTER, *RULES, "-o", "letter_rule.json"]], "64.33"),
    "distilled": ([[*FIT, "--recipe", "auto", "-o", "large.json"],
                   ["distill", "large.json", "train.csv", *DISTILLED, "-o", "distilled.json"]], "64.48"),
    "distilled, rule added": ([["constrain", "distilled.json", "rules.txt", "-o", "distilled_rule.json"]], "64.33"),
}
LARGE = "the large model"  # that is distilled
FIELDS = ["seed", "tree", "accuracy", "leaves", "reached", "terms", "proved", "claim"]


def name_of(tree):
    return pathlib.Path(TREES[tree][0][-1][-1]).stem


def answer(split, *command):
    """What verify says as JSON; not proved (exit 4) and undecided (1) are answers too."""
    done = subprocess.run([split.path, "verify", *command, "--threads", "1", "--json", "-q"], cwd=split.folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1, 4) or not done.stdout:
        raise RuntimeError(f"polyrx verify {' '.join(command)}: exit {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def size(path):
    """Leaves, those that training rows end in, and coefficients in all splits."""
    nodes = json.loads(path.read_text(encoding="utf-8"))["nodes"]
    leaves = [node for node in nodes if "treatment" in node]
    return len(leaves), sum(node["rows"] > 0 for node in leaves), sum(len(node["split"]) for node in nodes if "split" in node)


def make(split, command, quick):
    if command[0] == "fit":
        recipe = command[command.index("--recipe") + 1] if "--recipe" in command else ""
        few = {"": ["--epochs", "5"], "paper": ["--epochs", "5"], "auto": ["--candidates", "2", "--folds", "2", "--averaged", "2", "--epochs", "2"]}[recipe]
        split.fit(*command[1:], *(few if quick else []), "--threads", "1")
    else:
        few = ["--restarts", "1", "--folds", "2"] if quick and command[0] == "distill" else []
        threads = ["--threads", "1"] if command[0] == "distill" else []
        split.run(*command, *few, *threads, "-q")


def measured(arguments, seed, drawn, results):
    with Split(arguments.program, arguments.iwpc.resolve(), seed) as split:
        (split.folder / "rules.txt").write_text(RULE + "\n", encoding="utf-8")
        (split.folder / "claims.txt").write_text(CLAIM + "\n", encoding="utf-8")
        for tree, (commands, _) in TREES.items():
            for command in commands:
                make(split, command, arguments.quick)
            name = name_of(tree)
            split.run("tree", f"{name}.json", "--data", "train.csv", "--mode", "exact", "--threads", "1", "-q", "-o", f"{name}_tree.json")
            if drawn:
                drawn.mkdir(parents=True, exist_ok=True)
                split.run("tree", f"{name}_tree.json", "--terms-per-split", "0", "-q", "-o", drawn / f"{name}.svg")
            leaves, reached, terms = size(split.folder / f"{name}_tree.json")
            proved = answer(split, f"{name}.json", f"{name}_tree.json")["proved"]
            claim = answer(split, f"{name}.json", "--claims", "claims.txt")["claims"][0]["answer"]
            accuracy = split.accuracy(f"{name}_tree.json")
            results.add(seed=seed, tree=tree, accuracy=f"{accuracy:.4f}", leaves=leaves, reached=reached, terms=terms,
                        proved="yes" if proved else "no", claim=claim)
        accuracy = split.accuracy("large.json")
        results.add(seed=seed, tree=LARGE, accuracy=f"{accuracy:.4f}", leaves="", reached="", terms="", proved="", claim="")


def print_table(results):
    if not results.rows:
        print("Not run yet.")
        return
    seeds = len({row["seed"] for row in results.rows})
    print(f"Means and deviations over the splits, {seeds} of them; of proofs, in how many.\n")
    print("| tree | accuracy % | paper | less the direct tree, paired | leaves | with training patients | terms | proved | "
          "never Low above BMI 30 |")
    print("|---|---|---|---|---|---|---|---|---|")
    direct = {row["seed"]: float(row["accuracy"]) for row in results.where(tree="direct")}
    for tree in [*TREES, LARGE]:
        rows = results.where(tree=tree)
        if not rows:
            continue
        accuracy = mean_and_deviation([100 * float(row["accuracy"]) for row in rows])
        paired = "" if tree == "direct" else difference([100 * (float(row["accuracy"]) - direct[row["seed"]]) for row in rows], 2, SHARED)
        if tree == LARGE:
            print(f"| {tree} | {accuracy} | | {paired} | | | | | |")
            continue
        sizes = [mean_and_deviation(results.numbers(field, tree=tree), 1) for field in ("leaves", "reached", "terms")]
        claims = [row["claim"] for row in rows]
        said = ", ".join(f"{word} {claims.count(word)}" for word in dict.fromkeys(sorted(claims)))
        print(f"| {tree} | {accuracy} | {TREES[tree][1]} | {paired} | {' | '.join(sizes)} | "
              f"{sum(row['proved'] == 'yes' for row in rows)} of {len(rows)} | {said} |")


def main():
    parser = parser_of(__file__, __doc__, SEEDS)
    parser.add_argument("--iwpc", type=pathlib.Path, help="the consortium's file (docs/warfarin.md)")
    arguments = parser.parse_args()
    results = Results(arguments.results / "warfarin_tree.csv", FIELDS, ["seed", "tree"])
    if not arguments.table:
        if not arguments.iwpc:
            print("No tree is learned: --iwpc, the consortium's file, is not given.")
            return
        seeds = QUICK_SEEDS if arguments.quick else list(arguments.seeds)
        missing = [seed for seed in seeds if not results.has(seed=seed, tree=LARGE)]  # written last
        results.rows = [row for row in results.rows if int(row["seed"]) not in missing]  # half a split is none
        place = beside_readme(arguments, __file__).resolve()
        do_all([lambda s=seed: measured(arguments, s, place if s == DRAWN or arguments.quick else None, results) for seed in missing], arguments.jobs)
    print_table(results)


if __name__ == "__main__":
    main()
