"""Scans a working tree for files that are new, changed or deleted since the last scan."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from jupyter_ac.git.likely_secrets import has_secret_name
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.indexing.file_reader import Reader, blob_hash
from jupyter_ac.index.indexing.listing import Listing
from jupyter_ac.index.languages.registry import language_of

MAX_BYTES: Final = 1 << 20
"""Of a file that is read; `jupyter_ac.index.parsing` says the same, and loads tree-sitter."""

_MEGABYTE: Final = 1_000_000


class ScannedFile(NamedTuple):
    """The state of one file on disk.

    Attributes:
        blob: hash of its content; "" for a file in no known language, whose content doesn't matter.
        language: by its name.
        size: in bytes.
        stamp: what the file system says; () when git has looked at the content.
        problem: why it isn't read; "" when it is.
    """

    blob: str
    language: str
    size: int
    stamp: tuple[int, ...] = ()
    problem: str = ""

    @property
    def is_to_read(self) -> bool:
        """Whether its content matters and can be read."""
        return bool(self.language) and not self.problem


class ScanResult(NamedTuple):
    """The difference between two scans.

    Attributes:
        changed: files that are new, or have changed since the last scan.
        gone: files that were deleted.
    """

    changed: dict[RepoPath, ScannedFile]
    gone: list[RepoPath]


def scan_tree(
    root: str,
    listing: Listing,
    before: Mapping[RepoPath, ScannedFile],
    looked_at: Iterable[RepoPath],
    digits: int,
) -> ScanResult:
    """Compare the files of a tree with what they were.

    Args:
        root: top of the working tree.
        listing: the files that there may be.
        before: what the last look has found.
        looked_at: those of them that would be in the listing if they were there.
        digits: length of the hashes that the repository uses.
    """
    reader = Reader(root)
    changed: dict[RepoPath, ScannedFile] = {}
    there: set[RepoPath] = set()
    for path, blob in listing.items():
        old = before.get(path)
        seen = _see(reader, path, blob, old, digits)
        if seen is None:
            continue
        there.add(path)
        if old is None or seen[:2] != old[:2] or seen.problem != old.problem:
            changed[path] = seen
    return ScanResult(changed, [path for path in looked_at if path not in there])


def _see(
    reader: Reader, path: RepoPath, blob: str, old: ScannedFile | None, digits: int
) -> ScannedFile | None:
    found = reader.look(path)
    if found is None:
        return None
    # Maps are sent unasked: of what may hold a secret they show the name only.
    language = "" if has_secret_name(path) else language_of(path)
    size = found.st_size
    if not language:
        return ScannedFile("", "", size)
    if size > MAX_BYTES:
        # Its content isn't read, so only its size distinguishes it from others.
        problem = f"too large ({size / _MEGABYTE:.1f} MB)"
        return ScannedFile(f"large {size}", language, size, problem=problem)
    if blob:
        return ScannedFile(blob, language, size)
    stamp = (size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
    if old is None or old.stamp != stamp or old.problem:
        old = _read(reader, path, ScannedFile("", language, size, stamp), digits)
    return old


def _read(reader: Reader, path: RepoPath, seen: ScannedFile, digits: int) -> ScannedFile:
    try:
        data = reader.read(path, MAX_BYTES)
    except OSError as error:
        return seen._replace(problem=f"can't be read ({error.strerror})")
    return seen._replace(blob=blob_hash(data, digits))
