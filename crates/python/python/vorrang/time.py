"""Times as descriptions have them: whole nanoseconds, written with a unit.

A bare number is no time: nobody can see whether it means milliseconds or microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction

__all__ = ["Duration", "Time", "ms", "ns", "s", "us"]

_UNITS = (("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1))


@dataclass(frozen=True, order=True)
class Time:
    """A time in whole nanoseconds; prints as `1400us`."""

    ns: int

    def __str__(self) -> str:
        """The largest unit of which it is a whole number."""
        for unit, size in _UNITS:
            if self.ns % size == 0 and (self.ns != 0 or unit == "ns"):
                return f"{self.ns // size}{unit}"
        raise AssertionError("every integer is a number of nanoseconds")

    def __repr__(self) -> str:
        return f"Time('{self}')"

    @property
    def us(self) -> float:
        """In microseconds."""
        return self.ns / 1e3

    @property
    def ms(self) -> float:
        """In milliseconds."""
        return self.ns / 1e6

    @property
    def s(self) -> float:
        """In seconds."""
        return self.ns / 1e9

    def timedelta(self) -> timedelta:
        """As the standard library has it, which rounds to microseconds."""
        return timedelta(microseconds=self.ns / 1e3)

    def __add__(self, other: Time) -> Time:
        return Time(self.ns + other.ns) if isinstance(other, Time) else NotImplemented

    def __sub__(self, other: Time) -> Time:
        return Time(self.ns - other.ns) if isinstance(other, Time) else NotImplemented

    def __mul__(self, times: int) -> Time:
        return Time(self.ns * times) if isinstance(times, int) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Time) -> float:
        """The ratio of two times."""
        return self.ns / other.ns if isinstance(other, Time) else NotImplemented


# What is taken for a time; text has a unit, such as "250us".
Duration = Time | timedelta | str


def _times(value: int | float | Fraction, size: int, unit: str) -> Time:
    exact = Fraction(str(value)) if isinstance(value, float) else Fraction(value)
    total = exact * size
    if total.denominator != 1:
        raise ValueError(f"{value}{unit} is no whole number of nanoseconds")
    return Time(int(total))


def s(value: int | float | Fraction) -> Time:
    """So many seconds; a fraction must be a whole number of nanoseconds."""
    return _times(value, 1_000_000_000, "s")


def ms(value: int | float | Fraction) -> Time:
    """So many milliseconds; a fraction must be a whole number of nanoseconds."""
    return _times(value, 1_000_000, "ms")


def us(value: int | float | Fraction) -> Time:
    """So many microseconds; a fraction must be a whole number of nanoseconds."""
    return _times(value, 1_000, "us")


def ns(value: int) -> Time:
    """So many nanoseconds."""
    return _times(value, 1, "ns")


def written(duration: Duration) -> str:
    """A time as a description has it."""
    if isinstance(duration, Time):
        return str(duration)
    if isinstance(duration, timedelta):
        whole = duration // timedelta(microseconds=1)
        return str(Time(whole * 1_000))
    if isinstance(duration, str):
        return duration
    raise TypeError(f"{duration!r} has no unit: write vorrang.us({duration!r}) or '{duration}us'")
