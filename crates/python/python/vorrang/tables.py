"""The keys of descriptions as types. Generated from their JSON Schema; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

from .time import Duration


class Core(TypedDict, total=False):
    """A processor core."""

    scheduler: Literal["fixed-priority", "rate-monotonic", "deadline-monotonic", "edf", "vtrr", "stride", "round-robin", "weighted-round-robin", "linux", "slots"]
    quantum: Duration
    time_slice: Duration
    interrupts: Literal["first-come", "priority", "nested"]
    interrupt_time: Literal["apart", "charged"]
    timers: Literal["hrtimer", "timershield"]
    max_defer: Duration
    fair_server: Literal["none"] | Mapping[Any, Any]
    ext_server: Literal["none"] | Mapping[Any, Any]
    rt_throttling: Literal["none"] | Mapping[Any, Any]
    kernel_release: str
    kernel: str
    overrun: Duration
    sections: Duration
    deadline_limits: Mapping[Any, Any]
    cpu: int


class Vcpu(TypedDict, total=False):
    """A virtual processor: a server with a guest's scheduler inside."""

    vm: str
    on: Literal["?"] | str | list[str]
    server: Literal["periodic", "polling", "deferrable", "sporadic", "cbs-hard", "cbs-soft", "sched-deadline", "refill-queue", "posix-sporadic", "share", "none", "slot", "table"] | list[Literal["periodic", "polling", "deferrable", "sporadic", "cbs-hard", "cbs-soft", "sched-deadline", "refill-queue", "posix-sporadic", "share", "none", "slot", "table"]]
    budget: Literal["?"] | Duration | list[Duration] | Mapping[Any, Any]
    period: Literal["?"] | Duration | list[Duration] | Mapping[Any, Any]
    deadline: Duration
    reclaim: bool
    refills: int
    min_budget: Duration
    offset: Duration
    windows: Mapping[Any, Any]
    blocking: Duration
    priority: Literal["?"] | int | list[int] | Mapping[Any, Any]
    share: int
    scheduler: Literal["fixed-priority", "rate-monotonic", "deadline-monotonic", "edf", "vtrr", "stride", "round-robin", "weighted-round-robin", "linux"]
    quantum: Duration
    time_slice: Duration
    fair_server: Literal["none"] | Mapping[Any, Any]
    deadline_limits: Mapping[Any, Any]
    ext_server: Literal["none"] | Mapping[Any, Any]
    kernel_release: str
    cache: str
    thread: str


class Server(TypedDict, total=False):
    """A reservation of processor time."""

    on: Literal["?"] | str | list[str]
    server: Literal["periodic", "polling", "deferrable", "sporadic", "cbs-hard", "cbs-soft", "sched-deadline", "refill-queue", "posix-sporadic", "share", "none", "slot", "table"] | list[Literal["periodic", "polling", "deferrable", "sporadic", "cbs-hard", "cbs-soft", "sched-deadline", "refill-queue", "posix-sporadic", "share", "none", "slot", "table"]]
    budget: Literal["?"] | Duration | list[Duration] | Mapping[Any, Any]
    period: Literal["?"] | Duration | list[Duration] | Mapping[Any, Any]
    deadline: Duration
    reclaim: bool
    refills: int
    min_budget: Duration
    offset: Duration
    windows: Mapping[Any, Any]
    blocking: Duration
    priority: Literal["?"] | int | list[int] | Mapping[Any, Any]
    share: int
    scheduler: Literal["fixed-priority", "rate-monotonic", "deadline-monotonic", "edf", "vtrr", "stride", "round-robin", "weighted-round-robin", "linux"]
    quantum: Duration
    time_slice: Duration
    fair_server: Literal["none"] | Mapping[Any, Any]
    deadline_limits: Mapping[Any, Any]
    ext_server: Literal["none"] | Mapping[Any, Any]
    kernel_release: str
    thread: str


class Task(TypedDict, total=False):
    """Work that wants time from a supply."""

    on: Literal["?"] | str | list[str]
    wcet: Duration
    bcet: Duration
    execution: Mapping[Any, Any]
    period: Duration
    min_distances: list[Duration]
    deadline: Literal["none"] | Duration
    latest_interarrival: Duration
    offset: Duration
    communication: Literal["registers", "let"]
    preemption: Literal["full", "none"]
    polls: bool
    jitter: Duration
    blocking: Duration
    priority: Literal["?"] | int | list[int] | Mapping[Any, Any]
    share: int
    cache: str
    thread: str
    wakes: list[str]
    after: list[str]
    learnt: str


class Interrupt(TypedDict, total=False):
    """An interrupt of a device, with its service routine."""

    on: str
    isr: Duration
    posted: bool
    min_interarrival: Duration
    min_distances: list[Duration]
    jitter: Duration
    priority: int
    wakes: str
    storm: Duration
    virtual: Mapping[Any, Any]
    irq: str
    learnt: str


class Timer(TypedDict, total=False):
    """A timer that a task arms."""

    armed_by: str
    period: Duration
    wakes: bool
    isr: Duration
    pseudo_vcpu: Mapping[Any, Any]


class Device(TypedDict, total=False):
    """A network card, with the packets that arrive at it."""

    interrupt: str
    ring: int
    coalesce_packets: int
    coalesce_time: Duration
    budget: int
    per_packet: Duration
    socket: int
    receiver: str
    packets: Mapping[Any, Any]


class Cache(TypedDict, total=False):
    """How the work of a virtual processor, or of a task of the host, progresses after the core ran something else."""

    model: Literal["flood", "exponential"]
    useful: str
    sustained: Duration


class Require(TypedDict, total=False):
    """Something that must hold besides the deadlines of the tasks."""

    of: str
    handled_within: Duration
    probability: str


class Chain(TypedDict, total=False):
    """A path along which tasks hand on values, and how old these may become."""

    path: list[str]
    reaction: Duration
    age: Duration
