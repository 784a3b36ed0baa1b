"""Models of random sequences of releases beside those of rt-model-inference (PyPI, Python 3.12 or later).

    python second_opinion.py [NUMBER [SEED]] [--traces FOLDER]

The least distances must be the same; there an entry counts a closed window, so it is one more. Periodic models must be
conservative by its `validate`, and no worse: either the period is rounder, or the jitter is not larger. With --traces,
published traces (`release,window_lo,window_hi` in a file each) whose names say the true period are read as well.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys

import rt_model_inference as other
from rt_model_inference import validate
from rt_model_inference.certain_periodic import PeriodicModel, trailing_zeroes

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = ["cargo", "run", "-q", "-p", "vorrang-learn", "--example", "models"]


def models(sequences):
    def word(release):
        return f"{release[0]}:{release[1]}" if isinstance(release, tuple) else str(release)

    text = "".join(" ".join(map(word, one)) + "\n" for one in sequences)
    done = subprocess.run(PROGRAM, cwd=ROOT, input=text, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def drawn(generator):
    """Periodic with jitter, sporadic, in bursts, or with periods left out."""
    period = generator.choice([1, 2, 5, 10, 20, 50, 100, 200, 1000, generator.randint(1, 1000)]) * 1_000_000
    kind = generator.choice(["periodic", "sporadic", "bursts", "gaps"])
    at, releases = generator.randint(0, 10**15), []
    for place in range(generator.randint(2, 120)):
        if kind == "periodic":
            releases.append(at + place * period + generator.randint(0, period * 3 // 10))
            continue
        releases.append(at)
        at += period
        if kind == "sporadic":
            at += generator.randint(0, period)
        elif kind == "bursts" and place % 7:
            at -= period - generator.randint(1, 1000)
        elif kind == "gaps" and generator.random() < 0.1:
            at += period * generator.randint(1, 5)
    return releases


def no_worse(own, reference):
    own_zeroes, zeroes = trailing_zeroes(own.period), trailing_zeroes(reference.period)
    return own.jitter <= reference.jitter or own_zeroes > zeroes


def compare(sequences):
    wrong, better = 0, 0
    for releases, model in zip(sequences, models(sequences), strict=True):
        distances = [entry - 1 for entry in other.infer_delta_min(releases, 32)[2:]]
        period, offset, jitter = model["periodic"]
        own = PeriodicModel(period=period, offset=offset, jitter=jitter)
        reference = other.infer_periodic_model(releases)
        found = {
            "sporadic": model["sporadic"] == other.infer_sporadic_model(releases),
            "distances": model["distances"] == distances,
            "conservative": validate.model_is_conservative(own, releases),
            "no worse": no_worse(own, reference),
        }
        better += own.jitter < reference.jitter
        if not all(found.values()):
            wrong += 1
            print(found, own, reference, releases, file=sys.stderr)
    print(f"{len(sequences)} sequences: {wrong} differ, {better} periodic models have less jitter here")
    return wrong


def traces(folder):
    files = sorted(pathlib.Path(folder).glob("*.csv"))
    rows = [[tuple(map(int, line.split(","))) for line in file.read_text().splitlines()] for file in files]
    exact = [[row[0] for row in one] for one in rows]
    windows = [[(row[1], row[2]) for row in one] for one in rows]
    wrong = compare(exact)
    right = {"releases": 0, "windows": 0, "theirs from windows": 0}
    stated = 0
    for file, one, by_exact, by_windows in zip(files, windows, models(exact), models(windows), strict=True):
        period = re.search(r"period=(\d+)", file.name)
        if not period:
            continue
        period, stated = int(period[1]), stated + 1
        right["releases"] += by_exact["periodic"][0] == period
        right["windows"] += by_windows["periodic"][0] == period
        right["theirs from windows"] += other.infer_certain_fit_periodic_model(one).period == period
        if by_windows["periodic"][0] != period:
            print(f"{file.name}: {by_windows['periodic']} from windows", file=sys.stderr)
    print(f"{len(files)} traces, {stated} with a stated period: {right} are right")
    return wrong


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("number", type=int, nargs="?", default=10_000)
    arguments.add_argument("seed", type=int, nargs="?", default=1)
    arguments.add_argument("--traces")
    given = arguments.parse_args()
    generator = random.Random(given.seed)
    wrong = compare([drawn(generator) for _ in range(given.number)])
    if given.traces:
        wrong += traces(given.traces)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
