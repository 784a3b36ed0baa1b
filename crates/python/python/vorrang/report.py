"""The result of `vorrang.report`: what `check` found, as a page with its figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from types import MappingProxyType

__all__ = ["Figure", "Report"]


@dataclass(frozen=True)
class Figure:
    """One figure of a report; a notebook shows it."""

    name: str
    """As `vorrang report --figures` calls its file, without `.svg`."""
    svg: str = field(repr=False)
    """The file, byte for byte that of the command line."""

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass(frozen=True)
class Report:
    """The result of `vorrang.report`; a notebook shows the page."""

    text: str
    """What the command line prints: the verdict in a sentence."""
    exit: int
    """The exit code of the command line."""
    html: str = field(repr=False)
    """The page, byte for byte that of the command line: one file that needs no network."""
    figures: Mapping[str, Figure] = field(repr=False)
    """The figures of the page by their names, in its order."""

    @staticmethod
    def of(text: str, exit: int, html: str, figures: list[tuple[str, str]]) -> Report:  # noqa: A002
        """From what the verb gives back."""
        named = {name: Figure(name, svg) for name, svg in figures}
        return Report(text, exit, html, MappingProxyType(named))

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        # A document of its own, so that its style and script are those of no other.
        style = "width: 100%; height: 40em; border: 1px solid #888"
        return f'<iframe srcdoc="{escape(self.html)}" style="{style}"></iframe>'
