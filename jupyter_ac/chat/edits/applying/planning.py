"""Plans the effect of blocks on files, before anything is written.

Each block sees the files as the blocks before it leave them. A block that can't be applied changes
nothing.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, BlockOutcome, Span
from jupyter_ac.chat.edit_blocks.matching.lines import created, split
from jupyter_ac.chat.edit_blocks.matching.replacing import Already, Missed, Replaced, replace_lines
from jupyter_ac.chat.edits.apply_options import ApplyOptions
from jupyter_ac.chat.edits.applying.held_blocks import HeldBlocks
from jupyter_ac.chat.edits.applying.notebooks import NotebookEdits
from jupyter_ac.chat.edits.applying.path_checks import BlockTarget, LinkTarget, refused
from jupyter_ac.chat.edits.applying.steps import NOWHERE, DiskStep, StepAction, StepPart
from jupyter_ac.chat.edits.file_snapshot import FileSnapshot
from jupyter_ac.edit_rows import BlockStatus, ErrorType, MissCause
from jupyter_ac.errors import AcError, BinaryFile, RefusedPath, TooLarge, Unsupported
from jupyter_ac.git.disk_entries import NOTHING, DiskEntry
from jupyter_ac.git.files import BINARY_PROBE_BYTES
from jupyter_ac.git.index_entries import is_in_conflict
from jupyter_ac.ids import RepoPath

_NEW_FILE: Final = 0o100644
_SHIFTED: Final = "Its indentation was off, and was corrected."


class EditPlan:
    """The steps that carry blocks out.

    Args:
        scene: the files as they are.
        terms: what may be touched.
        ours: files that count as in context whatever the selection says.
        earlier: by entry, the last step that the batch has made before.
        held: names that waiting blocks of earlier runs are about, with the positions of these.
    """

    def __init__(
        self,
        scene: FileSnapshot,
        terms: ApplyOptions,
        ours: Collection[RepoPath] = (),
        earlier: Mapping[RepoPath, DiskStep] | None = None,
        held: Mapping[str, int] | None = None,
    ) -> None:
        self.steps: list[DiskStep] = []
        self._scene = scene
        self._terms = terms
        self._now = dict(scene.disk)
        self._last: dict[RepoPath, DiskStep] = {}
        self._earlier = earlier or {}
        self.ours = set(ours)
        """Files that the batch itself has made."""
        self.held = HeldBlocks(scene.protected, terms, held or {})
        self._is_held = False
        self._notebooks = NotebookEdits(terms.views)

    def add(self, target: BlockTarget) -> BlockOutcome:
        """Add what carries a block out; APPLIED means that a step will do it."""
        self._is_held = self.held.holds(target)
        self._notebooks.name(target.key, target.path)
        return self.held.judged(target, self._work_out(target))

    def _work_out(self, target: BlockTarget) -> BlockOutcome:
        """Do what `add` does for a block that isn't held; for a held one, add no step."""
        block = target.block
        try:
            self._require_readable(target)
        except (RefusedPath, TooLarge, BinaryFile) as error:
            return refused(block, error)
        except AcError as error:
            return BlockOutcome(block, BlockStatus.FAILED, error.message, ErrorType.WRITE_ERROR)
        if block.kind is BlockKind.EDIT:
            return self._edit(target)
        if not self._now[target.key].exists:
            return self._done_already(target) or self._missing(target)
        if block.kind is BlockKind.DELETE:
            return self._delete(target)
        return self._rename(target)

    def _require_readable(self, target: BlockTarget) -> None:
        """Refuse what is no text, or can't be read.

        Raises:
            AcError: with the sentence for the user.
        """
        for key in target.keys:
            if key in self._scene.problems and key not in self._now:
                raise self._scene.problems[key]
        found = self._now[target.key]
        if target.block.kind is BlockKind.EDIT and found.exists and not _is_text(found.data):
            raise BinaryFile(
                f"{target.path!r} is a binary file, or not valid UTF-8; it isn't edited here. "
                "Convert it first."
            )

    def _edit(self, target: BlockTarget) -> BlockOutcome:
        block = target.block
        if not self._now[target.key].exists:
            is_blank = not any(line.strip() for line in block.old)
            is_new = is_blank and not self._is_left_out(target.key)
            return self._create(target) if is_new else self._missing(target)
        is_create = not block.old
        try:
            done, shifted = self._replaced(target)
        except Unsupported as error:
            return refused(block, error)
        held_up = None
        if not is_create or isinstance(done, Replaced):
            held_up = self._waiting(target, is_exempt=is_create)
        if held_up is None and isinstance(done, Replaced):
            held_up = self._unfit(target, done.data)
        if held_up is not None:
            return held_up
        if isinstance(done, Missed):
            return _missed(target, done, is_create=is_create)
        outcome = BlockOutcome(
            block, BlockStatus.ALREADY_APPLIED, is_create=is_create, line=done.line
        )
        if isinstance(done, Already):
            return replace(outcome, message=f"{target.path!r} has this text already.")
        notes = (*shifted, *self._notes(target))
        self._write(target, done.data, Span(done.start, done.end))
        return replace(
            outcome, status=BlockStatus.APPLIED, added=done.added, removed=done.removed, notes=notes
        )

    def _replaced(self, target: BlockTarget) -> tuple[Replaced | Already | Missed, tuple[str, ...]]:
        """Replace a block's lines, shifted where that is allowed; returns also what is said."""
        block, data = target.block, self._now[target.key].data
        text = self._notebooks.text_of(target.key, data)
        border = self._notebooks.border_problem(target.key, data, block)
        if border:
            return Missed(ErrorType.VALIDATION_ERROR, border), ()
        done = replace_lines(text, block.old, block.new)
        said: tuple[str, ...] = ()
        if isinstance(done, Missed) and self._terms.apply_shifted:
            old, new = done.correction_old, done.correction_new
            if old is not None and new is not None:
                done, said = replace_lines(text, old, new), (_SHIFTED,)
        if isinstance(done, Replaced):
            done = self._notebooks.in_file(target.key, data, done)
        return done, said

    def _create(self, target: BlockTarget) -> BlockOutcome:
        try:
            data = self._notebooks.created(target.key, created(target.block.new))
        except Unsupported as error:
            return refused(target.block, error)
        except UnicodeEncodeError:
            message = "The new text holds half a character; no text can. Write it again."
            return BlockOutcome(
                target.block, BlockStatus.FAILED, message, ErrorType.VALIDATION_ERROR
            )
        unfit = self._unfit(target, data)
        if unfit is not None:
            return unfit
        self._write(target, data)
        self.ours.add(target.key)
        return BlockOutcome(
            target.block,
            BlockStatus.APPLIED,
            is_create=True,
            line=1 if data else 0,
            added=len(target.block.new),
        )

    def _unfit(self, target: BlockTarget, data: bytes) -> BlockOutcome | None:
        """Return the outcome of a block whose result isn't written; None when it is."""
        limit = self._terms.max_file_bytes
        if len(data) > limit:
            message = f"{target.path!r} would be longer than {limit:,} bytes; write less."
            return refused(target.block, TooLarge(message))
        if b"\0" in data[:BINARY_PROBE_BYTES]:
            message = "The new text holds a NUL character, which makes a binary file; leave it out."
            return refused(target.block, BinaryFile(message))
        return None

    def _write(self, target: BlockTarget, data: bytes, span: Span = NOWHERE) -> None:
        key, found, index = target.key, self._now[target.key], target.block.index
        last = self._last.get(key)
        if last is not None and last.do is StepAction.WRITE and not self._is_held:
            last.data = data
            last.positions.append(target.position)
            last.parts.append(StepPart(index, data, span))
        else:
            self._append(
                DiskStep(StepAction.WRITE, key, found, data), target, StepPart(index, data, span)
            )
        self._now[key] = replace(found if found.exists else DiskEntry(b"", _NEW_FILE), data=data)

    def _append(self, step: DiskStep, target: BlockTarget, part: StepPart) -> None:
        step.positions.append(target.position)
        step.parts.append(part)
        if not self._is_held:
            self.steps.append(step)
        for key in step.keys:
            self._last[key] = step

    def _delete(self, target: BlockTarget) -> BlockOutcome:
        waiting = self._waiting(target)
        if waiting is not None:
            return waiting
        found, notes = self._now[target.key], self._notes(target)
        if target.block.old and not self._is_text_of(target, found):
            message = f"{target.path!r} has other text than what is to be deleted."
            return BlockOutcome(
                target.block,
                BlockStatus.FAILED,
                message,
                ErrorType.ANCHOR_NOT_FOUND,
                MissCause.STALE,
            )
        self._append(
            DiskStep(StepAction.REMOVE, target.key, found), target, StepPart(target.block.index)
        )
        self._now[target.key] = NOTHING
        return BlockOutcome(target.block, BlockStatus.APPLIED, removed=_lines(found), notes=notes)

    def _is_text_of(self, target: BlockTarget, found: DiskEntry) -> bool:
        """Tell whether a block's old text is all lines of a file."""
        wanted = [line.encode("utf-8", "surrogatepass") for line in target.block.old]
        try:
            text = self._notebooks.text_of(target.key, found.data)
        except Unsupported:
            return False
        return not found.is_link and split(text).texts == wanted

    def _rename(self, target: BlockTarget) -> BlockOutcome:
        old, new = target.key, target.new_key
        if new is None or self._now[new].exists or self._is_left_out(new):
            message = f"There is something at {target.block.new_path!r} already; choose another."
            return BlockOutcome(
                target.block, BlockStatus.FAILED, message, ErrorType.VALIDATION_ERROR
            )
        entries = self._scene.entries[old]
        if is_in_conflict(entries) or any(entry.is_overlooked for entry in entries):
            message = (
                f"{target.path!r} is in conflict, or git was told to overlook it; "
                "see to that before it is renamed."
            )
            return BlockOutcome(
                target.block, BlockStatus.FAILED, message, ErrorType.VALIDATION_ERROR
            )
        waiting = self._waiting(target)
        if waiting is not None:
            return waiting
        found, notes = self._now[old], self._notes(target)
        self._append(
            DiskStep(StepAction.MOVE, old, found, new_key=new), target, StepPart(target.block.index)
        )
        self._now[old], self._now[new] = NOTHING, found
        self.ours.add(new)
        return BlockOutcome(target.block, BlockStatus.APPLIED, notes=notes)

    def _waiting(self, target: BlockTarget, *, is_exempt: bool = False) -> BlockOutcome | None:
        """Return the outcome of a block that must wait; None if it needn't."""
        names = {target.path, target.key}
        in_page = self._waiting_for_page(target)
        if in_page is not None:
            return in_page
        is_open = target.key in self._scene.open_notebooks
        if not names.isdisjoint(self.ours):
            return None
        if not is_open and not names.isdisjoint(self._terms.unsaved):
            message = (
                f"{target.path!r} is open with unsaved changes; save or revert it, then accept."
            )
            return BlockOutcome(target.block, BlockStatus.PENDING, message, is_create=is_exempt)
        selection = self._terms.selection
        if is_exempt or selection is None or not names.isdisjoint(selection):
            return None
        if target.link is LinkTarget.FOLDER:  # it has no text that could be in the prompt
            return None
        message = f"{target.path!r} was not in context; it is added, so ask for the edit again."
        return BlockOutcome(target.block, BlockStatus.NOT_IN_CONTEXT, message)

    def _waiting_for_page(self, target: BlockTarget) -> BlockOutcome | None:
        """Return the outcome of a block that must wait for the page that shows its notebook."""
        is_open = target.key in self._scene.open_notebooks
        if is_open and target.block.kind is not BlockKind.EDIT:
            message = f"{target.path!r} is open in a page; save and close it there, then accept."
        elif target.key in self._scene.silent:
            message = (
                f"{target.path!r} is open in a page that doesn't answer; accept when it does, or "
                "when the notebook is closed."
            )
        else:
            return None
        return BlockOutcome(target.block, BlockStatus.PENDING, message)

    def _missing(self, target: BlockTarget) -> BlockOutcome:
        if self._is_left_out(target.key):
            message = (
                f"{target.path!r} is in the repository, but left out of this sparse checkout; "
                "widen it by `git sparse-checkout add` in a terminal."
            )
            return refused(target.block, RefusedPath(message))
        message = f"There is no file {target.path!r}; check the name."
        if target.block.kind is BlockKind.EDIT:
            message += " A block without old text makes a new file."
        return BlockOutcome(target.block, BlockStatus.FAILED, message, ErrorType.FILE_NOT_FOUND)

    def _done_already(self, target: BlockTarget) -> BlockOutcome | None:
        """Return the outcome of a block that repeats an earlier one; None when it doesn't."""
        last, new = self._last_step(target.key), target.new_key
        if last is None or last.do is StepAction.WRITE or last.new_key != new:
            return None
        if new is None:
            message = f"{target.path!r} is deleted already."
        elif self._now[new].exists:
            message = f"{target.path!r} is renamed already."
        else:
            return None
        return BlockOutcome(target.block, BlockStatus.ALREADY_APPLIED, message)

    def _last_step(self, key: RepoPath) -> DiskStep | None:
        return self._last.get(key) or self._earlier.get(key)

    def _is_left_out(self, key: RepoPath) -> bool:
        """Return whether git tracks a file, but is configured not to have it on disk."""
        is_missing = not self._scene.disk[key].exists and self._last_step(key) is None
        return is_missing and any(entry.is_overlooked for entry in self._scene.entries[key])

    def _notes(self, target: BlockTarget) -> tuple[str, ...]:
        """Return what the card says of the file before it is changed for the first time."""
        notes: list[str] = []
        if self._last_step(target.key) is not None:
            return ()
        if target.block.kind is BlockKind.EDIT and target.path != target.key:
            notes.append(f"{target.path!r} leads to {target.key!r}, which is what changes.")
        note = self._note_on_index(target)
        return (*notes, note) if note else tuple(notes)

    def _note_on_index(self, target: BlockTarget) -> str:
        """Return what is said of a file of which the index doesn't hold what stands on disk."""
        entries, kind = self._scene.entries[target.key], target.block.kind
        if target.key in self._scene.open_notebooks:  # nothing is staged before it is saved
            return ""
        is_left = any(entry.is_overlooked or entry.stage for entry in entries)
        if is_left or target.key in self._scene.staged | self._scene.ignored:
            return ""
        if kind is BlockKind.DELETE and entries:
            return "It had unstaged changes before; undo brings them back."
        if kind is not BlockKind.EDIT:
            return ""
        if entries:
            return "It had unstaged changes before; the edit stages them as well."
        return "git did not track it before; the edit stages all of it."


def _is_text(data: bytes) -> bool:
    if b"\0" in data[:BINARY_PROBE_BYTES]:
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _lines(found: DiskEntry) -> int:
    if found.is_link or not found.data:
        return 0
    return found.data.count(b"\n") + (not found.data.endswith(b"\n"))


def _missed(target: BlockTarget, missed: Missed, *, is_create: bool) -> BlockOutcome:
    block = target.block
    correction = None
    if missed.correction_old is not None and missed.correction_new is not None:
        correction = replace(block, old=missed.correction_old, new=missed.correction_new)
    return BlockOutcome(
        block,
        BlockStatus.FAILED,
        missed.message,
        missed.error_type,
        missed.cause,
        missed.near,
        missed.around,
        correction,
        is_create=is_create,
    )
