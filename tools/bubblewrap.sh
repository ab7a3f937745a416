#!/usr/bin/env bash
# Makes sure of bubblewrap for the tests of the sandbox on Linux: from PATH, else Debian's package when
# this is root on Debian. Never lets tests skip.
set -eu
[ "$(uname)" = Linux ] || exit 0
command -v bwrap >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq bubblewrap; } >&2
  command -v bwrap >/dev/null && exit 0
fi
echo "the tests of the sandbox need bubblewrap; run: sudo apt-get install bubblewrap" >&2
exit 1
