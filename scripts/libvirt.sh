#!/bin/sh
# What `vorrang export --as libvirt` writes, in a domain, against libvirt's own schemas (Debian's packages the first time; nothing
# is installed but the library that xmllint needs). So is the domain of the machine that `import` is shown with.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
vorrang=${VORRANG:-$target/debug/vorrang}
own=$target/libvirt
xmllint=$own/usr/bin/xmllint
schema=$own/usr/share/libvirt/schemas/domain.rng

mkdir -p "$own"
if ! [ -x "$xmllint" ] || ! [ -f "$schema" ]; then
    # The schemas are in libvirt0, from Debian 13 on in libvirt-common.
    (
        cd "$own"
        apt-get download -q libxml2-utils libvirt0
        apt-get download -q libvirt-common 2>/dev/null || true
        for file in *.deb; do dpkg-deb -x "$file" .; done
    )
fi
if ldd "$xmllint" | grep -q "libxml2.*not found"; then
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends libxml2
fi
[ "${1:-}" != --install ] || exit 0

valid() {
    "$xmllint" --noout --relaxng "$schema" "$1" 2>"$own/said.txt" || {
        cat "$1" "$own/said.txt" >&2
        echo "this is no domain of libvirt: $1" >&2
        exit 1
    }
}

# Each `cputune` stands behind a comment with the name of its domain.
count=0
for example in machine kvm-fifo kvm-host industrial-pc; do
    "$vorrang" export "$root/examples/$example.toml" --as libvirt >"$own/$example.txt"
    rm -f "$own/$example"-*.xml
    awk -v into="$own/$example-" '
        /^<cputune>$/ {
            domains++
            file = into domains ".xml"
            print "<domain type=\"kvm\"><name>guest</name><memory>1048576</memory><vcpu>8</vcpu>" >file
        }
        file { print >file }
        /^<\/cputune>$/ {
            print "<os><type arch=\"x86_64\">hvm</type></os></domain>" >file
            close(file)
            file = ""
        }' "$own/$example.txt"
    for domain in "$own/$example"-*.xml; do
        grep -q "<vcpupin vcpu=" "$domain"
        valid "$domain"
        count=$((count + 1))
    done
done
# Both kinds of thread are among them.
grep -q "<vcpusched vcpus=.*scheduler='fifo'" "$own"/*.xml
grep -q "libvirt has no SCHED_DEADLINE" "$own"/*.xml
valid "$root/machines/edge/etc/libvirt/qemu/plc.xml"

# What is wrong is seen: libvirt has no such policy.
sed "s/scheduler='fifo'/scheduler='deadline'/" "$own/kvm-fifo-1.xml" >"$own/wrong.xml"
if "$xmllint" --noout --relaxng "$schema" "$own/wrong.xml" 2>/dev/null; then
    echo "the schema takes anything" >&2
    exit 1
fi
echo "libvirt's schema takes $count domains with what is exported"
