#!/bin/sh
# Puts the package into a virtual environment of its own, and tests what is there. PyPI the first time. VORRANG is the
# program that it is held against, if not the one that is built with it.
#
# The extension is built with the whole workspace, most of which the tests have built: a wheel asks for the package alone, which
# has fewer features of what all of them need, and builds nearly everything once more. Wheels are built, installed and tried
# for a release (packaging/release.sh, packaging/try.sh).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
venv=$target/python

[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install -q "mypy>=1.11" "pytest>=8" "pytest-xdist>=3" "ruff>=0.8" typing_extensions \
    convolutionalfixedsum "distributed>=2024.8" drs ipykernel "matplotlib>=3.8" nbclient nbformat pandas polars "pyarrow>=15" \
    "ray>=2.30" "response-time-analysis>=0.1.1,<0.2"
[ "${1:-}" != --install ] || exit 0

cd "$root"
# Examples ask for the features that tests ask for.
cargo build --quiet --workspace --lib --examples --bin vorrang
VORRANG=${VORRANG:-$target/debug/vorrang}

cd "$here"
packages=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
rm -rf "$packages/vorrang"
cp -R python/vorrang "$packages"
cp "$target/debug/lib_vorrang.so" "$packages/vorrang/_vorrang.abi3.so"
"$venv/bin/ruff" format --check -q .
"$venv/bin/ruff" check -q .
"$venv/bin/mypy"
VORRANG=$VORRANG "$venv/bin/pytest" -n auto
echo "all of the Python package holds"
