#!/bin/sh
# Everything that must hold. The last line counts the tests; the exit code is 0 if all is well.
#
#   sh test.sh quick   format, lints and tests: before a commit
#   sh test.sh         these, then what takes longer: random systems, other readers, kernels in QEMU
#
# The JSON Schema, the outputs in the README and in the manuals, and the generated example are
# checked for freshness by tests.
set -eu
cd "$(dirname "$0")"

what=${1:-all}
case $what in
quick | all) ;;
*)
    echo "usage: sh test.sh [quick]" >&2
    exit 2
    ;;
esac

# All of it is seldom run twice after little was changed: incremental compilation costs a seventh (of one crate, measured).
[ "$what" = quick ] || export CARGO_INCREMENTAL="${CARGO_INCREMENTAL:-0}"

begin=$(date +%s)
stage() {
    echo "== $1 [$(($(date +%s) - begin)) s]"
}

stage "format"
cargo fmt --all --check

# What others have packed (Debian, npm, PyPI) comes over a network, while a processor compiles. One stage after the other: the
# first one tells Debian's lists, and packages are installed by one program at a time.
if [ "$what" = all ]; then
    packages=${CARGO_TARGET_DIR:-target}/packages.log
    mkdir -p "${packages%/*}"
    (
        set -e
        for needs in scripts/proofs.sh web/test.sh crates/python/test.sh scripts/hosts.sh scripts/rt-app.sh scripts/libvirt.sh; do
            sh "$needs" --install
        done
        sh scripts/lab-setup.sh
    ) >"$packages" 2>&1 &
    installed=$!
fi

if [ "$what" = all ]; then
    stage "lints, and programs"
    # The compiler with lints: nothing is compiled once for these and once more for the tests. Only `quick` sees a benchmark.
    compiler=clippy-driver
    said=$(mktemp)
    RUSTC_WORKSPACE_WRAPPER=$compiler cargo test --workspace --no-run 2>&1 | tee "$said"
    grep -q '^ *Finished ' "$said"
    if grep -q '^warning' "$said"; then
        exit 1
    fi
    rm -f "$said"
else
    stage "lints"
    compiler=
    cargo clippy --workspace --all-targets -- -D warnings
fi

stage "tests"
log=$(mktemp)
# One line for all test programs, whatever ends this.
count() {
    awk '/^test result:/ { passed += $4; failed += $6 }
         /^[0-9]+ passed in / { passed += $1 }
         /^# pass [0-9]+$/ { passed += $3 }
         /^# fail [0-9]+$/ { failed += $3 }
         END { printf "\n%d passed, %d failed\n", passed, failed }' "$log"
    rm -f "$log"
}
trap count EXIT
{
    RUSTC_WORKSPACE_WRAPPER=$compiler cargo test --workspace --no-fail-fast 2>&1 && echo "all test programs succeeded"
} | tee "$log"
# A pipe hides the exit code of its first part; this line is there only if that was 0.
grep -q '^all test programs succeeded$' "$log"

if [ "$what" = all ]; then
    # As the tests have built them: a package by itself asks for fewer features of what all of them need, and
    # would have nearly everything built once more.
    programs=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)/debug
    export VORRANG="$programs/vorrang"

    # As the tests have built it, with the mechanisms' own assertions: to build it for speed takes longer than it saves.
    stage "campaign: 1 000 random systems"
    "$programs/vorrang-campaign" --systems 1000 --sets 25000 --forked-one-in 8 --polls-one-in 15

    stage "campaign: all histories of 440 small systems"
    "$programs/vorrang-campaign" --exhaustive 440

    stage "packages: what came of them"
    code=0
    wait "$installed" || code=$?
    [ "$code" = 0 ] || {
        cat "$packages"
        exit 1
    }

    # Half of the time each of these waits for something else than a processor, so two go on at a time.
    stage "proofs, beside the next two stages: the theorems in Coq, certificates, and the two checkers"
    # Of irq-reservations one requirement is refuted, of interrupts one undecided.
    for example in hello=0 consolidation=0 irq-reservations=1 interrupts=3 kvm-host=0; do
        name=${example%=*}
        code=0
        "$VORRANG" check "examples/$name.toml" --certificate "$programs/$name.v" --force --quiet || code=$?
        [ "$code" = "${example#*=}" ]
    done
    "$programs/examples/certificates" 500 >"$programs/answers.v"
    sh scripts/proofs.sh "$programs/hello.v" "$programs/consolidation.v" "$programs/irq-reservations.v" \
        "$programs/interrupts.v" "$programs/kvm-host.v" "$programs/answers.v" >"$programs/proofs.log" 2>&1 &
    proofs=$!

    stage "pages in a browser"
    sh web/test.sh 2>&1 | tee -a "$log"
    grep -q '^all of the pages hold$' "$log"

    stage "the Python package"
    RUSTC_WORKSPACE_WRAPPER=$compiler sh crates/python/test.sh 2>&1 | tee -a "$log"
    grep -q '^all of the Python package holds$' "$log"

    stage "proofs: what came out"
    code=0
    wait "$proofs" || code=$?
    cat "$programs/proofs.log"
    [ "$code" = 0 ]

    stage "files for code hosts and pre-commit, against their schemas"
    sh scripts/hosts.sh

    stage "traces, read with the descriptors of Perfetto (Python; PyPI the first time)"
    sh crates/trace/tests/descriptors.sh

    stage "determinism: natively twice, and as WebAssembly"
    RUSTC_WORKSPACE_WRAPPER=$compiler python3 scripts/determinism.py

    stage "rt-app runs what is exported for it"
    sh scripts/rt-app.sh

    stage "libvirt's schemas take what is exported for it"
    sh scripts/libvirt.sh

    stage "lab: kernels in QEMU (Debian packages the first time)"
    "$programs/vorrang-lab" run ci
fi
