#!/usr/bin/env python3
"""A large description with open values: 64 cores, eight virtual machines for each, five tasks each.

    python3 scripts/designs.py --priorities > large.toml; time vorrang design large.toml --steps 1000000

Budgets, periods and cores are open; `--placed` states the cores. With `--priorities` cores go by priority, and
kinds and priorities are open, too: everything but the tasks. Each virtual machine uses 7.5 % of a core.
"""

import random
import sys

CORES, MACHINES, TASKS = 64, 8, 5
PERIODS_MS = [5, 10, 20, 25, 40, 50, 100, 200]


def shares(total, count, chance):
    """`count` shares of a total, uniform over all ways to divide it."""
    cuts = sorted(chance.random() for _ in range(count - 1))
    return [total * (high - low) for low, high in zip([0, *cuts], [*cuts, 1])]


def main():
    chance = random.Random(1)
    placed, by_priority = "--placed" in sys.argv, "--priorities" in sys.argv
    scheduler, kind = ("fixed-priority", '["deferrable", "sporadic"]') if by_priority else ("edf", '"cbs-hard"')
    print('version = 1\n[costs]\ncontext-switch = "2us"\nscheduler-call = "1us"')
    for core in range(CORES):
        print(f'[core.{core}]\nscheduler = "{scheduler}"')
    for number in range(CORES * MACHINES):
        on = f"core.{number // MACHINES}" if placed else "?"
        print(f'[vcpu.v{number}]\non = "{on}"\nserver = {kind}\nbudget = "?"\nperiod = "?"')
        if by_priority:
            print('priority = "?"')
        print('scheduler = "rate-monotonic"')
        for task, share in enumerate(shares(0.6 / MACHINES, TASKS, chance)):
            period = chance.choice(PERIODS_MS)
            wcet = max(1, int(period * 1000 * share))
            print(f'[task.v{number}t{task}]\non = "vcpu.v{number}"\nwcet = "{wcet}us"\nperiod = "{period}ms"')


main()
