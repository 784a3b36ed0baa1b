#!/usr/bin/env python3
"""Bounds of chains with mixed communication beside those of the published implementation.

    python3 scripts/mixed.py FOLDER [COUNT [VORRANG]]

FOLDER is a checkout of https://github.com/tu-dortmund-ls12-rt/end-to-end_mixed (Günzel et al. 2023, MIT), which is not on PyPI.
VORRANG is the program, target/debug/vorrang if left out. Draws COUNT (1000) systems of tasks by priority on one core, half
of them sporadic, half strictly periodic with offsets, and a chain of some of them that hand values on by registers or by
logical execution time. Prints how often either bound is less, and ends with 1 if a value of the search is above one of ours,
or if one of ours is above theirs.
"""

import json
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Row:
    """A task, in microseconds; the first of a list is the most urgent."""

    def __init__(self, rnd, is_periodic):
        self.period = rnd.choice([20, 40, 50, 100, 200]) if is_periodic else rnd.randint(20, 200)
        self.latest = self.period if is_periodic else rnd.randint(self.period, 2 * self.period)
        self.offset = rnd.randrange(self.period) if is_periodic else None
        self.work = rnd.randint(1, self.period // 6)
        self.is_let = rnd.random() < 0.5


def response(rows, place):
    """The longest response of a task beside the more urgent ones; None: above its period."""
    own, time = rows[place], 0
    while True:
        then = own.work + sum(-(-max(time, 1) // row.period) * row.work for row in rows[:place])
        if then > own.period:
            return None
        if then == time:
            return time
        time = then


def drawn(seed):
    """Tasks that are in time, and the places of those of the chain."""
    rnd = random.Random(seed)
    while True:
        rows = [Row(rnd, seed % 2 == 1) for _ in range(rnd.randint(2, 6))]
        known = [response(rows, place) for place in range(len(rows))]
        if None not in known:
            break
    for row, time in zip(rows, known):
        row.deadline = rnd.randint(time, row.period)
    return rows, rnd.sample(range(len(rows)), rnd.randint(1, len(rows)))


def description(rows, path):
    text = 'version = 1\n[core.0]\nscheduler = "fixed-priority"\n'
    for place, row in enumerate(rows):
        text += f'[task.t{place}]\non = "core.0"\nwcet = "{row.work}us"\nbcet = "1ns"\nperiod = "{row.period}us"\n'
        text += f'deadline = "{row.deadline}us"\npriority = {90 - place}\n'
        text += f'latest-interarrival = "{row.latest}us"\n' if row.offset is None else f'offset = "{row.offset}us"\n'
        if row.is_let:
            text += 'communication = "let"\n'
    names = ", ".join(f'"task.t{place}"' for place in path)
    return text + f'[chain.x]\npath = [{names}]\nreaction = "1s"\nage = "1s"\n'


def ours(program, rows, path):
    """The bound of the chain and the longest value that was seen, in nanoseconds."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "chain.toml"
        file.write_text(description(rows, path))
        out = subprocess.run([program, "check", "--json", "--runs", "2", file], capture_output=True, text=True, check=False)
    chains = json.loads(out.stdout)["chains"]
    return max(one["bound_ns"] for one in chains), max(one["observed_ns"] or 0 for one in chains)


def theirs(rows, path):
    from analysis import mix_improved
    from cechains.chain import CEChain
    from tasks.task import Task
    from tasks.taskset import TaskSet

    def task(row):
        times = {"miniat": row.period, "maxiat": row.latest} if row.offset is None else {"period": row.period, "phase": row.offset}
        return Task(
            release="s" if row.offset is None else "p", deadline="arbitrary", dl=row.deadline, execution="bcwc",
            bcet=0, wcet=row.work, communication="LET" if row.is_let else "implicit", **times,
        )

    made = [task(row) for row in rows]
    whole = TaskSet(*made)
    whole.compute_wcrts()
    return mix_improved(CEChain(*(made[place] for place in path), base_ts=whole)) * 1000


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.path.insert(0, str(Path(sys.argv[1]) / "e2e"))
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    program = sys.argv[3] if len(sys.argv) > 3 else str(ROOT / "target/debug/vorrang")

    def both(seed):
        rows, path = drawn(seed)
        return seed, ours(program, rows, path), theirs(rows, path)

    kinds = ["sporadic", "periodic"]
    seen = {kind: {"equal": 0, "ours less": 0, "theirs less": 0} for kind in kinds}
    wrong = []
    with ThreadPoolExecutor(2) as pool:
        for seed, (bound, observed), peer in pool.map(both, range(count)):
            word = "equal" if bound == peer else "ours less" if bound < peer else "theirs less"
            seen[kinds[seed % 2]][word] += 1
            if observed > bound or observed > peer or bound > peer:
                wrong.append((seed, bound, observed, peer))
    for kind, words in seen.items():
        print(f"{kind}: " + ", ".join(f"{number} {word}" for word, number in words.items()))
    for seed, bound, observed, peer in wrong:
        print(f"seed {seed}: ours {bound}, theirs {peer}, seen {observed}\n{description(*drawn(seed))}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
