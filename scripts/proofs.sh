#!/bin/sh
# Compiles the theorems of proofs/ with Debian's coq, which is installed where it is missing (as root, or with sudo).
#
#   sh scripts/proofs.sh FILE...    the theorems, then these certificates of `vorrang check --certificate`
#   sh scripts/proofs.sh --install  what it needs, and nothing else
#   sh scripts/proofs.sh --kernel   the theorems, then all of it once more by coqchk, the standard library included
set -eu

proofs=$(cd "$(dirname "$0")/../proofs" && pwd)
built=${CARGO_TARGET_DIR:-$proofs/../target}/proofs
mkdir -p "$built"
built=$(cd "$built" && pwd)
if ! command -v coqc >/dev/null || ! command -v make >/dev/null; then
    as_root=
    [ "$(id -u)" = 0 ] || as_root=sudo
    $as_root apt-get update -q
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -q -y --no-install-recommends coq make
fi
[ "${1:-}" != --install ] || exit 0

# Coq leaves a cache where it runs.
compile() { (cd "$built" && coqc -q -Q . Vorrang "$1"); }

# Each file that changed and all that need it, two at a time.
theories=$(cd "$proofs" && echo *.v)
for file in $theories; do
    cmp -s "$proofs/$file" "$built/$file" || cp "$proofs/$file" "$built/$file"
done
{
    echo "all: $(echo "$theories" | sed 's/\.v\>/.vo/g')"
    (cd "$built" && coqdep -Q . Vorrang $theories) | sed -n 's/^\([A-Za-z]*\.vo\) [^:]*:/\1:/p'
    printf '.DELETE_ON_ERROR:\n%%.vo: %%.v\n\tcoqc -q -Q . Vorrang $<\n'
} >"$built/Makefile"
make --silent --jobs=2 --directory="$built" all

# A proof that was left out, or an axiom, is named here. All theorems at once: each alone goes through all that it rests on.
theorems="certified deferrable_obeys released_obeys held_for_a_period takes_credits none_without_credit handled_within
    task_anywhere from_idle response_from_idle all_in_time control_from_idle log_from_idle
    no_more_than_work deferrable_takes shares_by_priority shares_nested
    woken_stream response_from_request bounds_of_settled is_settled bounds_hold state_follows handled_in_order on_a_core"
cat >"$built/closed.v" <<END
From Vorrang Require Import Certified PseudoRules LastingCredits IdleStart IdleHello WorkInServers InterruptLevel Propagation FirstCome.
Definition theorems := ($(echo $theorems | sed 's/[^ ]*/@&/g; s/ /, /g')).
Print Assumptions theorems.
END
found=$(compile "$built/closed.v")
[ "$found" = "Closed under the global context" ] || { echo "$found" >&2; exit 1; }
echo "$(cat "$proofs"/*.v | wc -l) lines of proofs hold without axioms"

for file in "$@"; do
    if [ "$file" = --kernel ]; then
        coqchk -silent -o -Q "$built" Vorrang Vorrang.Certified Vorrang.PseudoRules Vorrang.LastingCredits Vorrang.IdleHello Vorrang.WorkInServers Vorrang.InterruptLevel \
            Vorrang.Propagation Vorrang.FirstCome 2>&1 | tail -n 20
        continue
    fi
    own=$(mktemp -d)
    cp "$file" "$own/certificates.v"
    compile "$own/certificates.v"
    rm -r "$own"
    echo "$(grep -c '^Lemma ' "$file") lemmas of $file hold"
done
