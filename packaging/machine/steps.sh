#!/bin/sh
# In the machine of packaging/machine.sh, at each of two boots: lines `ok` and `NOT`, then the machine is turned off.
export HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
# Whatever happens, it ends.
trap 'systemctl poweroff 2>/dev/null' EXIT
holds() {
    what=$1
    shift
    if "$@" >/tmp/log 2>&1; then
        echo "ok   $what"
    else
        echo "NOT  $what"
        tail -30 /tmp/log
    fi
}
files() {
    find /usr /etc /var/lib/dkms ! -path '*/__pycache__*' ! -name '*.cache' ! -path '/etc/vorrang.toml' | LC_ALL=C sort
}
policy() {
    awk '{ print $41 }' "/proc/$(pidof -x press)/stat"
}
is_applied() {
    [ "$(policy)" = 6 ]
}
is_shielded() {
    grep -q '^timer_shield ' /proc/modules
}
waits() {
    for _ in $(seq 120); do
        "$@" && return
        sleep 1
    done
    false
}

if [ ! -e /srv/before ]; then
    echo "Linux $(uname -r), $(cat /etc/debian_version)"
    files >/srv/before
    holds "dpkg installs both packages, and DKMS builds the module" sh -c 'dpkg -i /srv/*.deb && apt-get check'
    holds "the module is where the kernel finds it" modinfo timer_shield
    holds "the unit is not enabled by itself" sh -c '! systemctl is-enabled vorrang'
    cp /srv/system.toml /etc/vorrang.toml
    holds "the description is proven" vorrang check /etc/vorrang.toml --quiet
    holds "nothing stops it here" vorrang doctor /etc/vorrang.toml
    holds "the plan is shown, and changes nothing" sh -c 'vorrang apply /etc/vorrang.toml | grep sched_setattr'
    holds "the thread is one of SCHED_OTHER" [ "$(policy)" = 0 ]
    holds "the unit is enabled" systemctl enable vorrang
    echo "the end of the first boot"
    exit
fi
holds "the unit applies the description at boot" waits is_applied
holds "the unit is active" waits systemctl is-active vorrang
holds "the module is loaded" is_shielded
# It sleeps nearly always.
holds "what the thread receives is shown" sh -c 'vorrang status --for 2s | tee /dev/stderr | grep -q "^server.press .*asks for less"'
holds "what is applied is written for a node exporter" sh -c 'vorrang status --format prometheus | grep "^vorrang_applied.* 1$"'
holds "the unit is stopped" systemctl stop vorrang
holds "the thread is one of SCHED_OTHER again" [ "$(policy)" = 0 ]
holds "the module is unloaded" sh -c '! grep "^timer_shield " /proc/modules'
holds "the unit is started" systemctl start vorrang
holds "and applies the description" is_applied
holds "both packages are removed" apt-get purge -y -q vorrang vorrang-timer-shield-dkms
holds "what was applied is undone by that" [ "$(policy)" = 0 ]
rm -f /etc/vorrang.toml
files >/srv/after
holds "nothing is left" diff /srv/before /srv/after
holds "of the module neither" sh -c '! modinfo timer_shield && ! grep "^timer_shield " /proc/modules'
holds "no file has its name" sh -c '! find / -xdev -name "*vorrang*" ! -path "/srv/*" | grep .'
echo "the end of the second boot"
