#!/usr/bin/env bash
# Prints the path of a Chromium for the browser tests: $CHROMIUM, then PATH, then Debian's package
# when this is root on Debian. Never downloads a browser build of its own, never lets tests skip.
set -eu
if [ -n "${CHROMIUM:-}" ]; then
  [ -x "$CHROMIUM" ] || { echo "CHROMIUM=$CHROMIUM is not a program" >&2; exit 1; }
  echo "$CHROMIUM"
  exit 0
fi
find_browser() {
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" && return 0
  done
  return 1
}
find_browser && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; } >&2
  find_browser && exit 0
fi
echo "the browser tests need Chromium; run: sudo apt-get install chromium (or set CHROMIUM=/path/to/chromium)" >&2
exit 1
