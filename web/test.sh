#!/bin/sh
# Everything that must hold of the pages: types, lint, fresh bundles, and the pages in a real browser.
#
# The first time it installs Chromium (Debian's) and the packages of package-lock.json (npm). `VORRANG` may
# name the program that makes the reports; otherwise it is built. With `--install` it does nothing else.
set -eu
cd "$(dirname "$0")"

if ! command -v chromium >/dev/null; then
    sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core
fi
# Anew where the packages that are asked for have changed.
if ! cmp -s package-lock.json node_modules/.of-lock; then
    npm ci --no-audit --no-fund --loglevel=error
    cp package-lock.json node_modules/.of-lock
fi
[ "${1:-}" != --install ] || exit 0
if [ -z "${VORRANG:-}" ]; then
    (cd .. && cargo build -p vorrang)
    VORRANG=$(cd "${CARGO_TARGET_DIR:-../target}" && pwd)/debug/vorrang
fi
export VORRANG

npm run --silent types
npm run --silent lint
npm run --silent fresh
npm run --silent test
echo "all of the pages hold"
