"""What the steps of a batch mean for the index."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from jupyter_ac.chat.edits.applying.scene import Scene
from jupyter_ac.chat.edits.applying.steps import Do, Step
from jupyter_ac.git.index_entries import Changes, Entries, IndexEntry, is_in_conflict
from jupyter_ac.ids import RepoPath

_IGNORED = "git ignores it; it was written, not staged."
_CONFLICT = "It is in conflict, so it was not staged; stage it once it is resolved."
_OVERLOOKED = "git was told to overlook it, so it was not staged."


@dataclass(slots=True)
class IndexPlan:
    """What is to be staged, and what isn't.

    Attributes:
        changes: for git.
        after: by path, what the index holds then where that isn't what stands on disk.
        ignored: written files that git ignores.
        notes: by path, why a file is not staged.
    """

    changes: Changes = field(default_factory=Changes)
    after: dict[RepoPath, Entries] = field(default_factory=dict)
    ignored: list[RepoPath] = field(default_factory=list)
    notes: dict[RepoPath, str] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be staged."""
        return not (self.changes.gone or self.changes.moved or self.changes.written)


def index_plan(scene: Scene, steps: Iterable[Step]) -> IndexPlan:
    """Return what steps mean for the index, as `git add`, `git rm` and `git mv` would have it."""
    plan = IndexPlan()
    gone: dict[RepoPath, None] = {}
    written: dict[RepoPath, None] = {}
    moved: dict[RepoPath, IndexEntry] = {}
    tracked = {path for path, entries in scene.entries.items() if entries}
    for step in steps:
        if step.new_key is not None:
            _move(step.key, step.new_key, (gone, written, moved), scene.entries, tracked)
            continue
        reason = _reason(scene, step.key, tracked)
        if reason:
            plan.notes[step.key] = reason
            if reason == _IGNORED and step.do is Do.WRITE and step.key not in plan.ignored:
                plan.ignored.append(step.key)
            continue
        moved.pop(step.key, None)
        written.pop(step.key, None)
        gone.pop(step.key, None)
        if step.do is Do.WRITE:
            written[step.key] = None
            tracked.add(step.key)
        elif step.key in tracked:
            gone[step.key] = None
    plan.changes = Changes(list(gone), list(moved.items()), list(written))
    plan.after = {path: (entry,) for path, entry in moved.items()}
    return plan


def _move(
    old: RepoPath,
    new: RepoPath,
    parts: tuple[dict[RepoPath, None], dict[RepoPath, None], dict[RepoPath, IndexEntry]],
    entries: Mapping[RepoPath, Entries],
    tracked: set[RepoPath],
) -> None:
    """Let the index follow a rename; an untracked file is only renamed."""
    gone, written, moved = parts
    if old not in tracked:
        return
    had = moved.pop(old, None)
    was_written = old in written
    written.pop(old, None)
    gone[old] = None
    gone.pop(new, None)
    tracked.add(new)
    tracked.discard(old)
    if had is None and not was_written and entries[old] and not entries[old][0].is_promise:
        had = entries[old][0]
    if had is not None:
        moved[new] = had
    else:
        written[new] = None


def _reason(scene: Scene, path: RepoPath, tracked: set[RepoPath]) -> str:
    """Return why a file's change isn't staged; "" when it is."""
    entries = scene.entries[path]
    if is_in_conflict(entries):
        return _CONFLICT
    if any(entry.is_overlooked for entry in entries):
        return _OVERLOOKED
    if path in scene.ignored and path not in tracked:
        return _IGNORED
    return ""
