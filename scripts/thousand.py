#!/usr/bin/env python3
"""A description of a thousand tasks on sixteen cores, half of them in virtual processors.

    python3 scripts/thousand.py > thousand.toml
    vorrang check thousand.toml

Even cores have fixed priorities and a deferrable server, odd ones EDF and a hard CBS. The same description every time.
"""

import random

CORES = 16
TASKS = 1000
PERIODS = [20, 25, 40, 50, 80, 100, 200, 250, 400, 500, 1000]
# Together at most two fifths of a core, half of that in its server of two fifths.
SHARE = 0.4 / (TASKS / CORES)


def cores():
    for core in range(CORES):
        by_priority = core % 2 == 0
        scheduler = "fixed-priority" if by_priority else "edf"
        yield f'[core.{core}]\nscheduler = "{scheduler}"\n'
        yield f'[vcpu.v{core}]\non = "core.{core}"\nbudget = "4ms"\nperiod = "10ms"\nscheduler = "{scheduler}"'
        yield 'server = "deferrable"\npriority = 90\n' if by_priority else 'server = "cbs-hard"\n'


def tasks(draw):
    for task in range(TASKS):
        core = task % CORES
        supply = f"core.{core}" if task // CORES % 2 else f"vcpu.v{core}"
        period = draw.choice(PERIODS)
        wcet = int(period * 1000 * SHARE * draw.uniform(0.3, 1))
        yield f'[task.t{task}]\non = "{supply}"\nwcet = "{wcet}us"\nperiod = "{period}ms"\ndeadline = "{period}ms"'
        yield f"priority = {89 - PERIODS.index(period)}\n" if core % 2 == 0 else ""


print("version = 1\n")
for line in [*cores(), *tasks(random.Random(3))]:
    print(line)
