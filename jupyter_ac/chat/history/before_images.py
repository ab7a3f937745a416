"""Stores before-images: the files before the edits of an answer, so that the edits can be undone.

An image is stored before its file is written, with the signs of each content that the edits are
going to write. So after a crash at any moment, the file on disk shows how far the edits came. The
oldest image of a file in a batch stays; later edits of the same answer add their signs to it. A
journal of the single changes is stored with the images.
"""

import json
import logging
import re
import sqlite3
import stat
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Final

from jupyter_ac.chat.edit_blocks.file_changes import Act, Change
from jupyter_ac.chat.history import edit_journals, row_signatures
from jupyter_ac.chat.history.stored_values import UNREADABLE, json_value, strings
from jupyter_ac.git.disk_entries import DiskEntry
from jupyter_ac.git.index_entries import Entries, IndexEntry, without_skip_flags
from jupyter_ac.git.paths import is_stored_path
from jupyter_ac.ids import RepoPath
from jupyter_ac.store.sqlite import Database

log = logging.getLogger(__name__)

MOST_BATCHES: Final = 50
MOST_BYTES: Final = 64 * 1024 * 1024

_SELECT: Final = row_signatures.sql(
    "SELECT mark IS {edited_file},"
    " path, data, mode, entries, made, signs, entries_after, is_foreign FROM edited_files"
    " WHERE batch = ? AND worktree = ? ORDER BY number"
)
_MARK: Final = row_signatures.sql("UPDATE edited_files SET mark = {edited_file} WHERE batch = ?")
_INSERT: Final = (
    "INSERT INTO edited_files (worktree, batch, path, data, mode, entries, made, signs,"
    " entries_after, is_foreign) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_MODE: Final = re.compile("100644|100755|120000|160000|040000")
_BLOB: Final = re.compile("[0-9a-f]{40}(?:[0-9a-f]{24})?")
_STAGES: Final = 4
_LAST_NUMBER: Final = 1 << 62


@dataclass(frozen=True, slots=True)
class BeforeImage:
    """A file of a batch.

    Attributes:
        path: as git names it.
        disk: what stood there before the batch.
        entries: what the index held.
        made: the outermost folder that was missing for it; "" for none.
        signs: of what edits made of it, or were about to.
        entries_after: what the index may hold because of the edits, where that isn't what stands on
            disk.
        is_foreign: somebody else changed it between two edits of the batch.
    """

    path: RepoPath
    disk: DiskEntry
    entries: Entries = ()
    made: str = ""
    signs: Sequence[str] = ()
    entries_after: Sequence[Entries] = ()
    is_foreign: bool = False


@dataclass(frozen=True, slots=True)
class Fresh:
    """A file that is about to be changed.

    Attributes:
        image: as it is at this moment, with what is to become of it.
        is_staged: whether the index holds what stands on disk.
    """

    image: BeforeImage
    is_staged: bool = field(default=True)


class BeforeImages:
    """The before-images of one worktree's batches.

    Args:
        database: with the migrations of `jupyter_ac.chat.history.schema`; the caller closes it.
        worktree: the worktree's name, "" for the main one.
    """

    def __init__(self, database: Database, worktree: str) -> None:
        self._database = database
        self._worktree = worktree

    async def keep(
        self, batch: str, files: Sequence[Fresh], changes: Sequence[Change] = ()
    ) -> tuple[set[RepoPath], int]:
        """Keep what is about to change; older batches go once there are too many.

        Args:
            batch: whose.
            files: that are about to be changed.
            changes: that are about to be made of them.

        Returns:
            the paths that the batch had not changed before, and the number of the first change in
            its journal.

        Raises:
            AcError: the disk refuses.
        """

        def write(db: sqlite3.Connection) -> tuple[set[RepoPath], int]:
            _drop_foreign(db, batch)
            _make_room(db)
            known = {image.path: image for image in _read(db, self._worktree, batch)}
            for file in files:
                image = file.image
                if image.path in known:
                    _extend(db, batch, known[image.path], file)
                else:
                    _add(db, self._worktree, batch, image)
            first = 0
            if known or changes:  # a batch that was stored without a journal continues without one
                is_new = not known
                first = edit_journals.extend(db, self._worktree, batch, changes, is_new=is_new)
            _prune(db, batch)
            db.execute(_MARK, (batch,))
            return {file.image.path for file in files} - known.keys(), first

        return await self._database.run(write)

    async def drop(self, batch: str, paths: Collection[RepoPath]) -> None:
        """Forget files of a batch that were not changed after all."""

        def write(db: sqlite3.Connection) -> None:
            db.executemany(
                "DELETE FROM edited_files WHERE batch = ? AND path = ?",
                [(batch, json.dumps(path)) for path in paths],
            )

        await self._database.run(write)

    async def of(self, batch: str) -> list[BeforeImage]:
        """Return the files of a batch in the order in which they were changed first.

        None of a batch of which anything isn't the user's own, or leads where no file of git's is.
        """
        return await self._database.read(lambda db: _read(db, self._worktree, batch))

    async def paths_of(self, batch: str) -> list[RepoPath]:
        """Return their paths."""
        return [image.path for image in await self.of(batch)]

    async def journal(self, batch: str) -> tuple[Change, ...]:
        """Return the changes of edits, in order; () if they were not stored."""
        return await self._database.read(lambda db: edit_journals.read(db, self._worktree, batch))

    async def note(self, batch: str, act: Act, numbers: Collection[int]) -> None:
        """Note that changes, by their number in the journal, were taken back or never made."""
        entry = Change(act, undone=tuple(sorted(numbers)))

        def write(db: sqlite3.Connection) -> None:
            edit_journals.extend(db, self._worktree, batch, [entry], is_new=False)

        await self._database.run(write)

    async def note_index(self, batch: str, found: Iterable[tuple[RepoPath, Entries]]) -> None:
        """Keep what the index holds when an undo begins, so that it can begin again."""

        def write(db: sqlite3.Connection) -> None:
            _drop_foreign(db, batch)
            known = {image.path: image for image in _read(db, self._worktree, batch)}
            for path, entries in found:
                _set_after(db, batch, path, [*known[path].entries_after, entries])
            db.execute(_MARK, (batch,))

        await self._database.run(write)

    async def forget(self, batch: str) -> None:
        """Forget a batch that was taken back."""
        await self._database.run(lambda db: _forget(db, batch))


def _read(db: sqlite3.Connection, worktree: str, batch: str) -> list[BeforeImage]:
    rows = db.execute(_SELECT, (batch, worktree)).fetchall()
    try:
        return [_image(row) for _, *row in rows] if all(row[0] for row in rows) else []
    except UNREADABLE as error:
        log.warning("the edits of %r can't be taken back: %s", batch, error)
        return []


def _image(row: Sequence[object]) -> BeforeImage:
    """Read a row; what it says is where undo will write, so nothing in it is taken on trust."""
    path, data, mode, entries, made, signs, after, is_foreign = row
    if not isinstance(data, bytes) or not isinstance(mode, int):
        raise TypeError("no content")
    return BeforeImage(
        path=_path(path),
        disk=DiskEntry(data, _mode(mode)),
        entries=_entries_in(json_value(entries)),
        made=_path(made) if json_value(made) != "" else "",
        signs=strings(signs),
        entries_after=tuple(_entries_in(each) for each in _listed(json_value(after))),
        is_foreign=bool(is_foreign),
    )


def _path(written: object) -> RepoPath:
    path = json_value(written)
    if not isinstance(path, str) or not is_stored_path(path):
        raise ValueError("no path of a file in the repository")
    return RepoPath(path)


def _mode(mode: int) -> int:
    """Return the mode of a file or a link, without the bits that give rights; 0 for nothing."""
    if mode and stat.S_IFMT(mode) not in {stat.S_IFREG, stat.S_IFLNK}:
        raise ValueError("no file")
    return stat.S_IFMT(mode) | (mode & 0o777) if mode else 0


def _listed(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return value


def _drop_foreign(db: sqlite3.Connection, batch: str) -> None:
    """Remove what stands under the name of a batch and isn't the user's own."""
    db.execute(
        row_signatures.sql(
            "DELETE FROM edited_files WHERE batch = ? AND mark IS NOT {edited_file}"
        ),
        (batch,),
    )


def _make_room(db: sqlite3.Connection) -> None:
    """Remove rows with numbers that are nobody's, behind which SQLite has none left to give."""
    db.execute("DELETE FROM edited_files WHERE number > ?", (_LAST_NUMBER,))
    db.execute(
        "UPDATE sqlite_sequence SET seq = (SELECT COALESCE(MAX(number), 0) FROM edited_files)"
        " WHERE name = 'edited_files' AND seq > ?",
        (_LAST_NUMBER,),
    )


def _add(db: sqlite3.Connection, worktree: str, batch: str, image: BeforeImage) -> None:
    db.execute(
        _INSERT,
        (
            *(worktree, batch, json.dumps(image.path), image.disk.data, image.disk.mode),
            *(_entries_out(image.entries), json.dumps(image.made), json.dumps(list(image.signs))),
            *(json.dumps([_as_rows(each) for each in image.entries_after]), image.is_foreign),
        ),
    )


def _extend(db: sqlite3.Connection, batch: str, known: BeforeImage, file: Fresh) -> None:
    """Add what is to become of a file that the batch has changed before."""
    image = file.image
    is_ours = image.disk.sign in {known.disk.sign, *known.signs} and (
        file.is_staged
        or without_skip_flags(image.entries)
        in map(without_skip_flags, (known.entries, *known.entries_after))
    )
    db.execute(
        "UPDATE edited_files SET signs = ?, is_foreign = ? WHERE batch = ? AND path = ?",
        (
            json.dumps([*known.signs, *image.signs]),
            known.is_foreign or not is_ours,
            *(batch, json.dumps(image.path)),
        ),
    )
    _set_after(db, batch, image.path, [*known.entries_after, *image.entries_after])


def _set_after(
    db: sqlite3.Connection, batch: str, path: RepoPath, after: Sequence[Entries]
) -> None:
    db.execute(
        "UPDATE edited_files SET entries_after = ? WHERE batch = ? AND path = ?",
        (json.dumps([_as_rows(each) for each in after]), batch, json.dumps(path)),
    )


def _prune(db: sqlite3.Connection, batch: str) -> None:
    """Keep the newest batches as far as their bytes go, and this one whatever it holds."""
    sizes = db.execute(
        "SELECT batch, SUM(LENGTH(data)) FROM edited_files GROUP BY batch ORDER BY MAX(number) DESC"
    ).fetchall()
    room = MOST_BYTES
    for place, (name, size) in enumerate(sizes):
        room -= size
        if name != batch and (place >= MOST_BATCHES or room < 0):
            _forget(db, name)


def _forget(db: sqlite3.Connection, batch: str) -> None:
    db.execute("DELETE FROM edited_files WHERE batch = ?", (batch,))
    edit_journals.forget(db, batch)


def _entries_out(entries: Entries) -> str:
    return json.dumps(_as_rows(entries))


def _as_rows(entries: Entries) -> list[dict[str, object]]:
    return [asdict(entry) for entry in entries]


def _entries_in(rows: object) -> Entries:
    return tuple(_entry(row) for row in _listed(rows))


def _entry(row: object) -> IndexEntry:
    if not isinstance(row, dict):
        raise TypeError("no entry")
    entry = IndexEntry(
        mode=str(row["mode"]),
        blob=str(row["blob"]),
        stage=int(str(row["stage"])),
        is_promise=bool(row["is_promise"]),
        is_overlooked=bool(row["is_overlooked"]),
    )
    if not _MODE.fullmatch(entry.mode) or not _BLOB.fullmatch(entry.blob):
        raise ValueError("no entry of git's index")
    if entry.stage not in range(_STAGES):
        raise ValueError("no stage of git's index")
    return entry
