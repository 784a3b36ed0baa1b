#!/usr/bin/env python3
"""How the time of `vorrang check` grows with tasks, servers, their depth and interrupts.

    scripts/growth.py [--vorrang target/release/vorrang] [--repetitions 3] [ROW ...]

Each row draws descriptions of growing size, the same every time, and checks them. A line says the size, the processor
time and the wall-clock time (the least of the repetitions); the last line of a row says the exponent, which is the
slope of log(time) over log(size) between the two largest.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

# In ms, as of an engine controller.
PERIODS = [1, 2, 5, 10, 20, 50, 100, 200, 1000]


def task(name: str, on: str, share: float, draw: random.Random, more: str = "") -> str:
    """A task that uses `share` of its supply at most, more urgent the shorter its period is."""
    period = draw.choice(PERIODS)
    wcet = max(1, int(period * 1e6 * share * draw.uniform(0.5, 1)))
    urgency = 100_000 * (9 - PERIODS.index(period)) + draw.randrange(100_000)
    return (
        f'[task.{name}]\non = "{on}"\nwcet = "{wcet}ns"\nperiod = "{period}ms"\n'
        f'deadline = "{period}ms"\npriority = {urgency}\n{more}'
    )


def core(name: str, scheduler: str = "fixed-priority") -> str:
    return f'[core.{name}]\nscheduler = "{scheduler}"\n'


def tasks_on_a_core(size: int, draw: random.Random) -> Iterator[str]:
    yield core("0")
    for number in range(size):
        yield task(f"t{number}", "core.0", 0.6 / size, draw)


def tasks_by_deadline(size: int, draw: random.Random) -> Iterator[str]:
    yield core("0", "edf")
    for number in range(size):
        yield task(f"t{number}", "core.0", 0.6 / size, draw).rsplit("priority", 1)[0]


def vcpu(name: str, on: str, budget: int, draw: random.Random, priority: int) -> str:
    return (
        f'[vcpu.{name}]\nvm = "{name}"\non = "{on}"\nserver = "{draw.choice(["periodic", "deferrable"])}"\n'
        f'budget = "{budget}us"\nperiod = "10ms"\npriority = {priority}\nscheduler = "fixed-priority"\n'
    )


def servers_on_a_core(size: int, draw: random.Random) -> Iterator[str]:
    yield core("0")
    budget = 6000 // size
    for number in range(size):
        yield vcpu(f"v{number}", "core.0", budget, draw, 1 + number % 90)
        yield slow(f"t{number}", f"vcpu.v{number}", budget)


def slow(name: str, on: str, budget: int) -> str:
    """A task with a fifth of a budget in each hundred ms."""
    return f'[task.{name}]\non = "{on}"\nwcet = "{budget // 5}us"\nperiod = "100ms"\npriority = 10\n'


def servers_in_servers(size: int, draw: random.Random) -> Iterator[str]:
    yield core("0")
    on = "core.0"
    for depth in range(size):
        name = f"v{depth}"
        budget, period = 9000 - 500 * depth, 10 + depth
        yield (
            f'[server.{name}]\non = "{on}"\nserver = "{draw.choice(["periodic", "deferrable"])}"\n'
            f'budget = "{budget}us"\nperiod = "{period}ms"\npriority = 50\nscheduler = "fixed-priority"\n'
        )
        on = f"server.{name}"
        yield f'[task.t{depth}]\non = "{on}"\nwcet = "100us"\nperiod = "1s"\npriority = 10\n'


COSTS = """[costs]
interrupt-entry = "1us"
interrupt-exit = "500ns"
vm-exit = "2us"
scheduler-call = "2us"
context-switch = "5us"
"""


def interrupt(name: str, on: str, vcpu: str, share: float, draw: random.Random) -> Iterator[str]:
    """An interrupt that is handed to a virtual processor, and the task that it wakes there."""
    distance = draw.choice([5, 10, 20, 50])
    work = max(1, int(distance * 1e6 * share / 2))
    yield (
        f'[interrupt.{name}]\non = "{on}"\nmin-interarrival = "{distance}ms"\nisr = "2us"\n'
        f'priority = {draw.randrange(1, 50)}\n'
        f'[interrupt.{name}.virtual]\nvcpu = "vcpu.{vcpu}"\nisr = "{work}ns"\nwakes = "task.{name}"\n'
    )
    yield (
        f'[task.{name}]\non = "vcpu.{vcpu}"\nwcet = "{work}ns"\ndeadline = "{10 * distance}ms"\n'
        f'priority = {draw.randrange(1_000, 1_000_000)}\n'
    )


def interrupts_of_a_guest(size: int, draw: random.Random) -> Iterator[str]:
    yield COSTS
    yield core("0") + 'interrupts = "nested"\n'
    yield vcpu("v", "core.0", 6000, draw, 50)
    for number in range(size):
        yield from interrupt(f"i{number}", "core.0", "v", 0.2 / size, draw)


def cores_with_guests(cores: int, guests: int, tasks: int, draw: random.Random) -> Iterator[str]:
    """On each core so many guests, with so many tasks and an interrupt each, and what it costs."""
    yield COSTS
    for number in range(cores):
        yield core(f"{number}") + 'interrupts = "nested"\n'
        for guest in range(guests):
            name, budget = f"v{number}-{guest}", 5000 // guests
            yield vcpu(name, f"core.{number}", budget, draw, 10 + guest)
            share = budget / 10_000
            for place in range(tasks):
                work = int(1e8 * share * draw.uniform(0.2, 0.6) / tasks)
                yield (
                    f'[task.t{number}-{guest}-{place}]\non = "vcpu.{name}"\nwcet = "{work}ns"\n'
                    f'period = "100ms"\npriority = {100 + place}\n'
                )
            yield from interrupt(f"i{number}-{guest}", f"core.{number}", name, 0.1 * share, draw)


def cores_by_size(size: int, draw: random.Random) -> Iterator[str]:
    return cores_with_guests(size, 8, 5, draw)


def two_guests_a_core(size: int, draw: random.Random) -> Iterator[str]:
    return cores_with_guests(size, 2, 5, draw)


def chains_over_cores(size: int, draw: random.Random) -> Iterator[str]:
    """Chains of six tasks, 200 for 64 cores: a task wakes one on the next core, which wakes one there, and three read what
    is there, on three more."""
    for number in range(size):
        yield core(f"{number}")
    for number in range(200 * size // 64):
        names = [f"t{number}-{place}" for place in range(6)]
        period = draw.choice([5, 10, 20, 50])
        for place, name in enumerate(names):
            on = (number + (place + 1) // 2 if place < 3 else number + place) % size
            wcet = int(period * 1e6 * 0.015 * draw.uniform(0.5, 1))
            urgency = 10_000 * (60 - period) + 6 * number + place
            yield f'[task.{name}]\non = "core.{on}"\nwcet = "{wcet}ns"\npriority = {urgency}\n'
            if place in (1, 2):
                yield f'after = ["task.{names[place - 1]}"]\ndeadline = "{period}ms"\n'
            else:
                yield f'period = "{period}ms"\nlatest-interarrival = "{period}ms"\n'
        path = ", ".join(f'"task.{name}"' for name in names)
        yield f'[chain.c{number}]\npath = [{path}]\nreaction = "{6 * period}ms"\nage = "{6 * period}ms"\n'


ROWS: dict[str, tuple[Callable[[int, random.Random], Iterator[str]], list[int]]] = {
    "tasks": (tasks_on_a_core, [10, 100, 1000, 10_000]),
    "tasks-by-deadline": (tasks_by_deadline, [10, 100, 1000, 10_000]),
    "servers": (servers_on_a_core, [2, 5, 10, 20, 50]),
    "depth": (servers_in_servers, [1, 2, 4, 8]),
    "interrupts": (interrupts_of_a_guest, [2, 5, 10, 20]),
    "cores": (cores_by_size, [4, 16, 64]),
    "chains": (chains_over_cores, [4, 16, 64]),
    "cores-of-two-guests": (two_guests_a_core, [4, 16]),
}


def timed(program: Path, text: str) -> tuple[float, float, int]:
    """Processor time, wall-clock time and exit code of a check."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text)
        file.flush()
        begin, before = time.monotonic(), os.times()
        found = subprocess.run([program, "check", file.name, "--quiet"], capture_output=True, text=True)
        wall, after = time.monotonic() - begin, os.times()
    if found.returncode not in (0, 1, 3):
        sys.exit(found.stderr)
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return used, wall, found.returncode


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--vorrang", type=Path, default=Path("target/release/vorrang"))
    arguments.add_argument("--repetitions", type=int, default=3)
    arguments.add_argument("rows", nargs="*", metavar="ROW")
    asked = arguments.parse_args()
    for name in asked.rows or ROWS:
        make, sizes = ROWS[name]
        points = []
        for size in sizes:
            text = "version = 1\n" + "\n".join(make(size, random.Random(1)))
            runs = [timed(asked.vorrang, text) for _ in range(asked.repetitions)]
            used, wall = min(run[0] for run in runs), min(run[1] for run in runs)
            points.append((size, used))
            print(f"{name} {size}: {used:.3f} s of processor time, {wall:.3f} s, exit code {runs[0][2]}", flush=True)
        (less, short), (more, long) = points[-2:]
        print(f"exponent {name} {math.log(long / short) / math.log(more / less):.2f} (from {less} to {more})", flush=True)


if __name__ == "__main__":
    main()
