#!/bin/sh
# Puts the sources of the module timer_shield where DKMS looks for them: all of them, or none.
#
#   sudo sh packaging/timer-shield/install.sh && sudo dkms install timer_shield/2
#   sh packaging/timer-shield/install.sh DIRECTORY      below DIRECTORY, for a package
set -eu
fail() {
    echo "install.sh: $1; nothing is installed" >&2
    exit 1
}
below=${1:-}
case $below in
'' | /*) ;;
*) below=$PWD/$below ;;
esac
cd "$(dirname "$0")"
version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' dkms.conf) || version=
[ -n "$version" ] || fail "$PWD/dkms.conf states no PACKAGE_VERSION: take the file as it is released"
to=$below/usr/src/timer_shield-$version
new=$to.new
trap 'rm -rf "$new"' EXIT
mkdir -p "$new" || fail "$below/usr/src cannot be written: run this with sudo, or name a directory as its argument"
for file in packaging/timer-shield/dkms.conf kernel/timer_shield/Makefile kernel/timer_shield/cancel.c \
    kernel/timer_shield/files.c kernel/timer_shield/hooks.c \
    kernel/timer_shield/interface.c kernel/timer_shield/kernel.h kernel/timer_shield/main.c \
    kernel/timer_shield/processor.c kernel/timer_shield/proxy.c kernel/timer_shield/queue.c \
    kernel/timer_shield/queue.h kernel/timer_shield/selftest.c kernel/timer_shield/shield.h \
    kernel/timer_shield/threads.c; do
    cp "../../$file" "$new" || fail "$file cannot be copied: run this in a complete copy of Vorrang's sources"
done
rm -rf "$to"
mv "$new" "$to"
