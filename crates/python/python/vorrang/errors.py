"""What can go wrong, as exceptions that know the exit code of the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._vorrang import Remark

__all__ = ["BugError", "DescriptionError", "DescriptionWarning", "Diagnostic", "VorrangError"]


@dataclass(frozen=True)
class Diagnostic:
    """What is wrong with a description, or probably not meant: one code at one place."""

    code: str
    """For `vorrang explain`: `E0101` is an error, `W0001` a warning."""
    message: str
    line: int
    """From 1."""
    column: int
    """From 1, in characters."""
    help: str | None
    """What to do, where that is known."""

    def __str__(self) -> str:
        text = f"{self.code}: {self.message} (line {self.line}, column {self.column})"
        return f"{text}; {self.help}" if self.help else text


def diagnostics(remarks: list[Remark]) -> tuple[Diagnostic, ...]:
    """As the extension module tells them."""
    return tuple(Diagnostic(*remark) for remark in remarks)


class VorrangError(Exception):
    """What was asked for cannot be done; the text is what the command line says."""

    def __init__(self, message: str, exit: int) -> None:  # noqa: A002
        """`exit` is the exit code of the command line."""
        super().__init__(message)
        self.exit = exit


class DescriptionError(VorrangError, ValueError):
    """A description is wrong: all of what is wrong with it, each with code, place and help."""

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(message, 2)
        self.diagnostics = diagnostics


class BugError(VorrangError):
    """A bug of vorrang came to light: please report it."""


class DescriptionWarning(UserWarning):
    """Something in a description is probably not meant."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic
