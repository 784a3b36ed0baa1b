#!/bin/sh
# Puts the sources of the module timer_shield where DKMS looks for them.
#
#   sudo sh packaging/timer-shield/install.sh && sudo dkms install timer_shield/1
#   sh packaging/timer-shield/install.sh DIRECTORY      below DIRECTORY, for a package
set -eu
below=${1:-}
cd "$(dirname "$0")"
version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' dkms.conf)
to="$below/usr/src/timer_shield-$version"
mkdir -p "$to"
cp dkms.conf "$to"
cd ../../kernel/timer_shield
cp Makefile hooks.c interface.c kernel.h main.c processor.c proxy.c queue.c queue.h selftest.c shield.h threads.c "$to"
