#!/bin/sh
# Everything that must hold. The last line counts the tests; the exit code is 0 if all is well.
#
#   sh test.sh
#
# The JSON Schema, the outputs in the README and in the manuals, and the generated example are
# checked for freshness by tests.
set -eu
cd "$(dirname "$0")"

echo "== format"
cargo fmt --all --check

echo "== lints"
cargo clippy --workspace --all-targets -- -D warnings

# With debug assertions, so that the mechanisms look at their own invariants.
echo "== campaign: 50 000 random systems"
cargo run --profile campaign -p vorrang-campaign --bin vorrang-campaign -- --systems 50000

echo "== traces, read with the descriptors of Perfetto (Python; PyPI the first time)"
sh crates/trace/tests/descriptors.sh

echo "== determinism: natively twice, and as WebAssembly"
python3 scripts/determinism.py

echo "== lab: kernels in QEMU (Debian packages the first time)"
sh scripts/lab-setup.sh
cargo run -p vorrang-lab -- run ci

echo "== tests"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{
    cargo test --workspace --no-fail-fast 2>&1 && echo "all test programs succeeded"
} | tee "$log"

# One line for all test programs.
awk '/^test result:/ { passed += $4; failed += $6 }
     END { printf "\n%d passed, %d failed\n", passed, failed }' "$log"
# A pipe hides the exit code of its first part; this line is there only if that was 0.
grep -q '^all test programs succeeded$' "$log"
