"""Bounds beside those of `response-time-analysis` of PyPI, which others wrote.

It knows fixed priority, EDF and FIFO on a supply of which it is told how much it provides in each
length. What a server provides is said here once more, by the equation of Davis and Burns (2005), or
a gap in each period.
"""

from __future__ import annotations

import random
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import vorrang
from response_time_analysis.analysis import edf, fifo, fp
from response_time_analysis.model import (
    WCET,
    Deadline,
    FloatingNonPreemptive,
    IdealProcessor,
    PeriodicWithJitter,
    Priority,
    Task,
    TaskSet,
)

# Nanoseconds in a microsecond.
US = 1_000


@dataclass(frozen=True)
class Server:
    """A server by priority, or a slot: its kind, budget and period; the one task above it."""

    kind: str
    budget: int
    period: int
    above: tuple[int, int]

    def time_for(self, work: int) -> int:
        """The longest time in which it provides so much, in nanoseconds."""
        if work == 0:
            return 0
        whole, cost = (work - 1) // self.budget, self.above[0]
        part = work - whole * self.budget
        window = part
        while (more := part + -(-window // self.above[1]) * cost) > window:
            window = more
        wait = self.period - (1 if self.kind == "polling" else self.budget)
        return wait + whole * self.period + window


@dataclass(frozen=True)
class Provides:
    """The supply of `response-time-analysis`: the most that comes for sure in a length."""

    time_for: Callable[[int], int]

    def __call__(self, delta: int) -> int:
        return self.supply_bound(delta)

    def supply_bound(self, delta: int) -> int:
        least, beyond = 0, delta + 1
        while beyond - least > 1:
            middle = (least + beyond) // 2
            if self.time_for(middle) <= delta:
                least = middle
            else:
                beyond = middle
        return least


@dataclass(frozen=True)
class Member:
    """A task, in nanoseconds."""

    wcet: int
    period: int
    deadline: int
    jitter: int
    priority: int
    # The longest section in which nothing else runs, and how long the others may hold it up.
    section: int
    blocking: int


@dataclass(frozen=True)
class Drawn:
    """Tasks by one order on one supply."""

    order: str
    server: Server | None
    tasks: tuple[Member, ...]

    @property
    def kind(self) -> str:
        return self.server.kind if self.server else "core"

    def description(self) -> str:
        scheduler = "edf" if self.order == "edf" else "fixed-priority"
        lines = ["version = 1", "[core.0]"]
        if self.server is None:
            on, core = "core.0", scheduler
        else:
            on, core = "vcpu.v", "slots" if self.server.kind == "slot" else "fixed-priority"
        lines.append(f'scheduler = "{core}"')
        if self.server is not None:
            lines += [
                *("[vcpu.v]", 'vm = "v"', 'on = "core.0"', f'scheduler = "{scheduler}"'),
                f'server = "{self.server.kind}"',
                f'budget = "{self.server.budget}ns"',
                f'period = "{self.server.period}ns"',
                'offset = "0s"' if core == "slots" else "priority = 5",
            ]
            if self.server.above[0]:
                cost, period = self.server.above
                lines += [
                    *("[task.above]", 'on = "core.0"', "priority = 9"),
                    *(f'wcet = "{cost}ns"', f'period = "{period}ns"'),
                ]
        for number, task in enumerate(self.tasks):
            lines += [f"[task.t{number}]", f'on = "{on}"']
            for key in ("wcet", "period", "deadline", "jitter"):
                lines.append(f'{key} = "{getattr(task, key)}ns"')
            if self.order != "edf":
                lines.append(f"priority = {task.priority}")
            if self.order == "fixed priority":
                lines.append(f'blocking = "{task.blocking}ns"')
        return "\n".join(lines)

    def theirs(self) -> list[int | None]:
        """Their bounds, from arrivals on."""
        supply: Any = IdealProcessor() if self.server is None else Provides(self.server.time_for)
        tasks = [
            Task(
                PeriodicWithJitter(task.period, task.jitter),
                FloatingNonPreemptive(WCET(task.wcet), task.section),
                Deadline(task.deadline),
                Priority(task.priority),
            )
            for task in self.tasks
        ]
        all_, horizon = TaskSet(tuple(tasks)), 1_000_000 * US
        if self.order == "first come":
            found = [fifo.rta(all_, supply, horizon)] * len(tasks)
        else:
            rta = edf.rta if self.order == "edf" else fp.rta
            found = [rta(all_, task, supply, horizon) for task in tasks]
        return [
            None if one.response_time_bound is None else one.response_time_bound + task.jitter
            for one, task in zip(found, self.tasks, strict=True)
        ]


ORDERS = ("fixed priority", "some equal", "first come", "edf")
# First come, first served, where several jobs of a task may wait: in the model a task keeps its
# place, in theirs a job does.
BACKLOG = "backlog"
KINDS = ("core", "slot", "periodic", "polling", "deferrable")


def drawn(seed: int, index: int) -> Drawn:
    """One system; no two of its tasks are alike."""
    numbers = random.Random(f"{seed} {index}")
    order, kind = numbers.choice(ORDERS), numbers.choice(KINDS)
    count, server, share = numbers.randint(2, 5), None, 1.0
    if kind != "core":
        period = numbers.randint(10, 100) * 100 * US
        budget = numbers.randint(period // 5 // US, period * 4 // 5 // US) * US
        above = (0, 1)
        if kind != "slot" and numbers.random() < 0.7:
            every = numbers.randint(period // 4 // US, 2 * period // US) * US
            most = int((1 - budget / period) * every * 0.5) // US
            above = (numbers.randint(1, max(1, most)) * US, every)
        server, share = Server(kind, budget, period, above), budget / period
    used = numbers.uniform(0.3, 0.95) * share
    weights = [numbers.random() + 0.1 for _ in range(count)]
    priorities = numbers.sample(range(1, 99), count)
    if order == "some equal":
        priorities = [numbers.randint(1, 2) for _ in range(count)]
    elif order == "first come":
        priorities = [7] * count
    rows = []
    for weight, priority in zip(weights, priorities, strict=True):
        period = numbers.randint(50, 1_000) * 100 * US
        wcet = max(1, int(period * used * weight / sum(weights)) // US) * US
        deadline = numbers.randint(wcet // US, 2 * period // US) * US
        jitter = numbers.randint(0, period // US // 2) * US
        if order == "edf" or numbers.random() < 0.5:
            jitter = 0
        section = 1
        if order == "fixed priority" and numbers.random() < 0.4:
            section = numbers.randint(1, wcet)
        rows.append((wcet, period, deadline, jitter, priority, section))
    tasks = []
    for row in rows:
        less = [section - 1 for *_, priority, section in rows if priority < row[4]]
        tasks.append(Member(*row, blocking=max(less, default=0)))
    return Drawn(order, server, tuple(tasks))


# Ours is less than theirs, of a task with jitter, or without; some history takes as long; ours is
# more; some history takes longer than theirs.
WHAT = ("equal", "jitter", "smaller", "reached", "larger", "exceeded")


@dataclass
class Tally:
    """How our bounds compare with theirs, by order and supply."""

    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    larger: list[tuple[int, int]] = field(default_factory=list)

    def of(self, what: str, orders: Sequence[str] = ORDERS, kinds: Sequence[str] = KINDS) -> int:
        return sum(self.counts[order, kind, what] for order in orders for kind in kinds)

    def table(self) -> str:
        rows = [f"{'order':16}{'supply':12}" + "".join(f"{what:>10}" for what in WHAT)]
        for order in (*ORDERS, BACKLOG):
            for kind in KINDS:
                row = (f"{self.counts[order, kind, what]:>10}" for what in WHAT)
                rows.append(f"{order:16}{kind:12}" + "".join(row))
        return "\n".join(rows)


def compare(seed: int, indices: range, steps: int) -> Tally:
    """Check these systems. Where the bounds differ, histories are searched in so many steps.

    A history beyond a bound of ours ends this with an error.
    """
    tally = Tally()
    for index in indices:
        system = drawn(seed, index)
        theirs, loaded = system.theirs(), vorrang.load(system.description())
        names = [f"task.t{number}" for number in range(len(theirs))]
        found = loaded.check(steps=1).requirements
        bounds = [found.named(name).bound for name in names]
        ours = [None if bound is None else bound.ns for bound in bounds]
        if ours != theirs:
            found = loaded.check(steps=steps).requirements
        periods = [task.period for task in system.tasks]
        once = all(their and their <= period for their, period in zip(theirs, periods, strict=True))
        order = system.order if once or system.order != "first come" else BACKLOG
        for number, (our, their) in enumerate(zip(ours, theirs, strict=True)):
            if our is None and their is None:
                continue
            what, observed = differs(our, their), found.named(names[number]).observed
            longest = 0 if observed is None else observed.ns
            if what == "smaller":
                tally.counts[order, system.kind, "reached"] += longest == our
                what = "jitter" if system.tasks[number].jitter else what
            elif what == "larger":
                beyond = their is not None and longest > their
                tally.counts[order, system.kind, "exceeded"] += beyond
                if not beyond:
                    tally.larger.append((index, number))
            tally.counts[order, system.kind, what] += 1
    return tally


def differs(our: int | None, their: int | None) -> str:
    """What ours is beside theirs; none is more than any."""
    if our == their:
        return "equal"
    return "larger" if our is None or (their is not None and our > their) else "smaller"


def main() -> None:
    """Prints the table of so many systems: `second_opinion.py SYSTEMS [SEED [FROM]]`."""
    numbers = [int(text) for text in sys.argv[1:]]
    systems, seed, begin = (*numbers, *(10_000, 1, 0)[len(numbers) :])
    warnings.simplefilter("ignore", vorrang.DescriptionWarning)
    tally = compare(seed, range(begin, begin + systems), 20_000)
    print(tally.table())
    print(f"larger, and no history longer than theirs: {len(tally.larger)}")


if __name__ == "__main__":
    main()
