"""Real-time guarantees for virtual machines, their interrupts and their timers.

One description of a system goes in; `check` decides each requirement: proven (with the
assumptions), refuted (with a history that breaks it) or undecided (with the reason); `simulate`
runs a history; `observe` compares the trace of a kernel with it; `design` chooses what is open,
and `margin` says how far each parameter may move; `batch` decides very many task sets in columns,
and a `Study` draws very many systems and asks the same questions of each.

>>> import vorrang
>>> print(vorrang.check("system.toml").verdict)  # doctest: +SKIP
proven
"""

from ._vorrang import TOOL
from .batch import Batch, Columns, batch
from .designs import Amount, Conflict, Design, Margin, Margins, Reach
from .errors import BugError, DescriptionError, DescriptionWarning, Diagnostic, VorrangError
from .observation import Comparison, Observation, Observed, Outcome, Seen, Sight
from .results import Budget, Check, Core, Requirement, Responses, Rows, Simulation, Verdict, Witness
from .study import Study
from .system import Builder, System, check, design, load, margin, observe, simulate
from .time import Duration, Time, ms, ns, s, us

__all__ = [
    "TOOL",
    "Amount",
    "Batch",
    "Budget",
    "BugError",
    "Builder",
    "Check",
    "Columns",
    "Comparison",
    "Conflict",
    "Core",
    "DescriptionError",
    "DescriptionWarning",
    "Design",
    "Diagnostic",
    "Duration",
    "Margin",
    "Margins",
    "Observation",
    "Observed",
    "Outcome",
    "Reach",
    "Requirement",
    "Responses",
    "Rows",
    "Seen",
    "Sight",
    "Simulation",
    "Study",
    "System",
    "Time",
    "Verdict",
    "VorrangError",
    "Witness",
    "batch",
    "check",
    "design",
    "load",
    "margin",
    "ms",
    "ns",
    "observe",
    "s",
    "simulate",
    "us",
]
