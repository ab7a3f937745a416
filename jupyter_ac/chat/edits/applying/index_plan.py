"""Plans what a batch of blocks changes in git's index."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from jupyter_ac.chat.edits.applying.steps import DiskStep, StepAction
from jupyter_ac.chat.edits.file_snapshot import FileSnapshot
from jupyter_ac.git.index_entries import Entries, IndexChanges, IndexEntry, is_in_conflict
from jupyter_ac.ids import RepoPath

_IGNORED = "git ignores it; it was written, not staged."
_CONFLICT = "It is in conflict, so it was not staged; stage it once it is resolved."
_OVERLOOKED = "git was told to overlook it, so it was not staged."


@dataclass(slots=True)
class IndexPlan:
    """The planned changes of git's index, and the files that are not staged.

    Attributes:
        changes: for git.
        after: by path, the index entry after the changes, if it differs from the file on disk.
        ignored: written files that git ignores.
        notes: by path, why a file is not staged.
    """

    changes: IndexChanges = field(default_factory=IndexChanges)
    after: dict[RepoPath, Entries] = field(default_factory=dict)
    ignored: list[RepoPath] = field(default_factory=list)
    notes: dict[RepoPath, str] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be staged."""
        return not (self.changes.removed or self.changes.moved or self.changes.written)


def index_plan(scene: FileSnapshot, steps: Iterable[DiskStep]) -> IndexPlan:
    """Return what steps mean for the index, as `git add`, `git rm` and `git mv` would have it.

    A file is judged by its last name: that is the one which git ignores or doesn't.
    """
    plan = IndexPlan()
    parts = _Parts(tracked={path for path, entries in scene.entries.items() if entries})
    for step in steps:
        if step.new_key is not None:
            parts.move(step.key, step.new_key, scene.entries[step.key])
            continue
        reason = _reason(scene.entries[step.key])
        if reason:
            plan.notes[step.key] = reason
        elif step.do is StepAction.WRITE:
            parts.write(step.key)
        else:
            parts.remove(step.key)
    plan.ignored = [
        path for path in parts.written if path in scene.ignored and path not in parts.tracked
    ]
    plan.notes.update(dict.fromkeys(plan.ignored, _IGNORED))
    written = [path for path in parts.written if path not in plan.ignored]
    plan.changes = IndexChanges(list(parts.gone), list(parts.moved.items()), written)
    plan.after = {path: (entry,) for path, entry in parts.moved.items()}
    return plan


@dataclass(slots=True)
class _Parts:
    """The combined effect of steps, by path.

    Attributes:
        tracked: names of files that the index holds, or would after `git mv`.
        gone: names that are removed from it.
        moved: names that get the entry of another.
        written: names of files whose text is made.
    """

    tracked: set[RepoPath]
    gone: dict[RepoPath, None] = field(default_factory=dict)
    moved: dict[RepoPath, IndexEntry] = field(default_factory=dict)
    written: dict[RepoPath, None] = field(default_factory=dict)

    def write(self, path: RepoPath) -> None:
        """Take in that a file is made or changed."""
        self._forget(path)
        self.written[path] = None

    def remove(self, path: RepoPath) -> None:
        """Take in that a file goes."""
        self._forget(path)
        if path in self.tracked:
            self.gone[path] = None

    def move(self, old: RepoPath, new: RepoPath, entries: Entries) -> None:
        """Let the index follow a rename; an untracked file that nobody wrote is only renamed."""
        was_written, had = old in self.written, self.moved.get(old)
        is_tracked = old in self.tracked
        self.remove(old)
        if was_written:
            self.write(new)
        if not is_tracked:
            return
        self.tracked.discard(old)
        self.tracked.add(new)
        self.gone.pop(new, None)
        if was_written:
            return
        if had is None and entries and not entries[0].is_promise:
            had = entries[0]
        if had is not None:
            self.moved[new] = had
        else:
            self.written[new] = None

    def _forget(self, path: RepoPath) -> None:
        self.gone.pop(path, None)
        self.moved.pop(path, None)
        self.written.pop(path, None)


def _reason(entries: Entries) -> str:
    """Return why a tracked file's change isn't staged; "" when it is."""
    if is_in_conflict(entries):
        return _CONFLICT
    if any(entry.is_overlooked for entry in entries):
        return _OVERLOOKED
    return ""
