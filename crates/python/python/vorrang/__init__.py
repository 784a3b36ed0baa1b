"""Real-time guarantees for virtual machines, their interrupts and their timers.

One description of a system goes in; `check` decides each requirement: proven (with the
assumptions), refuted (with a history that breaks it) or undecided (with the reason); `simulate`
runs a history.

>>> import vorrang
>>> print(vorrang.check("system.toml").verdict)  # doctest: +SKIP
proven
"""

from ._vorrang import TOOL
from .errors import BugError, DescriptionError, DescriptionWarning, Diagnostic, VorrangError
from .results import Budget, Check, Core, Requirement, Responses, Rows, Simulation, Verdict, Witness
from .system import Builder, System, check, load, simulate
from .time import Duration, Time, ms, ns, s, us

__all__ = [
    "TOOL",
    "Budget",
    "BugError",
    "Builder",
    "Check",
    "Core",
    "DescriptionError",
    "DescriptionWarning",
    "Diagnostic",
    "Duration",
    "Requirement",
    "Responses",
    "Rows",
    "Simulation",
    "System",
    "Time",
    "Verdict",
    "VorrangError",
    "Witness",
    "check",
    "load",
    "ms",
    "ns",
    "s",
    "simulate",
    "us",
]
