#!/bin/sh
# Compiles the theorems of proofs/ with Debian's coq, which is installed where it is missing (as root, or with sudo).
#
#   sh scripts/proofs.sh FILE...    the theorems, then these certificates of `vorrang check --certificate`
#   sh scripts/proofs.sh --kernel   the theorems, then all of it once more by coqchk, the standard library included
set -eu

proofs=$(cd "$(dirname "$0")/../proofs" && pwd)
built=${CARGO_TARGET_DIR:-$proofs/../target}/proofs
mkdir -p "$built"
built=$(cd "$built" && pwd)
if ! command -v coqc >/dev/null; then
    as_root=
    [ "$(id -u)" = 0 ] || as_root=sudo
    $as_root apt-get update -q
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -q -y --no-install-recommends coq
fi

# Coq leaves a cache where it runs.
compile() { (cd "$built" && coqc -q -Q . Vorrang "$1"); }

# Each file that is newer than what was compiled of it, and what comes after it.
stale=
for file in $(cd "$proofs" && coqdep -sort -Q . Vorrang ./*.v); do
    name=$(basename "$file")
    if [ -n "$stale" ] || [ ! -e "$built/${name}o" ] || [ -n "$(find "$proofs/$name" -newer "$built/${name}o")" ]; then
        stale=yes
        cp "$proofs/$name" "$built/$name"
        compile "$built/$name"
    fi
done

# A proof that was left out, or an axiom, would be named here.
printf 'From Vorrang Require Import Certified.\nPrint Assumptions certified.\n' >"$built/closed.v"
compile "$built/closed.v" | grep -q '^Closed under the global context$'
echo "$(cat "$proofs"/*.v | wc -l) lines of proofs hold without axioms"

for file in "$@"; do
    if [ "$file" = --kernel ]; then
        coqchk -silent -o -Q "$built" Vorrang Vorrang.Certified 2>&1 | tail -n 20
        continue
    fi
    own=$(mktemp -d)
    cp "$file" "$own/certificates.v"
    compile "$own/certificates.v"
    rm -r "$own"
    echo "$(grep -c '^Lemma ' "$file") lemmas of $file hold"
done
