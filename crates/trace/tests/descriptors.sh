#!/bin/sh
# Reads a trace of every example with the descriptors that Perfetto publishes. Needs Python 3.10
# with pip, and PyPI the first time. VORRANG is the program, if it is not to be built.
set -eu
cd "$(dirname "$0")/../../.."
version=0.59.1
target=${CARGO_TARGET_DIR:-target}/perfetto-$version
vorrang() {
    if [ -n "${VORRANG:-}" ]; then "$VORRANG" "$@"; else cargo run --quiet -- "$@"; fi
}

if [ ! -e "$target/complete" ]; then
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore \
        --target "$target" "perfetto==$version" "protobuf==7.36.2"
    touch "$target/complete"
fi

# A missed requirement (1) or a core that is not simulated (3) is no reason not to look.
trace() {
    file=$1
    shift
    vorrang simulate "$file" "$@" \
        --trace "$target/$(basename "$file" .toml).pftrace" >"$target/output" ||
        case $? in 1 | 3) ;; *) exit 1 ;; esac
}
rm -f "$target"/*.pftrace
for file in examples/*.toml; do
    trace "$file" --for 50ms
done
trace examples/ref10.toml --for 400ms
trace examples/proxy-edf.toml --for 6s
trace examples/storm.toml --for 50ms --witness storm:interrupt.net
data=crates/observe/tests/data
# The description is wrong, and so the exit code is 1.
vorrang observe "$data/wrong.toml" --trace "$data/7.2-rt.trace" \
    --perfetto "$target/machine.observed.pftrace" >"$target/output" || [ $? -eq 1 ]
# Its threads are called as the tasks; one chain takes longer than required, and so the exit code is 3.
sed 's/^\[task\.\(.*\)\]$/&\nthread = "name:task.\1"/' examples/chain.toml >"$target/chain.toml"
vorrang simulate examples/chain.toml --for 200ms --btf "$target/chain.btf" --force \
    --trace "$target/chain.simulated.pftrace" >"$target/output" || [ $? -eq 1 ]
vorrang observe "$target/chain.toml" --trace "$target/chain.btf" \
    --perfetto "$target/chain.observed.pftrace" >"$target/output" || [ $? -eq 3 ]
PYTHONPATH=$target python3 crates/trace/tests/descriptors.py "$target"/*.pftrace
