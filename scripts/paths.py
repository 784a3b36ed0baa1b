#!/usr/bin/env python3
"""Bounds of paths over two cores beside those of pyCPA.

    python3 scripts/paths.py FOLDER [COUNT [VORRANG]]

FOLDER is a checkout of pyCPA (https://github.com/IDA-TUBS/pycpa, MIT), which is not on PyPI. VORRANG is the program,
target/debug/vorrang if left out. Draws COUNT (100) systems with a path of three or four tasks that wake each other over two
cores under fixed priorities, beside other tasks. The response of each task of the path counts from the arrival of the first
one; pyCPA adds up the responses along the path. Prints how often either is less, and ends with 1 if a response of the
search for long responses is above one of ours.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def drawn(seed):
    """Tasks: name, core, priority, shortest and longest execution, period or the task before."""
    rnd = random.Random(seed)
    length = rnd.choice([3, 3, 4])
    priorities = list(range(1, 20))
    rnd.shuffle(priorities)
    tasks = []
    for place in range(length):
        core = rnd.randrange(2)
        longest = rnd.randint(1, 4)
        shortest = rnd.randint(1, longest)
        comes = rnd.randint(20, 40) if place == 0 else f"p{place - 1}"
        tasks.append((f"p{place}", core, priorities.pop(), shortest, longest, comes))
    for number in range(rnd.randint(1, 4)):
        longest = rnd.randint(1, 4)
        shortest = rnd.randint(1, longest)
        period = rnd.randint(4 * longest, 30)
        tasks.append((f"t{number}", rnd.randrange(2), priorities.pop(), shortest, longest, period))
    return tasks, length


def description(tasks):
    text = "version = 1\n"
    for core in sorted({task[1] for task in tasks}):
        text += f'[core.{core}]\nscheduler = "fixed-priority"\n'
    for name, core, priority, shortest, longest, comes in tasks:
        text += f'[task.{name}]\non = "core.{core}"\nbcet = "{shortest}ns"\nwcet = "{longest}ns"\n'
        text += f'priority = {priority}\ndeadline = "1us"\n'
        text += f'after = ["task.{comes}"]\n' if isinstance(comes, str) else f'period = "{comes}ns"\n'
    return text


def ours(program, tasks, folder):
    """Bound and longest response seen, by task."""
    file = Path(folder) / "path.toml"
    file.write_text(description(tasks))
    out = subprocess.run([program, "check", "--json", file], capture_output=True, text=True, check=False)
    found = json.loads(out.stdout)["requirements"]
    return {one["name"].removeprefix("task."): (one["bound_ns"], one["observed_ns"]) for one in found}


def theirs(tasks, length):
    """The bound from end to end of each task of the path; None where there is none."""
    from pycpa import analysis, model, schedulers

    system = model.System()
    cores = [system.bind_resource(model.Resource(f"core{n}", schedulers.SPPScheduler())) for n in range(2)]
    made = {}
    for name, core, priority, shortest, longest, comes in tasks:
        own = model.Task(name, wcet=longest, bcet=shortest, scheduling_parameter=100 - priority)
        made[name] = cores[core].bind_task(own)
        if isinstance(comes, str):
            made[comes].link_dependent_task(own)
        else:
            own.in_event_model = model.PJdEventModel(P=comes, J=0)
    try:
        results = analysis.analyze_system(system)
    except analysis.NotSchedulableException:
        return None
    sums, total = [], 0
    for place in range(length):
        total += results[made[f"p{place}"]].wcrt
        sums.append(total)
    return sums


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.path.insert(0, sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    program = sys.argv[3] if len(sys.argv) > 3 else str(ROOT / "target/debug/vorrang")
    from pycpa import options

    options.init_pycpa(implicit=True)
    options.set_opt("max_wcrt", 2000)
    seen = {"equal": 0, "ours less": 0, "theirs less": 0, "only ours": 0, "only theirs": 0, "neither": 0}
    below, least = [], []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(count):
            tasks, length = drawn(seed)
            own, other = ours(program, tasks, folder), theirs(tasks, length)
            for place in range(length):
                bound, observed = own[f"p{place}"]
                peer = other[place] if other else None
                if bound is not None and observed > bound:
                    below.append((seed, place, bound, observed))
                if peer is not None and observed > peer:
                    least.append((seed, place, peer, observed))
                if bound is None or peer is None:
                    word = "neither" if bound == peer else "only theirs" if bound is None else "only ours"
                else:
                    word = "equal" if bound == peer else "ours less" if bound < peer else "theirs less"
                seen[word] += 1
    print(f"{count} systems, {sum(seen.values())} responses: " + ", ".join(f"{n} {w}" for w, n in seen.items()))
    print(f"responses seen above ours: {len(below)}, above theirs: {len(least)}")
    for seed, place, bound, observed in below:
        print(f"seed {seed}, p{place}: {observed} above {bound}\n{description(drawn(seed)[0])}")
    sys.exit(1 if below else 0)


if __name__ == "__main__":
    main()
