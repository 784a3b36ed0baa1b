#!/usr/bin/env python3
"""Ten measurements one after the other: does each agree with what the others print as spread?

    python3 scripts/repeat.py [--vorrang target/release/vorrang] [--times 10]

Prints for each headline number the median of the medians, their lowest and highest, and the spread that the
measurements print (the middle of `low` and of `high`). Two measurements agree if the spreads that they print have
something in common, which is what `vorrang measure --compare` goes by: both medians are noisy. The stricter question,
whether a median lies within the spread that another one prints, has a column of its own. Ends with 1 if fewer than
nine in ten of all pairs agree.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import tomllib
from itertools import combinations, permutations
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Short, but with a few rounds of everything.
VERBS = [
    ["cache", "--access", "write", "--largest", "256", "--for", "4s"],
    ["switch", "--set", "16,64,256", "--for", "4s"],
    ["timers", "--for", "10s"],
    ["exits", "--for", "4s"],
]
HEADLINES = {
    "cache": ["write-16k-dirty", "write-64k-dirty", "write-256k-dirty", "write-64k-clean", "write-64k-flushed"],
    "switch": ["direct-futex", "indirect-read-chase-64k", "indirect-read-chase-64k-after-2m"],
    "timers": None,
    "exits": ["program", "memory", "kernel", "inject", "end"],
}


def measure(vorrang, arguments):
    """The numbers of one measurement; none if the machine cannot."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "machine.toml"
        command = [vorrang, "measure", *arguments, "--out", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            print(done.stderr.strip(), file=sys.stderr)
            return {}
        return tomllib.loads(path.read_text())["measured"][arguments[0]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vorrang", default=str(ROOT / "target/release/vorrang"))
    parser.add_argument("--times", type=int, default=10)
    options = parser.parse_args()
    found = {}
    for _ in range(options.times):
        for arguments in VERBS:
            numbers = measure(options.vorrang, arguments)
            wanted = HEADLINES[arguments[0]] or list(numbers)
            for name in wanted:
                if name in numbers:
                    found.setdefault((arguments[0], name), []).append(numbers[name])
    print("| number | median [µs] | medians from to [µs] | printed spread [µs] | agree | median in the other's |")
    print("|---|---|---|---|---|---|")
    all_agree = all_pairs = all_within = 0
    for (verb, name), numbers in found.items():
        us = lambda key: [number[key] / 1e3 for number in numbers]
        medians, lows, highs = us("median-ns"), us("low-ns"), us("high-ns")
        pairs = list(combinations(range(len(numbers)), 2))
        agree = sum(lows[one] <= highs[other] and lows[other] <= highs[one] for one, other in pairs)
        both_ways = permutations(range(len(numbers)), 2)
        within = sum(lows[other] <= medians[own] <= highs[other] for own, other in both_ways)
        all_agree, all_pairs, all_within = all_agree + agree, all_pairs + len(pairs), all_within + within
        middle = statistics.median
        print(
            f"| {verb} {name} | {middle(medians):.2f} | {min(medians):.2f} to {max(medians):.2f} "
            f"| {middle(lows):.2f} to {middle(highs):.2f} | {agree} of {len(pairs)} "
            f"| {within} of {2 * len(pairs)} |"
        )
    print(f"\n{all_agree} of {all_pairs} pairs agree; {all_within} of {2 * all_pairs} medians lie in the other's spread.")
    sys.exit(0 if all_agree * 10 >= all_pairs * 9 else 1)


if __name__ == "__main__":
    main()
