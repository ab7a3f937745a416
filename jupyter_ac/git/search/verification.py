"""Whether the lines that `git grep` found are the repository's own.

git opens a file by its whole path. A folder that somebody exchanges with a link for that moment has
it read a file outside, and nothing in its answer tells. So a line is shown only when the folders of
its file have stood as they are since well before the search, or when the file, opened through
directory descriptors, holds the line.
"""

from typing import IO, Final

from jupyter_ac.errors import NotFound
from jupyter_ac.git import descriptor_entries
from jupyter_ac.git.folder_race_checks import CalmFolders
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.search.output import Row, SearchRows

MARGIN_S: Final = 60.0
"""Between the clock of a file system and ours; folders that changed later are looked into."""

_PIECE_BYTES: Final = 1024 * 1024
_OVERLAP_BYTES: Final = 16 * 1024
"""More than what is shown of a long line."""

_CUT: Final = "…"


def keep_own(repository: Repository, found: SearchRows, begun_s: float) -> None:
    """Take out of what was found the lines that aren't in the repository's own files.

    Args:
        repository: where was searched.
        found: what git said; changed.
        begun_s: before the search, as `time.time` gives it.
    """
    calm = CalmFolders(repository, begun_s, MARGIN_S)
    for name, rows in list(found.files.items()):
        path = name.decode("utf-8", "surrogateescape")
        if calm.has(path.rpartition("/")[0]):
            continue
        own = _own(repository, path, rows)
        if own:
            found.files[name] = own
        else:
            del found.files[name]


def _own(repository: Repository, path: str, rows: list[Row]) -> list[Row]:
    """Return the rows that a file holds."""
    wanted: dict[int, list[Row]] = {}
    for row in rows:
        wanted.setdefault(row.number, []).append(row)
    held: set[int] = set()
    try:
        with descriptor_entries.opened(repository, path) as file:
            _read_lines(file, wanted, held)
    except (NotFound, OSError):
        return []
    return [row for row in rows if id(row) in held]


def _read_lines(file: IO[bytes], wanted: dict[int, list[Row]], held: set[int]) -> None:
    """Note the rows whose text stands in their line."""
    last = max(wanted)
    number, before = 1, b""
    while number <= last:
        piece = file.readline(_PIECE_BYTES)
        if number in wanted:
            text = (before + piece).decode("utf-8", "replace")
            rows = wanted[number]
            held.update(id(row) for row in rows if row.text.removeprefix(_CUT) in text)
        if not piece:
            return
        before = piece[-_OVERLAP_BYTES:]
        if piece.endswith(b"\n"):
            number, before = number + 1, b""
