"""Real-time guarantees for virtual machines, their interrupts and their timers.

One description of a system goes in; `check` decides each requirement: proven (with the
assumptions), refuted (with a history that breaks it) or undecided (with the reason); `simulate`
runs a history; `design` chooses what is left open, and `margin` says how far each parameter may
move; a `Study` draws very many systems and asks the same of each.

>>> import vorrang
>>> print(vorrang.check("system.toml").verdict)  # doctest: +SKIP
proven
"""

from ._vorrang import TOOL
from .designs import Amount, Conflict, Design, Margin, Margins, Reach
from .errors import BugError, DescriptionError, DescriptionWarning, Diagnostic, VorrangError
from .results import Budget, Check, Core, Requirement, Responses, Rows, Simulation, Verdict, Witness
from .study import Study
from .system import Builder, System, check, design, load, margin, simulate
from .time import Duration, Time, ms, ns, s, us

__all__ = [
    "TOOL",
    "Amount",
    "Budget",
    "BugError",
    "Builder",
    "Check",
    "Conflict",
    "Core",
    "DescriptionError",
    "DescriptionWarning",
    "Design",
    "Diagnostic",
    "Duration",
    "Margin",
    "Margins",
    "Reach",
    "Requirement",
    "Responses",
    "Rows",
    "Simulation",
    "Study",
    "System",
    "Time",
    "Verdict",
    "VorrangError",
    "Witness",
    "check",
    "design",
    "load",
    "margin",
    "ms",
    "ns",
    "s",
    "simulate",
    "us",
]
