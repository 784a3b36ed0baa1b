#!/usr/bin/env python3
"""Vorrang's measurements beside lat_ctx and cyclictest, in one run and in turns.

    python3 scripts/beside.py [--vorrang target/release/vorrang] [--rounds 5]

cyclictest is Debian's rt-tests (main). lat_ctx is Debian's lmbench, which is in the component non-free. Who is missing
is named and left out. Everything runs on the same CPU, the last one; a round has one run of each tool for each set, so
that what changes meanwhile is in the spread of all. The tables are those of docs/measure.md: medians of the rounds, with
the lowest and the highest of them.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SETS_KIB = [0, 4, 16, 64, 256, 1024]
CPU = max(os.sched_getaffinity(0))


def lat_ctx():
    """The path of lat_ctx, which Debian installs outside of PATH."""
    found = shutil.which("lat_ctx")
    known = sorted(Path("/usr/lib/lmbench/bin").glob("**/lat_ctx"))
    return found or (str(known[0]) if known else None)


def run(arguments, **environment):
    """Its output; None if it fails."""
    known = {**os.environ, **environment}
    done = subprocess.run(arguments, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=known)
    if done.returncode != 0:
        print(f"{arguments[0]} failed: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return None
    return done.stdout + done.stderr


def of_lat_ctx(program, kib):
    """Microseconds of a switch between two processes with such sets; None if it prints none."""
    # It repeats until this many microseconds are enough, and left to itself takes minutes to find out how many.
    said = run(["taskset", "-c", str(CPU), program, "-N", "3", "-s", str(kib), "2"], ENOUGH="100000")
    found = re.search(r"^2 (\S+)$", said or "", re.M)
    return float(found[1]) if found else None


def profile(vorrang, arguments):
    """The numbers that a verb puts into a profile; None if it fails."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "machine.toml"
        if run([vorrang, "measure", *arguments, "--out", str(path)]) is None:
            return None
        verb = arguments[0]
        return tomllib.loads(path.read_text())["measured"].get(verb)


def switches(vorrang):
    """Direct by pipe, and per set: median, and the median of direct and indirect together."""
    sets = ",".join(str(kib) for kib in SETS_KIB if kib)
    found = profile(
        vorrang,
        ["switch", "--for", "4s", "--cpu", str(CPU), "--handover", "pipe", "--access", "modify", "--set", sets],
    )
    if found is None:
        return {}
    name = lambda kib: f"{kib // 1024}m" if kib >= 1024 else f"{kib}k"
    us = lambda number: number["median-ns"] / 1e3
    rows = {0: (us(found["direct-pipe"]), None)}
    for kib in SETS_KIB[1:]:
        number = found.get(f"indirect-modify-{name(kib)}")
        rows[kib] = (us(found["direct-pipe"]), us(number) if number else None)
    return rows


def of_cyclictest(loops):
    """Least, mean and most in microseconds."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "cyclictest.json"
        letters = ["-m", "-p80", "-i1000", f"-l{loops}", "-t1", f"-a{CPU}", "-q", f"--json={path}"]
        if run(["cyclictest", *letters]) is None or not path.exists():
            return None
        thread = json.loads(path.read_text())["thread"]["0"]
        return tuple(float(thread[key]) for key in ("min", "avg", "max"))


def of_latency(vorrang, loops):
    """`vorrang measure latency` with the same options: least, median and most in microseconds."""
    found = profile(vorrang, ["latency", "-m", "-p80", "-i1000", f"-l{loops}", f"-a{CPU}", "-q"])
    if not found:
        return None
    number = next(iter(found.values()))
    return tuple(number[key] / 1e3 for key in ("min-ns", "median-ns", "max-ns"))


def spread(values):
    known = [value for value in values if value is not None]
    if not known:
        return "-"
    return f"{statistics.median(known):.2f} ({min(known):.2f} to {max(known):.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vorrang", default=str(ROOT / "target/release/vorrang"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--loops", type=int, default=2000)
    options = parser.parse_args()
    lmbench, cyclictest = lat_ctx(), shutil.which("cyclictest")
    for name, package, found in [("lat_ctx", "lmbench", lmbench), ("cyclictest", "rt-tests", cyclictest)]:
        if not found:
            print(f"{name} is not here: apt-get install {package}", file=sys.stderr)
    measures_latency = "latency" in (run([options.vorrang, "measure", "--help"]) or "")
    theirs = {kib: [] for kib in SETS_KIB}
    ours = {kib: [] for kib in SETS_KIB}
    wake_ups = {"cyclictest": [], "vorrang measure latency": []}
    for _ in range(options.rounds):
        for kib in SETS_KIB if lmbench else []:
            theirs[kib].append(of_lat_ctx(lmbench, kib))
        for kib, row in switches(options.vorrang).items():
            ours[kib].append(row)
        if cyclictest:
            wake_ups["cyclictest"].append(of_cyclictest(options.loops))
        if measures_latency:
            wake_ups["vorrang measure latency"].append(of_latency(options.vorrang, options.loops))
    print("| set of each | `lat_ctx` [µs] | no number, of runs | direct [µs] | indirect [µs] |")
    print("|---|---|---|---|---|")
    for kib in SETS_KIB:
        missing = f"{theirs[kib].count(None)} of {len(theirs[kib])}"
        direct, indirect = (spread([row[part] for row in ours[kib]]) for part in (0, 1))
        print(f"| {kib} KiB | {spread(theirs[kib])} | {missing} | {direct} | {indirect} |")
    print("\n| wake-ups | least [µs] | mean or median [µs] | most [µs] |")
    print("|---|---|---|---|")
    for name, rows in wake_ups.items():
        known = [row for row in rows if row]
        cells = [spread([row[part] for row in known]) for part in range(3)]
        print(f"| `{name}` | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
