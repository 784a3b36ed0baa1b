#!/usr/bin/env python3
"""Batches beside the Rust benchmark, SchedCAT and pyCPA on the same kind of sets, in one run.

    scripts/batches.py [--sets 1000000] [--bench target/release/vorrang-bench]
                       [--schedcat FOLDER] [--pycpa FOLDER]

Needs the package `vorrang`, numpy and pyarrow. The sets are those of `vorrang-bench`: ten tasks, utilisation
uniform in [0.5, 0.95] cut up by UUniFast, periods log-uniform from 1 ms to 1 s in whole microseconds. FOLDER
is a clone of the peer (github.com/brandenburg/schedcat, github.com/IDA-TUBS/pycpa); what they find has to be
the same. SchedCAT's C++ has no response times of one core under fixed priority: it is compared under EDF, with
deadlines uniform from half of the period, built of its sources by g++ (libgmp-dev).

Prints `ratio NAME VALUE (ours …, peer …)`. Rates are per second of processor time, of all threads together, so that
what else a shared machine does counts little; the rate by the clock, on all processors, is printed, too.
"""

from __future__ import annotations

import argparse
import importlib.util
import logging
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy
import pyarrow
import vorrang

TASKS = 10
# Of both sides; the best of them counts.
REPETITIONS = 7


def drawn(sets: int, seed: int) -> pyarrow.Table:
    """Rows in rate-monotonic order, times in nanoseconds."""
    random = numpy.random.default_rng(seed)
    left = random.uniform(0.5, 0.95, sets)
    shares = numpy.empty((sets, TASKS))
    for task in range(TASKS - 1):
        after = left * random.random(sets) ** (1 / (TASKS - 1 - task))
        shares[:, task] = left - after
        left = after
    shares[:, -1] = left
    microseconds = numpy.exp(random.uniform(numpy.log(1e3), numpy.log(1e6), (sets, TASKS)))
    periods = numpy.sort(microseconds.astype(numpy.int64) * 1000, axis=1)
    wcets = numpy.maximum(1, (periods * shares).astype(numpy.int64))
    columns = {
        "set": numpy.repeat(numpy.arange(sets), TASKS),
        "wcet_ns": wcets.ravel(),
        "period_ns": periods.ravel(),
        "priority": numpy.tile(numpy.arange(TASKS, 0, -1), sets),
    }
    return pyarrow.table(columns)


def batch(table: pyarrow.Table, sets: int, **options: object) -> tuple[float, float, list]:
    """Sets per second of processor time and by the clock, best of seven, and the bounds.

    From the third on, the bounds are in memory that was those of the first.
    """
    best = []
    for _ in range(REPETITIONS):
        clock, processor = time.perf_counter(), time.process_time()
        found = vorrang.batch(table, **options)
        best.append((time.process_time() - processor, time.perf_counter() - clock))
    bounds = pyarrow.table(found.tasks)["bound_ns"]
    processor, clock = (min(column) for column in zip(*best))
    return sets / processor, sets / clock, bounds


def bench(program: str) -> float:
    """What the Rust benchmark says of one thread."""
    command = [program, "--inputs", "20000", "--repetitions", str(REPETITIONS)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(re.search(r"fixed-priority-sets \S+ \(ours (\d+)", done.stdout)[1])


def rows(table: pyarrow.Table, sets: int) -> list[list[tuple[int, int]]]:
    """(wcet, period) of the first sets, most urgent first."""
    wcets, periods = (
        table[name].slice(0, sets * TASKS).to_pylist() for name in ("wcet_ns", "period_ns")
    )
    pairs = list(zip(wcets, periods))
    return [pairs[first : first + TASKS] for first in range(0, len(pairs), TASKS)]


def best_of_three(sets: list, found: Callable[[], list]) -> tuple[float, list]:
    """Sets per second of processor time, and what was found."""
    taken = []
    for _ in range(3):
        begun = time.process_time()
        responses = found()
        taken.append(time.process_time() - begun)
    return len(sets) / min(taken), responses


def schedcat(folder: Path, sets: list[list[tuple[int, int]]]) -> tuple[float, list[int | None]]:
    """SchedCAT's response-time analysis in Python."""
    file = folder / "schedcat" / "sched" / "fp" / "rta.py"
    spec = importlib.util.spec_from_file_location("rta", file)
    rta = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rta)

    def responses() -> list[int | None]:
        found: list[int | None] = []
        for pairs in sets:
            tasks = [SimpleNamespace(cost=c, period=t, deadline=t) for c, t in pairs]
            for place, task in enumerate(tasks):
                met = rta.rta_jitter_aware(task, tasks[:place])
                found.append(task.response_time if met else None)
        return found

    return best_of_three(sets, responses)


