#!/bin/sh
# Everything that a release consists of, from what is committed: crates, static programs, Debian packages, wheels for
# two architectures, and their checksums.
#
#   sh packaging/release.sh [FOLDER]        (target/release-files if left out; what is in it goes)
#
# The first time this installs cargo-deb (crates.io), maturin and zig (PyPI) below target/, two targets of Rust, and
# Debian's musl-tools: the static program's allocator is compiled with it.
# The maintainer is whom DEBFULLNAME and DEBEMAIL name, as for Debian's own tools, or else git's configuration.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
target=${CARGO_TARGET_DIR:-$root/target}
files=${1:-$target/release-files}
case $files in /*) ;; *) files=$root/$files ;; esac
static=x86_64-unknown-linux-musl
python=$target/release-python

if [ -n "$(git status --porcelain)" ]; then
    echo "release.sh: a release is what is committed, and here something is not (git status)" >&2
    exit 1
fi
version=$(cargo metadata --no-deps --format-version 1 |
    python3 -c 'import json, sys; print(next(p["version"] for p in json.load(sys.stdin)["packages"] if p["name"] == "vorrang"))')
name=${DEBFULLNAME:-$(git config user.name || true)}
mail=${DEBEMAIL:-$(git config user.email || true)}
[ -n "$name" ] && [ -n "$mail" ] || {
    echo "release.sh: no maintainer: set DEBFULLNAME and DEBEMAIL, or git's user.name and user.email" >&2
    exit 1
}
# Every date in the files is that of the commit: the same sources make the same files.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
written=$(LC_ALL=C TZ=UTC date -R -d "@$SOURCE_DATE_EPOCH")

echo "== tools"
rustup target add "$static" aarch64-unknown-linux-gnu
if ! command -v musl-gcc >/dev/null; then
    sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends musl-tools >/dev/null
fi
[ -x "$target/tools/bin/cargo-deb" ] || cargo install --quiet --locked --root "$target/tools" cargo-deb@^3
[ -x "$python/bin/maturin" ] || {
    python3 -m venv "$python"
    "$python/bin/pip" install -q "maturin>=1.9,<2" "ziglang>=0.13,<0.17"
}
rm -rf "$files"
mkdir -p "$files/crates"

echo "== programs"
cargo build --release --target "$static" -p vorrang -p vorrang-host
# What Debian's package, and the archive of the programs, are made of.
parts=$root/target/package
rm -rf "$parts"
mkdir -p "$parts/man"
for program in vorrang vorrang-host; do
    strip -o "$parts/$program" "$target/$static/release/$program"
done
"$parts/vorrang" man --out "$parts/man"
gzip -9n "$parts"/man/*
for shell in bash zsh fish; do
    "$parts/vorrang" completions "$shell" >"$parts/vorrang.$shell"
done
"$parts/vorrang" export examples/machine.toml --as unit |
    sed -e "s|\"[^\"]*machine.toml\"|/etc/vorrang.toml|" -e '1,2d' \
        -e "s|^\[Unit\]|# Applies /etc/vorrang.toml at each boot: write it, then \`systemctl enable --now vorrang\`.\n&|" \
        >"$parts/vorrang.service"
grep -q '^ExecStart=vorrang apply /etc/vorrang.toml ' "$parts/vorrang.service"
cat >"$parts/lintian" <<END
# One package for every release of Debian and Ubuntu, whatever its C library.
vorrang: shared-library-lacks-prerequisites
vorrang: empty-field Depends
# It was packaged by whoever wrote it.
vorrang: initial-upload-closes-no-bugs
END
change() {
    printf '%s (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md in the sources.\n\n -- %s <%s>  %s\n' \
        "$1" "$2" "$name" "$mail" "$written"
}
change vorrang "$version" | gzip -9n >"$parts/changelog.gz"

echo "== Debian packages"
"$target/tools/bin/cargo-deb" deb --quiet --no-build --no-strip --manifest-path crates/vorrang/Cargo.toml \
    --maintainer "$name <$mail>" --deb-version "$version" --output "$files/vorrang_${version}_amd64.deb"
sh packaging/timer-shield/deb.sh "$files" "$name <$mail>"

echo "== archive of the programs"
archive=vorrang-$version-x86_64-linux
cp LICENSE-APACHE LICENSE-MIT CHANGELOG.md "$parts"
cp -R examples "$parts/examples"
rm -f "$parts/lintian" "$parts/changelog.gz"
tar -C "$parts" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --transform "s|^\.|$archive|" -cf - . | gzip -9n >"$files/$archive.tar.gz"

echo "== wheels"
for architecture in x86_64 aarch64; do
    # zig links against a C library that is old enough for manylinux.
    PATH=$python/bin:$PATH maturin build -q --release --zig --compatibility manylinux2014 --target "$architecture-unknown-linux-gnu" \
        --manifest-path crates/python/Cargo.toml --out "$files"
done

echo "== crates"
rm -rf "$target/package/tmp-registry"
cargo package --quiet --workspace --no-verify --target-dir "$target/crates" \
    $(cargo metadata --no-deps --format-version 1 | python3 -c '
import json, sys
for package in json.load(sys.stdin)["packages"]:
    if package["publish"] == []:
        print("--exclude", package["name"])')
cp "$target"/crates/package/*.crate "$files/crates"

echo "== checksums"
(cd "$files" && find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
(cd "$files" && wc -l <SHA256SUMS | xargs echo "files:" && du -h -- *.deb *.tar.gz *.whl)
