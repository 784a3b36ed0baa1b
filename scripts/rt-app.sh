#!/bin/sh
# What `vorrang export --as rt-app` writes, run by rt-app itself (Debian's package the first time; nothing is installed but
# the library that it needs). As root: it sets SCHED_FIFO and SCHED_DEADLINE on two processors, for a second.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
vorrang=${VORRANG:-$target/debug/vorrang}
own=$target/rt-app

mkdir -p "$own"
if ! [ -x "$own/usr/bin/rt-app" ]; then
    (cd "$own" && apt-get download -q rt-app && dpkg-deb -x rt-app_*.deb .)
fi
if ldd "$own/usr/bin/rt-app" | grep -q "libjson-c.*not found"; then
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends libjson-c5
fi
[ "${1:-}" != --install ] || exit 0

# Its text without line breaks has each of these words.
says() {
    text=$1
    shift
    for words in "$@"; do
        tr -s '\n' ' ' <"$text" | grep -q "$words" || {
            cat "$text" >&2
            echo "not in $text: $words" >&2
            exit 1
        }
    done
}

cd "$own"
rm -f ./*.log
"$vorrang" export "$root/examples/machine.toml" --as rt-app | sed 's/"duration": 10/"duration": 1/' >machine.json
"$own/usr/bin/rt-app" machine.json >said.txt 2>&1 || {
    cat said.txt >&2
    exit 1
}
# Its own words for what it has read: priorities, and nanoseconds.
says said.txt \
    "Using SCHED_FIFO policy with priority 10" \
    "Using SCHED_DEADLINE policy" \
    "period: 10000000, exec: 1000000, deadline: 10000000"
# Each thread ran as often as its period says, but for the first and last: columns of its log are index, calibration, run, period (us).
for thread in receive=10000=90 logger=100000=8; do
    name=${thread%%=*}
    rest=${thread#*=}
    awk -v name="$name" -v period="${rest%=*}" -v least="${rest#*=}" '
        /^ *[0-9]/ { jobs++; sum += $4 }
        END {
            mean = jobs ? sum / jobs : 0
            ok = jobs >= least && mean > period * 0.9 && mean < period * 1.1
            printf "%s: %d jobs, a period of %d us\n", name, jobs, mean
            exit !ok
        }' rt-app-"$name"-*.log
done
# And back: what rt-app was told is read as the tasks that the description has.
"$vorrang" import machine.json >imported.txt
says imported.txt \
    '\[server.receive\] on = "?" server = "sched-deadline" budget = "1ms" period = "10ms"' \
    '\[task.receive\] on = "server.receive" wcet = "500us" period = "10ms"' \
    '\[task.logger\] on = "core.1" wcet = "2ms" period = "100ms" priority = 10'
echo "rt-app runs what is exported"
