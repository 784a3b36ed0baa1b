#!/bin/sh
# Installs the programs that the lab needs and the machine lacks, as Debian packages. As root, or with
# sudo.
set -eu

missing=
need() { command -v "$1" >/dev/null || missing="$missing $2"; }
need qemu-system-x86_64 qemu-system-x86
need busybox busybox-static
need xz xz-utils
need zstd zstd
if [ -n "$missing" ]; then
    as_root=
    [ "$(id -u)" = 0 ] || as_root=sudo
    $as_root apt-get update -q
    # shellcheck disable=SC2086 # one argument a package
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -q -y --no-install-recommends $missing
fi
