#!/usr/bin/env bash
# Makes sure of curl for the tests of the documented commands: from PATH, else Debian's package when
# this is root on Debian. Never lets tests skip.
set -eu
command -v curl >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq curl; } >&2
  command -v curl >/dev/null && exit 0
fi
echo "the tests of the documentation need curl; run: sudo apt-get install curl" >&2
exit 1
