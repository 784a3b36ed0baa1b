#!/usr/bin/env python3
"""Speed and memory of the simulator beside SimSo, in one run.

    python3 scripts/simulators.py

Ten rate-monotonic tasks (examples/ref10.toml), 465 jobs a second. SimSo comes from PyPI into a virtual environment under
target/simso. Prints `ratio NAME VALUE (ours RATE, peer RATE)`; a value above 1 means that we are faster.
"""

import os
import re
import subprocess
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PEER = TARGET / "simso"
PEER_VERSION = "0.8.5"
# SimSo keeps all history: more than this and it measures the allocator.
PEER_SECONDS = 20

PEER_PROGRAM = """
import re, sys, time
from simso.configuration import Configuration
from simso.core import Model
seconds, description = int(sys.argv[1]), open(sys.argv[2]).read()
units = {"us": 1e-3, "ms": 1.0}
times = lambda key: [float(v) * units[u] for v, u in re.findall(key + r' = "([0-9.]+)(us|ms)"', description)]
configuration = Configuration()
configuration.cycles_per_ms = 1_000_000
configuration.duration = seconds * 1000 * configuration.cycles_per_ms
for index, (period, wcet) in enumerate(zip(times("period"), times("wcet"))):
    configuration.add_task(name=f"t{index}", identifier=index + 1, period=period, activation_date=0,
                           wcet=wcet, deadline=period)
configuration.add_processor(name="cpu", identifier=1)
configuration.scheduler_info.clas = "simso.schedulers.RM_mono"
configuration.check_all()
model = Model(configuration)
begin = time.perf_counter()
model.run_model()
elapsed = time.perf_counter() - begin
jobs = sum(int(seconds * 1000 / period) for period in times("period"))
print(jobs / elapsed)
"""


def peer_rate():
    """Jobs a second of SimSo."""
    python = PEER / "bin/python"
    if not python.exists():
        venv.create(PEER, with_pip=True)
        command = [python, "-m", "pip", "install", "--quiet", f"simso=={PEER_VERSION}"]
        subprocess.run(command, check=True)
    program = [python, "-c", PEER_PROGRAM, str(PEER_SECONDS), str(ROOT / "examples/ref10.toml")]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    # It prints what it does; the rate is the last line.
    return float(done.stdout.split()[-1])


def our_rates():
    """Jobs a second without and with a trace in a file."""
    command = ["cargo", "run", "--quiet", "--release", "-p", "vorrang-trace", "--example", "traced"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    print(done.stdout, end="")
    found = re.search(r"^ratio ref10-trace-in-a-file \S+ \((\d+) of (\d+) jobs/s", done.stdout, re.M)
    return float(found[2]), float(found[1])


def peak_kib(seconds, *more):
    """The most memory that `vorrang simulate` has for so many seconds, in KiB."""
    program = TARGET / "release/vorrang"
    command = [program, "simulate", ROOT / "examples/ref10.toml", "--for", f"{seconds}s", *more]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    return usage.ru_maxrss


def main():
    subprocess.run(["cargo", "build", "--quiet", "--release", "-p", "vorrang"], cwd=ROOT, check=True)
    alone, traced = our_rates()
    peer = peer_rate()
    print(f"ratio ref10-simulation {alone / peer:.0f} (ours {alone:.0f} jobs/s, peer {peer:.0f} jobs/s)")
    print(f"ratio ref10-trace {traced / peer:.0f} (ours {traced:.0f} jobs/s, peer {peer:.0f} jobs/s without a trace)")
    trace = TARGET / "ref10.pftrace"
    for seconds in (10, 1_000, 20_000):
        print(f"memory of {seconds} s: {peak_kib(seconds)} KiB", end="")
        if seconds <= 1_000:
            print(f", with a trace {peak_kib(seconds, '--trace', trace)} KiB", end="")
        print()
    trace.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
