#!/usr/bin/env python3
"""Same input, same bytes: every example, run twice natively and once as WebAssembly.

    python3 scripts/determinism.py

The compiler for WebAssembly is that of scripts/webassembly.py; node runs the result.
"""

import os
import subprocess
import sys

from webassembly import ROOT, TARGET, TOOLCHAIN, environment

TRIPLE = "wasm32-wasip1"

PATTERNS = ["synchronous", "periodic:1", "random:1", "random:2"]
MILLISECONDS = "300"

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
    histories, size, different = 0, 0, []
    for path in descriptions:
        description = path.read_bytes()
        for pattern in PATTERNS:
            first = run(native, description, pattern)
            again = run(native, description, pattern)
            other = run(webassembly, description, pattern)
            histories, size = histories + 1, size + len(first)
            if not first == again == other:
                different.append(f"{path.relative_to(ROOT)} {pattern}")
    for name in different:
        print(f"different: {name}")
    print(
        f"{histories} histories of {len(descriptions)} descriptions, {size} bytes of events: "
        f"{len(different)} differ between two native runs and WebAssembly"
    )
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
