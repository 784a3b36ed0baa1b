#!/bin/busybox sh
# Starts the guest, unless it is there and answers; and once more where it stands still or panics before its own steps are
# done: each start is another one, with other memory.
#
# The guest's processor is of model `kvm64`, without XSAVE: with what the emulated host offers, 7.2 panics in
# `fpu__init_system_xstate`. It leaves at the end of each interrupt (no `kvm-pv-eoi`; `x2apic`, so that this is one write to a
# register). By reading its source, QEMU keeps the number of an interrupt that `VMRUN` injects as a pending exception until
# the guest leaves, and delivers it once more, masked or not, if counted instructions run out before: the guest then waits
# for a lock that it holds itself. Leaving early makes that time short; it does not make it nothing.
b=/bin/busybox
if $b ping -c 1 -W 2 10.9.0.2 > /dev/null 2>&1; then
    echo "it goes on"
    exit 0
fi
[ -e /run/guest.number ] && $b kill -9 $($b cat /run/guest.number)
for start in 1 2 3; do
    while [ -e /sys/class/net/tap0 ]; do $b usleep 100000; done
    $b rm -f /run/records /run/console
    /bin/qemu-system-x86_64 -name guest,debug-threads=on -L /firmware -machine pc,hpet=off,i8042=off,smbus=off \
        -accel kvm -cpu kvm64,+x2apic,-kvm-pv-eoi -nodefaults -no-reboot -display none -monitor none \
        -serial file:/run/console -serial file:/run/records -serial null \
        -netdev tap,id=n0,ifname=tap0,script=no,downscript=no -device virtio-net-pci,netdev=n0,romfile= \
        -kernel /guest/kernel -initrd /guest/image \
        -append "console=ttyS0 panic=-1 quiet nokaslr cryptomgr.notests" \
        -m $((248 + 8 * start)) > /dev/null 2>&1 < /dev/null &
    qemu=$!
    echo $qemu > /run/guest.number
    until [ -e /sys/class/net/tap0 ]; do $b usleep 100000; done
    $b ip address add 10.9.0.1/24 dev tap0
    $b ip link set tap0 up
    i=0
    while [ $i -lt 200 ] && $b kill -0 $qemu 2> /dev/null; do
        if $b grep -q /proc/version /run/records 2> /dev/null; then
            echo "by start $start"
            exit 0
        fi
        i=$((i + 1))
        $b usleep 100000
    done
    $b kill -9 $qemu
    wait $qemu
done
echo "it does not start"
exit 1
