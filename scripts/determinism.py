#!/usr/bin/env python3
"""Same input, same bytes: every example, run twice natively and once as WebAssembly.

    python3 scripts/determinism.py

The compiler for WebAssembly is that of scripts/webassembly.py; node runs the result.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from webassembly import ROOT, TARGET, TOOLCHAIN, environment

TRIPLE = "wasm32-wasip1"

PATTERNS = ["synchronous", "periodic:1", "random:1", "random:2"]
MILLISECONDS = "150"

RUNNER = """
import { WASI } from 'node:wasi';
import { readFileSync } from 'node:fs';
const [program, ...rest] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: [program, ...rest], env: {} });
const module = await WebAssembly.compile(readFileSync(program));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
"""


def build():
    """The program that prints every event, for this machine and as WebAssembly."""
    # The profile of the tests, which have built the native one.
    example = ["--example", "events"]
    native = ["cargo", "build", "--quiet", "--workspace", *example]
    subprocess.run(native, cwd=ROOT, env=dict(os.environ, CARGO_TARGET_DIR=str(TARGET)), check=True)
    module = ["cargo", "build", "--quiet", "-p", "vorrang-sim", *example, "--target", TRIPLE]
    subprocess.run(module, cwd=ROOT, env=environment(TRIPLE), check=True)
    (TOOLCHAIN / "run.mjs").write_text(RUNNER)
    native = [str(TARGET / "debug/examples/events")]
    runner = str(TOOLCHAIN / "run.mjs")
    module = str(TOOLCHAIN / "build" / TRIPLE / "debug/examples/events.wasm")
    return native, ["node", "--no-warnings", runner, module]


def run(program, description, pattern):
    done = subprocess.run([*program, pattern, MILLISECONDS], input=description, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(program)} {pattern}: {done.stderr.decode()}")
    return done.stdout


def main():
    native, webassembly = build()
    descriptions = sorted([*ROOT.glob("examples/*.toml"), *ROOT.glob("published/systems/*.toml")])

    def history(path, pattern):
        """The size of a history, and whether all three are the same."""
        description = path.read_bytes()
        first, again, other = (run(program, description, pattern) for program in (native, native, webassembly))
        return f"{path.relative_to(ROOT)} {pattern}", len(first), first == again == other

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        pairs = [(path, pattern) for path in descriptions for pattern in PATTERNS]
        histories = list(pool.map(lambda pair: history(*pair), pairs))
    different = [name for name, _, same in histories if not same]
    size = sum(size for _, size, _ in histories)
    for name in different:
        print(f"different: {name}")
    print(
        f"{len(histories)} histories of {len(descriptions)} descriptions, {size} bytes of events: "
        f"{len(different)} differ between two native runs and WebAssembly"
    )
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
