"""Real-time guarantees for virtual machines, their interrupts and their timers.

One description of a system goes in; `check` decides each requirement: proven (with the
assumptions), refuted (with a history that violates it) or undecided (with the reason); `report`
shows that on a page with figures; `simulate` runs a history; `observe` compares the trace of a
kernel with the bounds; `design` chooses the values that are left open, and `margin` says how far
each parameter may move; `diff` compares two results; `batch` decides very many task sets in
columns, and a `Study` draws very many systems and asks the same questions of each.

>>> import vorrang
>>> print(vorrang.check("system.toml").verdict)  # doctest: +SKIP
proven
"""

from ._vorrang import TOOL
from .batch import Batch, Columns, batch
from .designs import Amount, Conflict, Design, Margin, Margins, Reach
from .difference import Change, Changed, Difference, Side, diff, fmt
from .errors import BugError, DescriptionError, DescriptionWarning, Diagnostic, VorrangError
from .observation import Comparison, Observation, Observed, Outcome, Seen, Sight
from .report import Figure, Report
from .results import Budget, Check, Core, Requirement, Responses, Rows, Simulation, Verdict, Witness
from .study import Study
from .system import Builder, System, check, design, load, margin, observe, report, simulate
from .time import Duration, Time, ms, ns, s, us

__all__ = [
    "TOOL",
    "Amount",
    "Batch",
    "Budget",
    "BugError",
    "Builder",
    "Change",
    "Changed",
    "Check",
    "Columns",
    "Comparison",
    "Conflict",
    "Core",
    "DescriptionError",
    "DescriptionWarning",
    "Design",
    "Diagnostic",
    "Difference",
    "Duration",
    "Figure",
    "Margin",
    "Margins",
    "Observation",
    "Observed",
    "Outcome",
    "Reach",
    "Report",
    "Requirement",
    "Responses",
    "Rows",
    "Seen",
    "Side",
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
    "diff",
    "fmt",
    "load",
    "margin",
    "ms",
    "ns",
    "observe",
    "report",
    "s",
    "simulate",
    "us",
]
