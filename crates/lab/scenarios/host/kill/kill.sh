#!/bin/busybox sh
# kill.sh LOANS WHO...: in the middle of so many loans, of "dispatcher", "guard", "probe", "vcpu"; none: only tells
b=/bin/busybox
state() { read -r line < /proc/$1/stat && set -- ${line##*) } && echo $1; }
alive() { for pid in $($b pidof $1); do [ "$(state $pid)" = Z ] || echo $pid; done; }
# The threads that are lent to: others of these processes have a priority of their own, as that of an interrupt has without servers.
lent() {
    for task in ${probe:+/proc/$probe/task/*} ${vcpu:+/proc/$vcpu/task/*} $irq; do
        [ -r $task/stat ] && read -r line < $task/stat || continue
        case $line in *"(vorrang-"* | *"(watcher)"*) continue ;; esac
        whose=$line
        set -- ${line##*) }
        case "$whose ${16}" in *"(irq/"*" -51") echo "lent own" ;; *) echo "lent ${16}" ;; esac
    done
}
count() { n=0; for word in $(lent); do case $word in -*) n=$((n + 1)) ;; esac; done; echo $n; }
probe=$(alive vorrang-probe)
vcpu=$(alive vorrang-vcpu)
irq=
for comm in /proc/[0-9]*/comm; do
    read -r name < $comm && case $name in irq/*vfio*) irq=${comm%/comm} ;; esac
done
if [ $# -gt 0 ]; then
    loans=$1
    shift
    i=0
    while ! [ -s /run/vorrang/host.running ]; do i=$((i + 1)); [ $i -lt 1500 ] || exit 5; $b usleep 20000; done
    $b usleep 401000
    i=0
    # Seldom: credits of a guest that has no time while this looks would pile up.
    while [ $(count) -lt $loans ]; do i=$((i + 1)); [ $i -lt 500 ] || exit 6; $b usleep 37000; done
    numbers=$($b grep -o '"number":[0-9]*' /run/vorrang/host.running | $b cut -d: -f2)
    dispatcher=$(echo $numbers | $b cut -d' ' -f1)
    guard=$(echo $numbers | $b cut -d' ' -f2)
    all=
    for who in "$@"; do eval all=\"$all \$$who\"; done
    echo "in the middle of $(count)"
    $b kill -9 $all
    echo "killed $*"
    $b usleep 600000
fi
lent
for pid in $dispatcher $guard; do
    [ -r /proc/$pid/stat ] && echo "left $pid $(state $pid)"
done
exit 0
