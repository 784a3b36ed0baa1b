#!/bin/sh
# Reads traces of the examples with the descriptors that Perfetto publishes. Needs Python 3.10 with
# pip, and PyPI the first time.
set -eu
cd "$(dirname "$0")/../../.."
version=0.59.1
target=${CARGO_TARGET_DIR:-target}/perfetto-$version

if [ ! -e "$target/complete" ]; then
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore \
        --target "$target" "perfetto==$version" "protobuf==7.36.2"
    touch "$target/complete"
fi

# A missed requirement (exit code 1) is no reason not to look at the trace.
trace() {
    cargo run --quiet --release -- simulate "$1" --for "$2" \
        --trace "$target/$(basename "$1" .toml).pftrace" >"$target/output" || [ $? -eq 1 ]
}
trace examples/ref10.toml 400ms
trace examples/consolidation.toml 200ms
trace examples/proxy-edf.toml 6s
PYTHONPATH=$target python3 crates/trace/tests/descriptors.py \
    "$target/ref10.pftrace" "$target/consolidation.pftrace" "$target/proxy-edf.pftrace"
