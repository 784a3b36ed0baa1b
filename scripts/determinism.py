#!/usr/bin/env python3
"""Same input, same bytes: every example, run twice natively and once as WebAssembly.

    python3 scripts/determinism.py

The standard library for WebAssembly is not part of every Rust toolchain, so rustc and its WebAssembly library come from
Debian's archive (the release below) and are unpacked under target/webassembly; nothing is installed. node runs the
result. The linker is the one that the toolchain in use brings.
"""

import hashlib
import lzma
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
TOOLCHAIN = TARGET / "webassembly"
ARCHIVE = "http://deb.debian.org/debian/"
# The first release whose rustc is at least the workspace's rust-version.
RELEASE = "forky"
WANTED = ["rustc", "libstd-rust-dev-wasm32"]
# Needed to link programs for this machine only, which the toolchain in use does.
NOT_NEEDED = {"gcc", "libc-dev", "libc6-dev", "binutils"}
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


def packages():
    """The archive's index: name to fields."""
    index = urllib.request.urlopen(f"{ARCHIVE}dists/{RELEASE}/main/binary-amd64/Packages.xz").read()
    found = {}
    for paragraph in lzma.decompress(index).decode().split("\n\n"):
        fields = dict(re.findall(r"^(\w[\w-]*): (.*)$", paragraph, re.M))
        if "Package" in fields:
            found.setdefault(fields["Package"], fields)
    return found


def closure(index):
    """The wanted packages and all that they depend on."""
    providers = {}
    for name, fields in index.items():
        for provided in re.split(r",\s*", fields.get("Provides", "")):
            providers.setdefault(provided.split(" ")[0], name)
    waiting, needed = list(WANTED), []
    while waiting:
        name = waiting.pop()
        name = name if name in index else providers.get(name)
        if name is None or name in needed or name in NOT_NEEDED:
            continue
        needed.append(name)
        for field in ("Depends", "Pre-Depends"):
            for alternatives in re.split(r",\s*", index[name].get(field, "")):
                first = alternatives.split("|")[0].strip().split(" ")[0].split(":")[0]
                if first:
                    waiting.append(first)
    return needed


def unpack_toolchain():
    """Unpacks the packages once and writes the script that runs the compiler."""
    compiler = TOOLCHAIN / "rustc"
    if compiler.exists():
        return compiler
    root = TOOLCHAIN / "root"
    root.mkdir(parents=True, exist_ok=True)
    index = packages()
    for name in closure(index):
        fields = index[name]
        archive = TOOLCHAIN / "package.deb"
        content = urllib.request.urlopen(ARCHIVE + fields["Filename"]).read()
        if hashlib.sha256(content).hexdigest() != fields["SHA256"]:
            sys.exit(f"{name}: the checksum differs from the index")
        archive.write_bytes(content)
        subprocess.run(["dpkg-deb", "--extract", archive, root], check=True)
        archive.unlink()
    libraries = root / "usr/lib/x86_64-linux-gnu"
    (TOOLCHAIN / "run.mjs").write_text(RUNNER)
    # With its own loader and libraries: they may be newer than those of this machine.
    compiler.write_text(
        "#!/bin/sh\n"
        f'exec "{libraries}/ld-linux-x86-64.so.2" --library-path "{libraries}" '
        f'"{root}/usr/bin/rustc" --sysroot "{root}/usr" "$@"\n'
    )
    compiler.chmod(0o755)
    return compiler


def build(compiler):
    """The program that prints every event, for this machine and as WebAssembly."""
    # The profile of the campaign, which is built anyway where both are run.
    command = ["cargo", "build", "--quiet", "--profile", "campaign", "-p", "vorrang-sim", "--example", "events"]
    environment = dict(os.environ, CARGO_TARGET_DIR=str(TARGET))
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    sysroot = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True)
    linker = next(Path(sysroot.stdout.strip()).rglob("rust-lld"))
    target = TOOLCHAIN / "build"
    environment |= {
        "CARGO_TARGET_DIR": str(target),
        "RUSTC": str(compiler),
        "CARGO_TARGET_WASM32_WASIP1_LINKER": str(linker),
        "CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS": "-Clinker-flavor=wasm-ld",
    }
    subprocess.run([*command, "--target", TRIPLE], cwd=ROOT, env=environment, check=True)
    native = [str(TARGET / "campaign/examples/events")]
    runner = str(TOOLCHAIN / "run.mjs")
    module = str(target / TRIPLE / "campaign/examples/events.wasm")
    return native, ["node", "--no-warnings", runner, module]


def run(program, description, pattern):
    done = subprocess.run([*program, pattern, MILLISECONDS], input=description, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(program)} {pattern}: {done.stderr.decode()}")
    return done.stdout


def main():
    native, webassembly = build(unpack_toolchain())
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
