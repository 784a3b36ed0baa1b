#!/usr/bin/env python3
"""A compiler for WebAssembly, and the module of the workbench built with it.

    python3 scripts/webassembly.py            writes web/dist/core.wasm.gz
    python3 scripts/webassembly.py --check    fails where that is not what the sources say

The standard library for WebAssembly is not part of every Rust toolchain, so rustc and its WebAssembly library come from
Debian's archive (the release below) and are unpacked under target/webassembly; nothing is installed. The linker is the
one that the toolchain in use brings. The module names the compiler it was built with: another compiler makes other bytes of
the same sources, so `--check` compares bytes only where the compiler is the same, and says so where it is not; what
the module answers is compared by web/tests in any case.
"""

import gzip
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
MODULE = ROOT / "web/dist/core.wasm.gz"
MADE_BY = ROOT / "web/dist/core.txt"


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


def compiler():
    """Unpacks the packages once and writes the script that runs the compiler."""
    script = TOOLCHAIN / "rustc"
    if script.exists():
        return script
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
    # With its own loader and libraries: they may be newer than those of this machine.
    script.write_text(
        "#!/bin/sh\n"
        f'exec "{libraries}/ld-linux-x86-64.so.2" --library-path "{libraries}" '
        f'"{root}/usr/bin/rustc" --sysroot "{root}/usr" "$@"\n'
    )
    script.chmod(0o755)
    return script


def environment(triple, flags=()):
    """What cargo has to be told to build for `triple` with that compiler."""
    sysroot = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True)
    linker = next(Path(sysroot.stdout.strip()).rglob("rust-lld"))
    name = triple.upper().replace("-", "_")
    return dict(
        os.environ,
        CARGO_TARGET_DIR=str(TOOLCHAIN / "build"),
        RUSTC=str(compiler()),
        # None but that.
        RUSTC_WORKSPACE_WRAPPER="",
        **{
            f"CARGO_TARGET_{name}_LINKER": str(linker),
            f"CARGO_TARGET_{name}_RUSTFLAGS": " ".join(["-Clinker-flavor=wasm-ld", *flags]),
        },
    )


def version():
    """Which compiler that is."""
    return subprocess.run([compiler(), "--version"], capture_output=True, text=True, check=True).stdout


def module():
    """The bytes of the module of the workbench."""
    triple = "wasm32-unknown-unknown"
    # Neither where the sources are nor where crates are kept is in it.
    kept = os.environ.get("CARGO_HOME", Path.home() / ".cargo")
    flags = [f"--remap-path-prefix={ROOT}=", f"--remap-path-prefix={kept}=crates", f"--remap-path-prefix={TOOLCHAIN}="]
    command = ["cargo", "build", "--quiet", "--locked", "--profile", "web", "-p", "vorrang-wasm", "--target", triple]
    subprocess.run(command, cwd=ROOT, env=environment(triple, flags), check=True)
    return (TOOLCHAIN / "build" / triple / "web/vorrang_wasm.wasm").read_bytes()


def main():
    check = "--check" in sys.argv[1:]
    if check and MADE_BY.read_text() != version():
        print(f"web/dist/core.wasm.gz is by {MADE_BY.read_text().strip()}, here is {version().strip()}: bytes are not compared")
        return
    built = module()
    if not check:
        MODULE.parent.mkdir(parents=True, exist_ok=True)
        MODULE.write_bytes(gzip.compress(built, mtime=0))
        MADE_BY.write_text(version())
        print(f"{len(built)} bytes, {MODULE.stat().st_size} compressed")
    elif gzip.decompress(MODULE.read_bytes()) != built:
        sys.exit("web/dist/core.wasm.gz is not what the sources say; run python3 scripts/webassembly.py and commit it")


if __name__ == "__main__":
    main()
