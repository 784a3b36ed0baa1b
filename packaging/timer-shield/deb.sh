#!/bin/sh
# The Debian package vorrang-timer-shield-dkms: the sources of the module, which DKMS builds for each kernel.
#
#   sh packaging/timer-shield/deb.sh FOLDER "NAME <ADDRESS>"
set -eu
to=$(cd "$1" && pwd)
maintainer=$2
cd "$(dirname "$0")"
version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' dkms.conf)
name=vorrang-timer-shield-dkms
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
chmod 755 "$tree"
umask 022
sh install.sh "$tree"
chmod -R u=rwX,go=rX "$tree/usr"
documents=$tree/usr/share/doc/$name
mkdir -p "$documents" "$tree/DEBIAN"
cat >"$documents/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Vorrang

Files: *
Copyright: 2026, The Vorrang authors
License: GPL-2
 On Debian systems the text of this licence is in /usr/share/common-licenses/GPL-2.
END
date=$(LC_ALL=C TZ=UTC date -R -d "@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}")
printf '%s (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md in the sources.\n\n -- %s  %s\n' \
    "$name" "$version" "$maintainer" "$date" | gzip -9n >"$documents/changelog.gz"
cat >"$tree/DEBIAN/control" <<END
Package: $name
Version: $version
Architecture: all
Maintainer: $maintainer
Section: kernel
Priority: optional
Installed-Size: $(du -sk "$tree/usr" | cut -f1)
Depends: dkms (>= 3.0)
Suggests: vorrang
Description: timers of less urgent threads do not interrupt more urgent ones
 The module timer_shield for Linux 6.12 and 7.2, with PREEMPT_RT and without:
 timers that threads arm expire late enough not to interrupt a thread that is
 more urgent. "vorrang apply" loads and configures it.
END
# As dh_dkms writes them: DKMS's own scripts, which all packages of modules call.
cat >"$tree/DEBIAN/postinst" <<END
#!/bin/sh
set -e
case \$1 in
configure) /usr/lib/dkms/common.postinst timer_shield $version "" "" "\$2" ;;
esac
END
cat >"$tree/DEBIAN/prerm" <<END
#!/bin/sh
set -e
case \$1 in
remove | upgrade | deconfigure)
    if [ -n "\$(dkms status -m timer_shield -v $version)" ]; then
        dkms remove -m timer_shield -v $version --all
    fi
    ;;
esac
END
chmod 755 "$tree/DEBIAN/postinst" "$tree/DEBIAN/prerm"
(cd "$tree" && find usr -type f -exec md5sum {} + | LC_ALL=C sort -k2) >"$tree/DEBIAN/md5sums"
dpkg-deb --root-owner-group --build "$tree" "$to/${name}_${version}_all.deb" >/dev/null
