#!/bin/sh
# Tries what packaging/release.sh has made, as its users would: on fresh Debian systems, and with an empty cargo home.
#
#   sudo sh packaging/try.sh [FOLDER]       (target/release-files if left out)
#
# It changes nothing but target/: Debian 12 and 13 are set up there (Debian's mmdebstrap, lintian and qemu-user-static
# the first time).
set -eu
cd "$(dirname "$0")/.."
root=$PWD
target=${CARGO_TARGET_DIR:-$root/target}
files=$(cd "${1:-$target/release-files}" && pwd)
[ "$(id -u)" = 0 ] || {
    echo "try.sh: only root may set up a system to install packages in: sudo sh packaging/try.sh" >&2
    exit 1
}
passed=0
failed=0
holds() {
    what=$1
    shift
    if "$@" >"$target/try.log" 2>&1; then
        passed=$((passed + 1))
        echo "ok   $what"
    else
        failed=$((failed + 1))
        echo "NOT  $what"
        tail -20 "$target/try.log"
    fi
}
command -v mmdebstrap >/dev/null && command -v lintian >/dev/null && command -v qemu-aarch64-static >/dev/null ||
    apt-get install -y -q --no-install-recommends mmdebstrap lintian qemu-user-static >/dev/null
cpu=$(uname -m)
package=$(ls "$files"/vorrang_*.deb)
dkms=$(ls "$files"/vorrang-timer-shield-dkms_*.deb)
version=$(dpkg-deb --field "$package" Version)

echo "== checksums and lintian"
holds "the checksums" sh -c "cd '$files' && sha256sum --check --quiet --strict SHA256SUMS"
holds "lintian says nothing of $(basename "$package")" lintian --fail-on error,warning --suppress-tags no-manual-page "$package"
holds "lintian says nothing of $(basename "$dkms")" lintian --fail-on error,warning "$dkms"

for suite in bookworm trixie; do
    echo "== $suite"
    system=$target/try/$suite
    rm -rf "$system"
    mkdir -p "$target/try"
    mmdebstrap --quiet --variant=minbase --include=man-db,bash-completion "$suite" "$system"
    cp "$package" "$dkms" "$system/srv"
    in_it() {
        chroot "$system" /usr/bin/env -i HOME=/nonexistent PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
    }
    mount -t proc proc "$system/proc"
    in_it apt-get update -q >/dev/null
    before=$(in_it find /usr /etc -xdev ! -path '*/__pycache__*' | LC_ALL=C sort | sha256sum)
    holds "apt installs it" in_it apt-get install -y -q "/srv/$(basename "$package")"
    holds "it proves its example" in_it vorrang check /usr/share/doc/vorrang/examples/hello.toml --quiet
    holds "vorrang-host answers" in_it vorrang-host --version
    holds "there are manual pages" in_it sh -c 'man -w vorrang-check && man -w vorrang-host'
    holds "bash completes" in_it bash -c '. /usr/share/bash-completion/completions/vorrang && complete -p vorrang'
    holds "apt removes it" in_it apt-get purge -y -q vorrang
    after=$(in_it find /usr /etc -xdev ! -path '*/__pycache__*' | LC_ALL=C sort | sha256sum)
    holds "nothing of it is left" [ "$before" = "$after" ]
    if [ "$suite" = trixie ]; then
        # Its kernel is a 6.12, which the module is for.
        holds "apt installs the module's sources, and DKMS builds them" in_it apt-get install -y -q \
            linux-headers-amd64 "/srv/$(basename "$dkms")"
        holds "the module is where the kernel finds it" in_it sh -c 'ls /lib/modules/*/updates/dkms/timer_shield.ko*'
        holds "apt removes them" in_it apt-get purge -y -q vorrang-timer-shield-dkms
        holds "and the module" in_it sh -c '! ls /lib/modules/*/updates/dkms/timer_shield.ko* && ! ls -d /usr/src/timer_shield*'
    fi
    umount "$system/proc"
    rm -rf "$system"
done

echo "== archive and wheel"
alone=$target/try/alone
rm -rf "$alone"
mkdir -p "$alone"
tar -C "$alone" --strip-components=1 -xf "$files"/vorrang-*-x86_64-linux.tar.gz
holds "the archive's program proves its example" env -i "$alone/vorrang" check "$alone/examples/hello.toml" --quiet
python3 -m venv "$alone/venv"
holds "pip installs the wheel of this processor" "$alone/venv/bin/pip" install -q --no-index "$(ls "$files"/*"$cpu".whl)"
holds "the wheel proves the example" "$alone/venv/bin/python" -c \
    "import vorrang; assert vorrang.load('examples/hello.toml').check().verdict == 'proven'"

# Of the other processor, in emulation: Debian's Python for it, unpacked, and one process.
other=$target/try/aarch64
rm -rf "$other"
mmdebstrap --quiet --variant=extract --architectures=arm64 --include=python3,libc6 trixie "$other"
[ -e "$other/lib" ] || ln -s usr/lib "$other/lib"
mkdir -p "$other/srv"
cp "$(command -v qemu-aarch64-static)" examples/hello.toml "$other/srv"
python3 -m zipfile -e "$(ls "$files"/*aarch64.whl)" "$other/srv/wheel"
holds "the wheel for AArch64 proves the example" env -i PATH="$PATH" PYTHONPATH=/srv/wheel chroot "$other" \
    /srv/qemu-aarch64-static /usr/bin/python3 -c \
    "import platform, vorrang; assert platform.machine() == 'aarch64' and vorrang.load('/srv/hello.toml').check().verdict == 'proven'"

echo "== crates, from these files alone"
registry=$target/try/registry
rm -rf "$registry" "$target/try/home"
cargo vendor --quiet --locked "$registry" >/dev/null
for crate in "$files"/crates/*.crate; do
    name=$(basename "$crate" .crate)
    tar -C "$registry" -xf "$crate"
    printf '{"files":{},"package":"%s"}' "$(sha256sum <"$crate" | cut -d' ' -f1)" >"$registry/$name/.cargo-checksum.json"
done
mkdir -p "$target/try/home"
cat >"$target/try/home/config.toml" <<END
[source.crates-io]
replace-with = "packaged"
[source.packaged]
directory = "$registry"
END
# Each by itself: what its page shows, in a package that has nothing to do with the workspace.
for name in vorrang-timer vorrang-mechanisms vorrang-figure; do
    apart=$(mktemp -d)
    mkdir "$apart/src"
    sed -n '/^```rust$/,/^```$/{/^```/d;p}' "$registry/$name-$version/README.md" >"$apart/src/main.rs"
    printf '[package]\nname = "apart"\nedition = "2024"\n[dependencies]\n%s = "*"\nvorrang-time = "*"\n' "$name" >"$apart/Cargo.toml"
    holds "what the page of $name shows" env CARGO_HOME="$target/try/home" CARGO_TARGET_DIR="$apart/target" \
        cargo run --quiet --offline --manifest-path "$apart/Cargo.toml"
    rm -rf "$apart"
done
# Empty but for where crates are from. Less optimised than a user's, and sooner built.
for name in vorrang vorrang-host; do
    holds "cargo install $name" env CARGO_HOME="$target/try/home" CARGO_PROFILE_RELEASE_OPT_LEVEL=1 \
        CARGO_TARGET_DIR="$target/try/build" cargo install --quiet --offline --locked --root "$target/try/installed" "$name"
done
holds "what is installed proves the example" "$target/try/installed/bin/vorrang" check examples/hello.toml --quiet
rm -rf "$target/try"

echo
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
