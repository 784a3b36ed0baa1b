#!/bin/sh
# What it costs to record a switch by tracefs and by eBPF, and whether both record the same (docs/record.md):
# sudo sh scripts/recording.sh [TURNS [RUNS]]
# With cargo, clang, gcc, bpftool and libbpf, on a kernel with BTF, two processors and tracefs mounted.
set -eu
turns=${1:-300000} runs=${2:-5}
scripts=$(cd "$(dirname "$0")" && pwd)
here=$scripts/recording
(cd "$scripts/.." && cargo run -q -p vorrang-learn --example both)
at=$(mktemp -d)
trap 'rm -rf "$at"' EXIT
cd "$at"
bpftool btf dump file /sys/kernel/btf/vmlinux format c > vmlinux.h
clang -O2 -g -target bpf -D__TARGET_ARCH_x86 -I. -c "$here/switches.bpf.c" -o switches.bpf.o
bpftool gen skeleton switches.bpf.o name switches > switches.skel.h
gcc -O2 -I. "$here/measure.c" -o measure -lbpf -lpthread
for _ in $(seq "$runs"); do
    for kind in 0 1 2 3; do ./measure $kind "$turns"; done
done
