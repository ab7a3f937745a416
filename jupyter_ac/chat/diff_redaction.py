"""Redacts a commit's diff before it is sent to a model: the contents of some files are left out.

Only the names are sent of files that seem to hold a secret, and of files that git did not track
before the program staged everything; of excluded files nothing at all.
"""

import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Final

from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.git.likely_secrets import secret_warnings

_FILE: Final = "\ndiff --git "
_HEADER: Final = _FILE[1:]
_SUSPECT: Final = "[content left out: looks like a secret]\n"
_UNTRACKED: Final = "[content left out: git did not track it before]\n"
_KEPT: Final = ("new file mode ", "deleted file mode ", "rename from ", "rename to ")
_RENAMES: Final = _KEPT[2:]
_ESCAPE: Final = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_LETTERS: Final = dict(zip(b"abtnvfr", b"\a\b\t\n\v\f\r", strict=True))


def file_diffs(diff: str) -> list[str]:
    """Cut a diff into those of its files; what stands before the first one is a part, too."""
    edges = [0]
    # Quicker than an expression, which would hold up the other threads in a long diff.
    while (at := diff.find(_FILE, edges[-1])) >= 0:
        edges.append(at + 1)
    edges.append(len(diff))
    return [diff[start:end] for start, end in pairwise(edges)]


def redacted(diff: str, untracked: Collection[str] = ()) -> str:
    """Return a diff without the contents that must not be sent.

    Args:
        diff: as git writes it.
        untracked: files that git did not track before they were staged for this commit.
    """
    return "".join(_redacted(part, untracked) for part in file_diffs(diff))


def without_excluded(diff: str, excluded: ExcludedPaths) -> str:
    """Return a diff without the files that the user has excluded, by all of their names."""
    if not excluded.paths:
        return diff
    return "".join(part for part in file_diffs(diff) if not _is_excluded(part, excluded))


def _is_excluded(part: str, excluded: ExcludedPaths) -> bool:
    if not part.startswith(_HEADER):
        return False
    return excluded.covers(*_names(part)) or bool(excluded.mentioned_in("\n".join(_head(part))))


def warnings_of(part: str) -> tuple[str, ...]:
    """Say in a sentence each which secrets a file's diff seems to hold, by all of its names."""
    found: dict[str, None] = {}
    for name in _base_names(part):
        found.update(dict.fromkeys(secret_warnings(name, "")))
    found.update(dict.fromkeys(secret_warnings("", part)))
    return tuple(found)


def _redacted(part: str, untracked: Collection[str]) -> str:
    if warnings_of(part):
        return _names_only(part, _SUSPECT)
    if untracked and any(name in untracked for name in _names(part)):
        return _names_only(part, _UNTRACKED)
    return part


def _names_only(part: str, reason: str) -> str:
    if not part.startswith(_HEADER):
        return reason
    header, *lines = _head(part)
    kept = [line for line in lines if line.startswith(_KEPT)]
    return "\n".join([header, *kept, reason])


def _head(part: str) -> Iterator[str]:
    """Give the lines of a file's diff that stand before its changes."""
    start = 0
    while start < len(part):
        end = part.find("\n", start)
        end = len(part) if end < 0 else end
        if part.startswith(("@@", "--- ", "GIT binary patch"), start):
            return
        yield part[start:end]
        start = end + 1


def _names(part: str) -> Iterator[str]:
    """Give the paths of a file's diff, but for those of a renamed one in its first line."""
    if not part.startswith(_HEADER):
        return
    header, *lines = _head(part)
    both = header.removeprefix(_HEADER)
    # Unless the file is renamed, both halves name it, which tells where the first one ends.
    half = len(both) // 2
    if both[half : half + 1] == " ":
        yield _unquoted(both[half + 1 :]).removeprefix("b/")
    for line in lines:
        for start in _RENAMES:
            if line.startswith(start):
                yield _unquoted(line.removeprefix(start))


def _base_names(part: str) -> Iterator[str]:
    """Give the last segments of all paths of a file's diff, and of what may be one.

    A path with blanks leaves open where in the first line the first one ends: all places count.
    """
    for name in _names(part):
        yield name.rpartition("/")[2]
    if not part.startswith(_HEADER):
        return
    both = next(_head(part)).removeprefix(_HEADER)
    yield _unquoted_end(both.rpartition("/")[2])
    for separator in (" b/", ' "b/'):
        at = both.find(separator)
        while at >= 0:
            yield _unquoted_end(both[both.rfind("/", 0, at) + 1 : at])
            at = both.find(separator, at + 1)


def _unquoted(name: str) -> str:
    """Undo the quotes that git puts around a path with unusual letters."""
    if len(name) < len('""') or name[0] != '"' or name[-1] != '"':
        return name
    return _unescaped(name[1:-1])


def _unquoted_end(name: str) -> str:
    return _unescaped(name[:-1]) if name.endswith('"') else name


def _unescaped(text: str) -> str:
    def letter(match: re.Match[bytes]) -> bytes:
        said = match[1]
        if len(said) > 1:
            return bytes([int(said, 8) & 0xFF])
        return bytes([_LETTERS.get(said[0], said[0])])

    raw = text.encode("utf-8", "surrogateescape")
    return _ESCAPE.sub(letter, raw).decode("utf-8", "surrogateescape")
