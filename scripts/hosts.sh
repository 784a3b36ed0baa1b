#!/bin/sh
# The files for code hosts and pre-commit, against the schemas that these publish, and as these run them (PyPI the first time).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
venv=$target/hosts

[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install -q "check-jsonschema>=0.30" "pre-commit>=4"
[ "${1:-}" != --install ] || exit 0

cd "$root"
check() {
    "$venv/bin/check-jsonschema" "$@"
}
check --builtin-schema vendor.gitlab-ci --data-transform gitlab-ci examples/ci/gitlab-ci.yml
check --builtin-schema vendor.github-workflows examples/ci/github-workflow.yml
"$venv/bin/pre-commit" validate-manifest .pre-commit-hooks.yaml
"$venv/bin/pre-commit" validate-config examples/ci/pre-commit-config.yaml
if [ -z "${VORRANG:-}" ]; then
    cargo build -p vorrang
    VORRANG=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)/debug/vorrang
fi
"$venv/bin/python" scripts/hosts.py "$VORRANG"
echo "the files for code hosts are what these read"
