#!/usr/bin/env bash
# Runs pytest. Where at most six tests fail, they run once more, alone: a machine that is busy with
# the other tests makes bounded waits run out. What fails alone fails the run, and what passed only
# alone is named at the end. Values in failed assertions are shown by that second run: to rewrite all
# modules for it takes each process of a fresh clone fifteen seconds.
set -u
python=$1
shift
# A folder of its own, so that no run has to remove what an earlier one has left, and several may go on
# at once. Its name is no word that a test may look for.
folder=${TMPDIR:-/tmp}/tests-$$
mkdir -m 700 "$folder" || exit 1
trap 'rm -rf "$folder"' EXIT
"$python" -m pytest --assert=plain -o cache_dir="$folder/cache" --basetemp "$folder/beside" "$@"
code=$?
[ "$code" = 1 ] || exit "$code"

failed=$("$python" - "$folder/cache/v/cache/lastfailed" <<'PYTHON'
import json, pathlib, sys
print(*json.loads(pathlib.Path(sys.argv[1]).read_text()), sep="\n")
PYTHON
) || exit 1
[ "$(wc -l <<<"$failed")" -le 6 ] || exit 1

alone=()
while [ "$#" -gt 0 ]; do
  case $1 in
    -n | --dist) shift ;;
    *) alone+=("$1") ;;
  esac
  shift
done
printf 'These failed beside the others and run once more, alone:\n%s\n' "$failed"
"$python" -m pytest -o cache_dir="$folder/cache" --last-failed --last-failed-no-failures none --basetemp "$folder/alone" "${alone[@]}" || exit 1
printf 'PASSED ONLY ALONE:\n%s\n' "$failed"
