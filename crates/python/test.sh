#!/bin/sh
# Builds the wheel, installs it into a virtual environment of its own, and tests what is installed there.
# PyPI the first time. VORRANG is the program that it is held against, if that is not to be built.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
venv=$target/python
wheels=$target/wheels

[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install -q "maturin>=1.9,<2" "mypy>=1.11" "pytest>=8" "pytest-xdist>=3" "ruff>=0.8" typing_extensions \
    convolutionalfixedsum "distributed>=2024.8" drs ipykernel "matplotlib>=3.8" nbclient nbformat pandas polars "pyarrow>=15" \
    "ray>=2.30" "response-time-analysis>=0.1.1,<0.2"

cd "$root"
if [ -z "${VORRANG:-}" ]; then
    cargo build -p vorrang
    VORRANG=$target/debug/vorrang
fi
rm -rf "$wheels"
# With the profile of the tests, which is soon built.
"$venv/bin/maturin" build -q --profile dev --manifest-path crates/python/Cargo.toml --out "$wheels"
"$venv/bin/pip" install -q --force-reinstall --no-deps "$wheels"/*.whl

cd "$here"
"$venv/bin/ruff" format --check -q .
"$venv/bin/ruff" check -q .
"$venv/bin/mypy"
VORRANG=$VORRANG "$venv/bin/pytest" -n auto
echo "all of the Python package holds"
