#!/usr/bin/env python3
"""What sweeps cost beside the analysis, in memory, and on Dask and Ray, in one run.

    scripts/sweeps.py [--systems 1000000] [--shards 200] [--engines dask ray]

Needs the package `vorrang` with the extras `plot`, `dask` and `ray`, and numpy. Fixed priority, ten tasks, twenty
points, as in studies/fixed-priority.toml, one question.

Prints `ratio NAME VALUE (…)`. Rates are per second of processor time. The analysis alone is `vorrang.batch` without
bounds, on sets drawn alike that are in memory. An engine's own time is that of shards with next to nothing in them, by the clock.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import pyarrow
import vorrang

TASKS, POINTS = 10, 20
STUDY = """version = 1
samples = {samples}
shard = {shard}
[tasks]
count = 10
utilisation = {{ from = "50%", to = "97.5%", step = "2.5%" }}
periods = "log-uniform"
shortest = "1ms"
longest = "1s"
[ask.exact]
question = "accepted"
"""


def study(systems: int, shard: int) -> str:
    """As many systems in all."""
    return STUDY.format(samples=max(1, systems // POINTS), shard=shard)


def drawn(sets: int, seed: int) -> pyarrow.Table:
    """Sets of the same twenty points, in rate-monotonic order."""
    random = numpy.random.default_rng(seed)
    left = random.integers(0, POINTS, sets) * 0.025 + 0.5
    shares = numpy.empty((sets, TASKS))
    for task in range(TASKS - 1):
        after = left * random.random(sets) ** (1 / (TASKS - 1 - task))
        shares[:, task] = left - after
        left = after
    shares[:, -1] = left
    microseconds = numpy.exp(random.uniform(numpy.log(1e3), numpy.log(1e6), (sets, TASKS)))
    periods = numpy.sort(microseconds.astype(numpy.int64) * 1000, axis=1)
    wcets = numpy.maximum(1, (periods * shares).astype(numpy.int64))
    return pyarrow.table(
        {
            "set": numpy.repeat(numpy.arange(sets), TASKS),
            "wcet_ns": wcets.ravel(),
            "period_ns": periods.ravel(),
            "priority": numpy.tile(numpy.arange(TASKS, 0, -1), sets),
        }
    )


def rate(work: object, systems: int) -> float:
    """Per second of processor time."""
    begun = time.process_time()
    work()
    return systems / (time.process_time() - begun)


def against_the_analysis(systems: int) -> None:
    """The whole sweep, files included, beside the analysis alone."""
    sets = min(systems, 500_000)
    table = drawn(sets, 1)
    alone = max(rate(lambda: vorrang.batch(table, bounds=False), sets) for _ in range(3))
    with tempfile.TemporaryDirectory() as folder:
        made = vorrang.Study(study(systems, 100_000))
        clock = time.perf_counter()
        whole = rate(lambda: made.run(folder), systems)
        clock = time.perf_counter() - clock
        size = sum(file.stat().st_size for file in Path(folder).glob("*.parquet"))
    print(f"{systems} systems in {clock:.1f} s by the clock, {size / systems:.2f} bytes each")
    print(f"ratio sweep {alone / whole:.2f} (analysis {alone:.0f} systems/s, sweep {whole:.0f})")


# Not `ru_maxrss`: that begins with what the process was forked from.
MEMORY = """
import sys, vorrang
vorrang.Study(sys.stdin.read()).run(sys.argv[1])
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
"""


def memory(systems: int) -> None:
    """The largest resident set of a process that sweeps."""
    for count in (systems // 20, systems):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-c", MEMORY, folder]
            text = study(count, 100_000)
            done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
        print(f"memory of {count} systems: {done.stdout.strip()} KiB")


def engines(names: list[str], shards: int) -> None:
    """What a shard takes besides its systems: shards of one system, on two workers."""
    made = vorrang.Study(STUDY.format(samples=shards, shard=POINTS))

    def each(name: str, work: object) -> None:
        best = []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as folder:
                begun = time.perf_counter()
                work(folder)
                best.append((time.perf_counter() - begun) / made.shards)
        part = 2 * min(best)
        print(f"{name}: {min(best) * 1e3:.2f} ms a shard; of two workers with shards of 1 s {part:.1%}")

    each("threads", lambda folder: made.run(folder, threads=2))
    if "dask" in names:
        import distributed

        options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
        with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
            client.wait_for_workers(2)
            each("Dask", lambda folder: made.run_dask(folder, client))
    if "ray" in names:
        import ray

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        each("Ray", lambda folder: made.run_ray(folder))
        ray.shutdown()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systems", type=int, default=1_000_000)
    parser.add_argument("--shards", type=int, default=200)
    parser.add_argument("--engines", nargs="*", default=["dask", "ray"])
    given = parser.parse_args()
    print(vorrang.TOOL, f"{given.systems} systems", file=sys.stderr)
    against_the_analysis(given.systems)
    memory(given.systems)
    engines(given.engines, given.shards)


if __name__ == "__main__":
    main()
