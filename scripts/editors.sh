#!/bin/sh
# The settings for editors of docs/how-to/in-your-day.md, in these editors: Debian's, in a system of their own below
# target/ (mmdebstrap and tmux the first time).
#
#   sudo sh scripts/editors.sh [VORRANG]       (target/release/vorrang if left out)
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
program=${1:-$target/release/vorrang}
system=$target/editors
[ "$(id -u)" = 0 ] || {
    echo "editors.sh: only root may set up a system: sudo sh scripts/editors.sh" >&2
    exit 1
}
for tool in mmdebstrap tmux; do
    command -v "$tool" >/dev/null || apt-get install -y -q --no-install-recommends "$tool" >/dev/null
done
if [ ! -e "$system/whole" ]; then
    rm -rf "$system"
    # Debian's next release has all three new enough; a mirror may lag behind.
    mmdebstrap --quiet --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' \
        --include=neovim,hx,emacs-nox forky "$system"
    touch "$system/whole"
fi

# What the page shows: the first block of a language behind a word.
page=docs/how-to/in-your-day.md
block() {
    sed -n "/$1/,\$p" "$page" | sed -n '/^```./,/^```$/p' | sed '1d; /^```$/,$d'
}
home=$system/root
mkdir -p "$home/.config/nvim" "$home/.config/helix" "$home/.emacs.d"
block '^Neovim, ' >"$home/.config/nvim/init.lua"
block '^Helix, ' >"$home/.config/helix/languages.toml"
block '^and, for the verdicts' >"$home/.config/helix/config.toml"
block '^Emacs, ' >"$home/.emacs.d/init.el"
cp "$program" "$system/usr/bin/vorrang"
cp examples/proxy-edf.toml "$home/refuted.toml"
sed 's/^budget/buget/' examples/hello.toml >"$home/wrong.toml"
cp scripts/editors/wait.lua scripts/editors/wait.el "$home"

in_it() {
    chroot "$system" /usr/bin/env -i HOME=/root TERM=xterm-256color PATH=/usr/bin:/bin LC_ALL=C.UTF-8 "$@"
}
# Each shows the error of one and the refutation of the other.
for shown in "wrong has no key" "refuted task.control is refuted"; do
    file=${shown%% *}
    words=${shown#* }
    in_it timeout 60 nvim --headless "/root/$file.toml" -c 'luafile /root/wait.lua' >"$system/neovim" 2>&1
    in_it timeout 60 emacs --batch -l /root/.emacs.d/init.el -l /root/wait.el "/root/$file.toml" >"$system/emacs" 2>&1
    tmux new-session -d -s vorrang-editors -x 130 -y 46 \
        "chroot '$system' /usr/bin/env -i HOME=/root TERM=xterm-256color PATH=/usr/bin:/bin LC_ALL=C.UTF-8 hx /root/$file.toml"
    # At most half a minute.
    for _ in $(seq 60); do
        sleep 0.5
        tmux capture-pane -p -t vorrang-editors >"$system/helix"
        ! grep -q "$words" "$system/helix" || break
    done
    tmux kill-session -t vorrang-editors
    for editor in neovim emacs helix; do
        grep -q "$words" "$system/$editor" || {
            echo "editors.sh: $editor does not show \"$words\":" >&2
            cat "$system/$editor" >&2
            exit 1
        }
    done
done
# And the verdict beside the table.
grep -q 'refuted, at most 133ms of 101ms' "$system/neovim"
grep -q '\[task.control\].*refuted, at most 133ms of 101ms' "$system/helix"
in_it nvim --version | head -n 1
in_it hx --version
in_it emacs --version | head -n 1
echo "these editors show what the language server says"
