"""Plans and restores git's index when edits are undone.

If nothing of the turn is left in a file, its earlier index entry is restored. A file that is staged
as it is on disk stays staged. If the index holds another version, the edits are removed from that.
"""

from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from jupyter_ac.chat.edits.undoing.revert_preview import RevertPreview, reverted
from jupyter_ac.chat.edits.undoing.undo_state import UndoState
from jupyter_ac.chat.edits.undoing.weave import WovenFile
from jupyter_ac.chat.history.before_images import BeforeImage
from jupyter_ac.errors import AcError, GitError
from jupyter_ac.git.disk_entries import NOTHING
from jupyter_ac.git.files import MAX_FILE_BYTES
from jupyter_ac.git.index_entries import (
    Entries,
    IndexChanges,
    missing_blobs,
    restore_entries,
    stage_exactly,
    without_skip_flags,
)
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath

_FILES = ("100644", "100755")


@dataclass(slots=True)
class IndexRestore:
    """The planned changes of git's index.

    Attributes:
        entries: by path, its new entry.
        written: files that are staged as they are on disk then.
        gone: files that are removed from it.
        reasons: the changes that can't be taken back for what is staged, by their number.
    """

    entries: dict[RepoPath, Entries] = field(default_factory=dict)
    written: list[RepoPath] = field(default_factory=list)
    gone: list[RepoPath] = field(default_factory=list)
    reasons: dict[int, str] = field(default_factory=dict)

    @property
    def paths(self) -> list[RepoPath]:
        """All files that it is about."""
        return list(dict.fromkeys((*self.entries, *self.written, *self.gone)))


async def plan_index_restore(git: Git, state: UndoState, seen: RevertPreview) -> IndexRestore:
    """Plan the changes of git's index for an undo.

    Args:
        git: with the repository's lock; contents may be added to it, nothing else changes.
        state: the files.
        seen: the planned state of the disk.

    Raises:
        AcError: git refuses.
    """
    work = _Work(state, seen)
    for file in state.woven.touched(seen.taken):
        for path in dict.fromkeys(file.names):
            if path in state.images and not work.is_settled(path, file):
                await _take_out(git, work, path, file)
    await _require_contents(git, work)
    back = work.back
    back.written = [path for path in back.written if path not in back.entries]
    back.gone = [path for path in back.gone if path not in back.entries]
    return back


async def restore_index(git: Git, state: UndoState, back: IndexRestore) -> None:
    """Do it.

    Raises:
        AcError: git refuses; the index is as it was.
    """
    try:
        if back.written or back.gone:
            changes = IndexChanges(removed=back.gone, written=back.written)
            for path, refused in (await stage_exactly(git, changes)).items():
                raise GitError(f"{path!r} can't be staged: {refused.reason}")
        await restore_entries(git, back.entries)
    except AcError:
        with suppress(AcError):
            held = {path: state.scene.entries[path] for path in back.paths}
            await restore_entries(git, held)
        raise


class _Work:
    """The index, path by path."""

    def __init__(self, state: UndoState, seen: RevertPreview) -> None:
        self.state = state
        self.seen = seen
        self.before = state.woven.active
        self.after = state.woven.active - seen.taken
        self.back = IndexRestore()

    def is_settled(self, path: RepoPath, file: WovenFile) -> bool:
        """Tell whether it is clear what becomes of a path, and note it."""
        image, held = self.state.images[path], self.state.scene.entries[path]
        is_staged = path in self.state.scene.staged or (
            not held and self.state.disk.get(path) == NOTHING
        )
        if self.is_full(image) and (is_staged or self._is_known(held, image)):
            if without_skip_flags(held) != without_skip_flags(image.entries):
                self.back.entries[path] = image.entries
            return True
        if without_skip_flags(held) == without_skip_flags(image.entries):
            return True
        if is_staged:
            wanted = self.seen.wanted.get(path)
            if wanted is not None:
                (self.back.written if wanted.exists else self.back.gone).append(path)
            return True
        return path != file.name(self.before) and not held

    def is_full(self, image: BeforeImage) -> bool:
        """Tell whether a file becomes what it was before the batch."""
        found = self.seen.wanted.get(image.path, self.state.disk.get(image.path))
        is_same = found is not None and found.sign == image.disk.sign
        return is_same and self.state.woven.is_free_of(image.path, self.after)

    def fail(self, file: WovenFile, path: RepoPath, why: str = "") -> None:
        """Note that a file's changes can't be taken back."""
        reason = why or f"what is staged of {path!r} has changed since"
        self.back.reasons |= dict.fromkeys(file.touched & self.seen.taken, reason)

    @staticmethod
    def _is_known(held: Entries, image: BeforeImage) -> bool:
        known = map(without_skip_flags, (image.entries, *image.entries_after))
        return without_skip_flags(held) in known


async def _take_out(git: Git, work: _Work, path: RepoPath, file: WovenFile) -> None:
    """Take edits out of what is staged of a file, which isn't what stands on disk."""
    held = work.state.scene.entries[path]
    is_plain = len(held) == 1 and held[0].mode in _FILES and not held[0].stage
    if not is_plain or held[0].is_promise or path != file.name(work.before):
        work.fail(file, path)
        return
    data = await _blob(git, held[0].blob)
    is_ours = data == b"".join(file.text(work.before))
    image = work.state.images[path]
    if not file.exists(work.after):
        if is_ours:
            work.back.entries[path] = image.entries
        else:
            work.fail(file, path)
        return
    taken = reverted(data, file, work.before, work.after)
    if taken.failed:
        work.fail(file, path)
        return
    name = file.name(work.after)
    if name != path:
        work.back.entries[path] = ()
    if is_ours and work.is_full(work.state.images[name]):
        work.back.entries[name] = work.state.images[name].entries
    else:
        blob = await _stored(git, taken.data)
        work.back.entries[name] = (replace(held[0], blob=blob),)


async def _require_contents(git: Git, work: _Work) -> None:
    """Refuse to put back entries whose contents git has thrown away."""
    entries = [entry for each in work.back.entries.values() for entry in each]
    lost = await missing_blobs(git.repository, entries)
    for path in _with_blobs(work, lost):
        for file in work.state.woven.touched(work.seen.taken):
            if path in file.names:
                work.fail(file, path, f"git has thrown away what was staged of {path!r}")


def _with_blobs(work: _Work, blobs: Collection[str]) -> Iterable[RepoPath]:
    return [
        path
        for path, entries in work.back.entries.items()
        if any(entry.blob in blobs for entry in entries)
    ]


async def _blob(git: Git, name: str) -> bytes:
    output = await git.run("cat-file", "blob", name)
    if output.truncated or len(output.data) > MAX_FILE_BYTES:
        raise GitError("What is staged is too long to be undone; unstage it first.")
    return output.data


async def _stored(git: Git, data: bytes) -> str:
    output = await git.run("hash-object", "-w", "--stdin", "--no-filters", stdin=data)
    return output.data.decode("ascii").strip()
