#!/usr/bin/env python3
"""The time from an edit of one core among many to the new verdict, of `vorrang check --watch`.

    scripts/edits.py [--vorrang target/release/vorrang] [--cores 64] [--edits 20]

The description is that of the row `cores` of scripts/growth.py. Each edit is another execution time of one task. Printed
is the processor time that the program takes from one verdict to the next, and the time from the save to the verdict, in
which it waits for the file to be still. Afterwards the last result is compared with that of a first check.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from growth import cores_by_size


def used(process: int) -> int:
    """The processor time of a process so far, in nanoseconds."""
    tasks = Path(f"/proc/{process}/task")
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir())


class Watching:
    """A program that judges a file after each save."""

    def __init__(self, program: Path, file: Path) -> None:
        self.file = file
        self.program = subprocess.Popen([program, "check", file, "--watch"], stdout=subprocess.PIPE)
        assert self.program.stdout is not None
        self.out = self.program.stdout.fileno()

    def verdict(self) -> str:
        """The next result, which ends with the histories that were simulated."""
        text = b""
        while b"\nSimulated " not in text or not text.endswith(b"\n"):
            more = os.read(self.out, 1 << 20)
            if not more:
                sys.exit("it ended by itself")
            text += more
        return text.decode()

    def edited(self, text: str) -> tuple[float, float, str]:
        """Saves another text: processor time and time until its verdict in ms, and the result."""
        before, begin = used(self.program.pid), time.monotonic()
        draft = self.file.with_suffix(".draft")
        draft.write_text(text)
        draft.rename(self.file)
        result = self.verdict()
        took, spent = time.monotonic() - begin, used(self.program.pid) - before
        return spent / 1e6, took * 1e3, result


def edits(text: str, count: int, draw: random.Random) -> Iterator[str]:
    """Texts in each of which one more execution time is a little shorter."""
    for _ in range(count):
        time = draw.choice(list(re.finditer(r'(?<=^wcet = ")\d+(?=ns"$)', text, re.MULTILINE)))
        wcet = int(time.group())
        text = f"{text[: time.start()]}{wcet - wcet // 20}{text[time.end() :]}"
        yield text


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--vorrang", type=Path, default=Path("target/release/vorrang"))
    arguments.add_argument("--cores", type=int, default=64)
    arguments.add_argument("--edits", type=int, default=20)
    asked = arguments.parse_args()
    text = "version = 1\n" + "\n".join(cores_by_size(asked.cores, random.Random(1)))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "system.toml"
        file.write_text(text)
        watching = Watching(asked.vorrang, file)
        watching.verdict()
        times, result = [], ""
        for text in edits(text, asked.edits, random.Random(2)):
            *took, result = watching.edited(text)
            times.append(took)
        watching.program.send_signal(signal.SIGINT)
        watching.program.wait()
        first = subprocess.run([asked.vorrang, "check", file], stdout=subprocess.PIPE, text=True)
    if first.stdout != result:
        sys.exit("the result after edits is not that of a first check")
    for name, of in zip(("processor time", "from the save to the verdict"), zip(*times)):
        print(f"{name}: median {statistics.median(of):.1f} ms, at most {max(of):.1f} ms")


if __name__ == "__main__":
    main()