QPA = """
#include <cstdio>
#include <ctime>
#include <vector>
#include "tasks.h"
#include "schedulability.h"
#include "edf/qpa.h"
int main() {
    unsigned tasks;
    unsigned long wcet, period, deadline;
    std::vector<TaskSet> sets;
    while (scanf("%u", &tasks) == 1) {
        sets.emplace_back();
        while (tasks-- && scanf("%lu %lu %lu", &wcet, &period, &deadline) == 3)
            sets.back().add_task(wcet, period, deadline);
    }
    std::vector<char> met;
    QPATest test(1);
    clock_t begun = clock();
    for (auto &set : sets) met.push_back(test.is_schedulable(set) ? '1' : '0');
    printf("%.1f ", sets.size() * double(CLOCKS_PER_SEC) / (clock() - begun));
    printf("%.*s", int(met.size()), met.data());
}
"""


def schedcat_native(folder: Path, table: pyarrow.Table, sets: int) -> None:
    """SchedCAT's processor-demand analysis (QPA) in C++ beside a batch under EDF, verdicts only, one thread."""
    table = table.slice(0, sets * TASKS)
    wcets, periods = (table[name].to_numpy() for name in ("wcet_ns", "period_ns"))
    parts = numpy.random.default_rng(2).uniform(0.5, 1.0, len(periods))
    deadlines = numpy.maximum(wcets, (periods * parts).astype(numpy.int64))
    table = table.append_column("deadline_ns", pyarrow.array(deadlines))
    cells = zip(wcets.tolist(), periods.tolist(), deadlines.tolist())
    lines = [f"{c} {t} {d}" for c, t, d in cells]
    text = "".join(
        f"{TASKS} {' '.join(lines[first : first + TASKS])}\n" for first in range(0, len(lines), TASKS)
    )
    native = folder / "native"
    with tempfile.TemporaryDirectory() as place:
        source, program = Path(place) / "qpa.cpp", Path(place) / "qpa"
        source.write_text(QPA)
        sources = [source, native / "src" / "tasks.cpp", native / "src" / "edf" / "qpa.cpp"]
        options = ["-std=c++11", "-O2", "-w", "-I", native / "include", "-o", program]
        subprocess.run(["g++", *options, *sources, "-lgmp", "-lgmpxx"], check=True)
        done = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    rate, met = done.stdout.split()
    best = []
    for _ in range(3):
        begun = time.process_time()
        found = vorrang.batch(table, scheduler="edf", bounds=False, threads=1)
        best.append(time.process_time() - begun)
    proven = pyarrow.table(found.sets)["proven"].to_pylist()
    if [one == "1" for one in met] != proven:
        sys.exit("schedcat_native: not the same verdicts")
    ours = sets / min(best)
    ratio = f"{ours / float(rate):.1f} (ours {ours:.0f} sets/s, peer {rate} sets/s)"
    print(f"ratio schedcat-native-edf {ratio}, {sum(proven)} of {sets} proven")


def pycpa(folder: Path, sets: list[list[tuple[int, int]]]) -> tuple[float, list[int | None]]:
    """PyCPA's analysis of one resource."""
    sys.path.insert(0, str(folder))
    from pycpa import analysis, model, schedulers

    logging.disable(logging.CRITICAL)

    def responses() -> list[int | None]:
        found: list[int | None] = []
        for pairs in sets:
            system = model.System()
            core = system.bind_resource(model.Resource("core", schedulers.SPPScheduler()))
            tasks = []
            for place, (wcet, period) in enumerate(pairs):
                task = model.Task(str(place), wcet=wcet, bcet=wcet, scheduling_parameter=place)
                task.in_event_model = model.PJdEventModel(P=period, J=0)
                core.bind_task(task)
                tasks.append(task)
            results = analysis.analyze_system(system)
            for task, (_, period) in zip(tasks, pairs):
                response = results[task].wcrt
                found.append(response if response <= period else None)
        return found

    return best_of_three(sets, responses)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bench")
    parser.add_argument("--schedcat", type=Path)
    parser.add_argument("--pycpa", type=Path)
    given = parser.parse_args()
    print(vorrang.TOOL, f"{given.sets} sets, seed {given.seed}", file=sys.stderr)
    table = drawn(given.sets, given.seed)
    ours, clock, bounds = batch(table, given.sets)
    print(f"batch: {clock:.0f} sets/s by the clock on all processors, {ours:.0f} per second of one")
    if given.bench:
        rust = bench(given.bench)
        print(f"ratio batch {ours / rust:.3f} (ours {ours:.0f} sets/s, Rust {rust:.0f} sets/s)")
    for name, peer, sets in ((schedcat, given.schedcat, 2_000), (pycpa, given.pycpa, 200)):
        if peer is None:
            continue
        rate, found = name(peer, rows(table, sets))
        expected = bounds.slice(0, sets * TASKS).to_pylist()
        wrong = [row for row, (a, b) in enumerate(zip(expected, found)) if a != b]
        if wrong:
            sys.exit(f"{name.__name__}: row {wrong[0]}: {found[wrong[0]]} against {expected[wrong[0]]}")
        ratio = f"{ours / rate:.0f} (ours {ours:.0f} sets/s, peer {rate:.1f} sets/s)"
        print(f"ratio {name.__name__} {ratio}")
    if given.schedcat:
        schedcat_native(given.schedcat, table, min(given.sets, 20_000))


if __name__ == "__main__":
    main()
