#!/bin/sh
# Tries both Debian packages on a machine: a Debian 13 with systemd and the stock 7.2-rt of its backports, in QEMU. There
# the module is built by DKMS, a description applied by the unit at boot, restored, and all of it removed.
#
#   sudo sh packaging/machine.sh [FOLDER]       (target/release-files if left out)
#
# It changes nothing but target/. Half an hour, most of which the emulator takes to compile the module.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
files=$(cd "${1:-$target/release-files}" && pwd)
[ "$(id -u)" = 0 ] || {
    echo "machine.sh: only root may set up a system: sudo sh packaging/machine.sh" >&2
    exit 1
}
for tool in mmdebstrap mke2fs; do
    command -v "$tool" >/dev/null || apt-get install -y -q --no-install-recommends mmdebstrap e2fsprogs >/dev/null
done
sh scripts/lab-setup.sh

machine=$target/try-machine
trap 'rm -rf "$machine"' EXIT
rm -rf "$machine"
mkdir -p "$machine"
system=$machine/system
archive=http://deb.debian.org/debian
mmdebstrap --quiet --variant=minbase --include=systemd-sysv,udev,kmod,initramfs-tools,zstd,dkms \
    trixie "$system" "deb $archive trixie main" "deb $archive trixie-backports main"
# Of the kernels that the archive has, the newest that the module is for.
in_it() {
    chroot "$system" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
cp /etc/resolv.conf "$system/etc/resolv.conf"
in_it apt-get update -q >/dev/null
release=$(in_it apt-cache search --names-only '^linux-image-7\.2\.[0-9]+\+deb13-rt-amd64$' |
    cut -d' ' -f1 | sort -V | tail -n 1 | sed 's/^linux-image-//')
[ -n "$release" ] || {
    echo "machine.sh: the archive has no kernel 7.2-rt for Debian 13" >&2
    exit 1
}
in_it apt-get install -y -q --no-install-recommends -t trixie-backports "linux-image-$release" "linux-headers-$release" >"$machine/log"
cp "$files"/*.deb packaging/machine/system.toml packaging/machine/steps.sh "$system/srv"
cp packaging/machine/*.service "$system/etc/systemd/system"
install -m 755 packaging/machine/press "$system/usr/local/bin/press"
for unit in steps press; do
    ln -s "../$unit.service" "$system/etc/systemd/system/multi-user.target.wants/$unit.service"
done
cp "$system/boot/vmlinuz-$release" "$machine/kernel"
cp "$system/boot/initrd.img-$release" "$machine/initrd"
mke2fs -q -t ext4 -d "$system" "$machine/disk" 4G

# In emulation everywhere: a virtual machine in one that is virtual itself does not always run.
for boot in first second; do
    timeout 3600 qemu-system-x86_64 -accel tcg,thread=multi -cpu max -smp 2 -m 2G -display none -nic none -no-reboot \
        -kernel "$machine/kernel" -initrd "$machine/initrd" -append "root=/dev/vda rw quiet console=ttyS0" \
        -drive "file=$machine/disk,if=virtio,format=raw" -serial "file:$machine/console" -serial "file:$machine/$boot" </dev/null
done
cat "$machine/first" "$machine/second"
# Both came to their end, and nothing failed.
[ "$(cat "$machine/first" "$machine/second" | grep -c '^the end')" = 2 ]
! grep -q '^NOT' "$machine/first" "$machine/second"
