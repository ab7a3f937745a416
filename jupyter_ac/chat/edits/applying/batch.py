"""The state of a batch of blocks while it is applied, and the runs into which it is split.

What a path means depends on the folders above it and on links. Blocks after one that changes these
are planned only when that one has been carried out.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, BlockOutcome, EditBlock
from jupyter_ac.chat.edit_blocks.stored_edits import DocumentStep
from jupyter_ac.chat.edits.apply_options import Applied
from jupyter_ac.chat.edits.applying.path_checks import BlockTarget, LinkTarget, refused
from jupyter_ac.chat.edits.applying.steps import DiskStep, StepAction, StepResults
from jupyter_ac.chat.edits.file_snapshot import FileSnapshot
from jupyter_ac.edit_rows import BlockStatus, ErrorType
from jupyter_ac.errors import AcError, BinaryFile, RefusedPath, TooLarge
from jupyter_ac.git.index_entries import Unstaged
from jupyter_ac.ids import RepoPath

UNSAVED: Final = "Made in the open notebook, which isn't saved; saving it stages the file."


@dataclass(slots=True)
class EditBatch:
    """The state of a batch while it is applied.

    Attributes:
        rest: the blocks of later runs, with their positions.
        targets: the targets of its blocks, except of those that were refused at once.
        outcomes: by block.
        left: the targets that are to be carried out.
        steps: those that were made.
        scene: the last snapshot of the files.
        before: whether there was a file, before the batch.
        ours: files that the batch has made.
        held: names that blocks which wait are about, each with the position of the first of them.
        ignored: files that were written, not staged, since git ignores them.
        documents: what was done in open notebooks.
        doubtful: what a page may have done that gave no answer, by file.
    """

    rest: Sequence[tuple[int, EditBlock]] = ()
    targets: list[BlockTarget] = field(default_factory=list)
    outcomes: dict[int, BlockOutcome] = field(default_factory=dict)
    left: list[BlockTarget] = field(default_factory=list)
    steps: list[DiskStep] = field(default_factory=list)
    scene: FileSnapshot = field(default_factory=FileSnapshot)
    before: dict[RepoPath, bool] = field(default_factory=dict)
    ours: set[RepoPath] = field(default_factory=set)
    held: dict[str, int] = field(default_factory=dict)
    ignored: list[RepoPath] = field(default_factory=list)
    documents: list[DocumentStep] = field(default_factory=list)
    doubtful: dict[str, DocumentStep] = field(default_factory=dict)

    @property
    def keys(self) -> list[RepoPath]:
        """The entries that are to be changed."""
        return [key for target in self.left for key in target.keys]

    @property
    def last_steps(self) -> dict[RepoPath, DiskStep]:
        """The last step made of each entry."""
        return {key: step for step in self.steps for key in step.keys}

    def begin(self, found: Sequence[BlockTarget | BlockOutcome]) -> None:
        """Take the first of the blocks that are left in hand.

        Args:
            found: what they are about, or why they are refused.
        """
        self.left = [each for each in found if isinstance(each, BlockTarget)]
        self.targets += self.left
        for (position, _), each in zip(self.rest, found, strict=False):
            if isinstance(each, BlockOutcome):
                self.outcomes[position] = each
        self.rest = self.rest[len(found) :]

    def see(self, scene: FileSnapshot) -> None:
        """Take in how the files are that are left."""
        known, changed = self.scene, self.last_steps
        for path, found in scene.disk.items():
            if path not in changed:
                self.before[path] = found.exists
        self.scene = FileSnapshot(
            {**known.disk, **scene.disk},
            {**known.problems, **scene.problems},
            {**known.entries, **scene.entries},
            (known.staged - scene.disk.keys()) | scene.staged,
            known.ignored | scene.ignored,
            {**known.made, **scene.made},
            scene.protected,
            scene.open_notebooks,
            scene.silent,
        )

    def fail(self, error: AcError) -> None:
        """Note that nothing that is left can be done."""
        for target in self.left:
            if self.outcomes.get(target.position) is None or self._is_applied(target):
                self.outcomes[target.position] = _failed(target.block, error)
        for position, block in self.rest:
            self.outcomes[position] = _failed(block, error)
        self.left, self.rest = [], ()

    def take(self, carried: StepResults) -> None:
        """Note what became of steps; what others have got in the way of is left."""
        self.steps += carried.done
        self.documents += carried.documents
        self.doubtful |= carried.doubtful
        made = [*carried.done, *carried.in_documents]
        done = {position for step in made for position in step.positions}
        for step in carried.in_documents:
            self._note_document(step)
        for target in self.left:
            if target.position in carried.failures:
                error = carried.failures[target.position]
                self.outcomes[target.position] = _failed(target.block, error)
        self.left = [
            target
            for target in self.left
            if target.position not in done and not carried.changed.isdisjoint(target.keys)
        ]

    def note(self, notes: Mapping[RepoPath, str]) -> None:
        """Add sentences about files to the first of their blocks that was applied."""
        for path, sentence in notes.items():
            position = self._first_applied(path)
            if position is not None:
                outcome = self.outcomes[position]
                self.outcomes[position] = replace(outcome, notes=(*outcome.notes, sentence))

    def note_unstaged(self, refused: Mapping[RepoPath, Unstaged]) -> None:
        """Say why files were not staged, with the filter that may not run where that is why."""
        self.note({path: f"Applied, not staged: {one.reason}" for path, one in refused.items()})
        for path, one in refused.items():
            position = self._first_applied(path)
            if position is not None and one.program is not None:
                outcome = self.outcomes[position]
                self.outcomes[position] = replace(outcome, filter=one.program.name)

    def in_order(self) -> list[BlockOutcome]:
        """Return the outcomes, one for each block."""
        return [outcome for _, outcome in sorted(self.outcomes.items())]

    def applied(self) -> Applied:
        """Return what became of all."""
        before = self.before
        after, renamed = dict(before), dict[RepoPath, RepoPath]()
        for step in self.steps:
            after[step.key] = step.do is StepAction.WRITE
            if step.new_key is not None:
                after[step.new_key] = True
                origin = next((old for old, new in renamed.items() if new == step.key), step.key)
                renamed[origin] = step.new_key
        renamed = {old: new for old, new in renamed.items() if before[old]}
        touched = {key for step in self.steps for key in step.keys if before[key] or after[key]}
        modified = self._as_named(touched)
        moved = {*renamed, *renamed.values()}
        return Applied(
            outcomes=self.in_order(),
            modified=modified,
            created=[path for path in modified if not before[path] and path not in moved],
            deleted=[path for path in modified if not after[path] and path not in moved],
            renamed=list(renamed.items()),
            ignored=self.ignored,
            documents=self.documents,
        )

    def _as_named(self, paths: Iterable[RepoPath]) -> list[RepoPath]:
        wanted = set(paths)
        named = dict.fromkeys(key for target in self.targets for key in target.keys)
        return [key for key in named if key in wanted]

    def _note_document(self, step: DiskStep) -> None:
        for position in step.positions:
            outcome = self.outcomes[position]
            if outcome.status is BlockStatus.APPLIED:
                self.outcomes[position] = replace(
                    outcome, document="unsaved", notes=(*outcome.notes, UNSAVED)
                )

    def _first_applied(self, path: RepoPath) -> int | None:
        return next(
            (one.position for one in self.targets if path in one.keys and self._is_applied(one)),
            None,
        )

    def _is_applied(self, target: BlockTarget) -> bool:
        return self.outcomes[target.position].status is BlockStatus.APPLIED


def _failed(block: EditBlock, error: AcError) -> BlockOutcome:
    if isinstance(error, RefusedPath | BinaryFile | TooLarge):
        return refused(block, error)
    return BlockOutcome(block, BlockStatus.FAILED, error.message, ErrorType.WRITE_ERROR)


def settle_doubts(batch: EditBatch) -> None:
    """Take what turns out to be done already for what a page did without an answer."""
    for target in batch.left:
        step = batch.doubtful.get(target.key)
        outcome = batch.outcomes[target.position]
        is_meant = step is not None and target.block.index in step.blocks
        if step is None or not is_meant or outcome.status is not BlockStatus.ALREADY_APPLIED:
            continue
        batch.outcomes[target.position] = BlockOutcome(
            outcome.block,
            BlockStatus.APPLIED,
            document="unsaved",
            notes=(*outcome.notes, UNSAVED),
        )
        if step not in batch.documents:
            batch.documents.append(step)


def run_length(found: Sequence[BlockTarget | BlockOutcome]) -> int:
    """Return how many blocks, from the first, mean what they seem to before any is carried out.

    Behind a block that takes a link away nothing is sure: any path may have led through it.

    Args:
        found: what the blocks are about, as the disk stands.
    """
    ends = [position + 1 for position, target in enumerate(found) if takes_link(target)]
    return min([*ends, *unsettled(found), len(found)])


def unsettled(found: Sequence[BlockTarget | BlockOutcome]) -> set[int]:
    """Return the positions of blocks whose file can be resolved only after blocks before them.

    They are about a file where a folder was, or in a folder where a file was, or about a target
    that was reached through a link which was removed, or was created under another name.

    Args:
        found: what the blocks are about, as the disk stands.
    """
    positions: set[int] = set()
    links: set[RepoPath] = set()
    taken: set[RepoPath] = set()
    emptied: set[RepoPath] = set()
    for position, target in enumerate(found):
        if isinstance(target, BlockOutcome):
            continue
        if any(
            name in links or name in emptied or not taken.isdisjoint(_folders(name))
            for name in (target.path, RepoPath(target.block.new_path), *target.keys)
        ):
            positions.add(position)
        if takes_link(target):
            links.update(target.keys)
            taken.update(target.keys)
        elif target.block.kind is not BlockKind.EDIT:
            taken.add(target.key)
            emptied.update(_folders(target.key))
    return positions


def takes_link(target: BlockTarget | BlockOutcome) -> bool:
    """Tell whether a block removes or renames a link."""
    return isinstance(target, BlockTarget) and target.link is not LinkTarget.NONE


def _folders(path: RepoPath) -> Iterator[RepoPath]:
    """Give the folders above a path."""
    folder = path.rpartition("/")[0]
    while folder:
        yield RepoPath(folder)
        folder = folder.rpartition("/")[0]
