"""Applies edit blocks to the files of the repository.

A batch is planned on the present files, under their locks, and in several runs if blocks change
what the paths of later ones mean. The data for undo is on disk before the first write. Each file is
replaced atomically, and only if it still is what was read. At the end one command stages the
changed files, and one event reports them.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain

from jupyter_ac.chat.auto_selection import AutoSelectionRule
from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome, EditBlock
from jupyter_ac.chat.edit_blocks.file_changes import Act, Change
from jupyter_ac.chat.edits.apply_options import Applied, ApplyOptions
from jupyter_ac.chat.edits.applying.batch import (
    EditBatch,
    run_length,
    settle_doubts,
    takes_link,
    unsettled,
)
from jupyter_ac.chat.edits.applying.held_blocks import BUILDS_ON
from jupyter_ac.chat.edits.applying.index_plan import index_plan
from jupyter_ac.chat.edits.applying.notebooks import edit_documents
from jupyter_ac.chat.edits.applying.path_checks import BlockTarget, target_of
from jupyter_ac.chat.edits.applying.planning import EditPlan
from jupyter_ac.chat.edits.applying.steps import (
    DiskStep,
    StepAction,
    StepResults,
    carry_out,
    chains,
)
from jupyter_ac.chat.edits.file_snapshot import FileSnapshot, look_around
from jupyter_ac.chat.edits.selection_updates import SelectionAfterEdits
from jupyter_ac.chat.edits.undoing.undoing import Undoing
from jupyter_ac.chat.edits.undoing.weave import WovenFiles, foreign_changes
from jupyter_ac.chat.history.before_images import BeforeImage, BeforeImages, Fresh
from jupyter_ac.chat.history.stored_values import UNREADABLE
from jupyter_ac.edit_rows import BlockStatus
from jupyter_ac.errors import AcError
from jupyter_ac.events import FilesModified
from jupyter_ac.git.disk_entries import DiskEntry, entry_location, read_entry
from jupyter_ac.git.excluded_paths import ReadExcluded
from jupyter_ac.git.files import MAX_FILE_BYTES
from jupyter_ac.git.index_entries import Unstaged, stage_exactly
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.task_groups import gather
from jupyter_ac.git.write_commands import RepositoryWriter
from jupyter_ac.git.writing import ALL_FILES, FileLocks
from jupyter_ac.ids import RepoPath
from jupyter_ac.notebook.cells import Notebook, read_notebook
from jupyter_ac.notebook.editing import is_notebook
from jupyter_ac.store.shield import run_to_completion

_EVERY_TAG = tuple(name[-1] for name in ALL_FILES)
_ROUNDS = 2
"""A file that an editor writes at the same moment is read and matched once more."""

_SLICE_S = 0.1


class Applier:
    """Applies blocks to the files of one working tree. Belongs to one event loop.

    Args:
        repository: whose files.
        locks: keep it alone with the files.
        changer: keeps it alone with the index.
        changed: called with the files that it has changed, once a batch.
        images: keeps what undo needs.
        excluded: returns the files of which nothing is sent; blocks about them are refused.

    Attributes:
        selecting: says what becomes of a selection when files are changed here.
        undoing: takes back what was applied here.
    """

    def __init__(
        self,
        repository: Repository,
        locks: FileLocks,
        changer: RepositoryWriter,
        changed: Callable[[FilesModified], None],
        images: BeforeImages,
        excluded: ReadExcluded,
    ) -> None:
        self._repository = repository
        self._excluded = excluded
        self._locks = locks
        self._changer = changer
        self._changed = changed
        self._images = images
        self.selecting = SelectionAfterEdits(AutoSelectionRule(repository, excluded))
        self.undoing = Undoing(repository, locks, changer, changed, images)

    async def apply(self, blocks: Sequence[EditBlock], terms: ApplyOptions, batch: str) -> Applied:
        """Apply blocks in order; a block that can't be applied changes nothing.

        What has begun goes on to its end when the caller is cancelled.

        Args:
            blocks: of one answer.
            terms: what they may touch.
            batch: the name by which `undo` takes them back; a later call adds to it.
        """
        work = EditBatch(rest=list(enumerate(blocks)))
        await self._begin(work)
        if work.left:
            # What later runs are about is known only then.
            tags = _EVERY_TAG if work.rest else tuple(map(self._tag, work.keys))
            try:
                async with self._locks.hold(work.left[0].path, *tags):
                    await run_to_completion(self._apply(work, terms, batch))
            except AcError as error:
                work.fail(error)
        return work.applied()

    async def look(self, blocks: Sequence[EditBlock], terms: ApplyOptions) -> list[BlockOutcome]:
        """Return what `apply` would give, PENDING in place of APPLIED; changes nothing.

        PENDING are also blocks that fit only, if at all, once those before them are carried out.
        """
        found = await self._targets(list(enumerate(blocks)))
        work = EditBatch(rest=list(enumerate(blocks)))
        work.begin(found)
        if work.left:
            try:
                steps = await self._plan(work, terms)
                work.note(index_plan(work.scene, steps).notes)
            except AcError as error:
                work.fail(error)
        later = unsettled(found)
        return [
            _looked_at(outcome, is_later=position in later)
            for position, outcome in enumerate(work.in_order())
        ]

    async def notebook_on_disk(self, path: RepoPath) -> Notebook | None:
        """Return a notebook as its file is; None if that can't be read, or is none."""
        try:
            found = await asyncio.to_thread(read_entry, self._repository, path, MAX_FILE_BYTES)
            return await asyncio.to_thread(read_notebook, found.data)
        except AcError:
            return None

    async def stage(self, path: RepoPath) -> str:
        """Stage a file as it is on disk; returns why that was not done, "" if it was."""
        try:
            scene = await look_around(self._repository, [path], MAX_FILE_BYTES)
            if path in scene.problems:
                return f"Saved, not staged: {scene.problems[path].message}"
            plan = index_plan(scene, [DiskStep(StepAction.WRITE, path, scene.disk[path])])
            if path in plan.notes:
                return plan.notes[path]
            refused = await self._changer.change(
                lambda git: stage_exactly(git, plan.changes, scene.entries)
            )
        except AcError as error:
            return f"Saved, not staged: {error.message}"
        finally:
            self._changed(FilesModified([path]))
        return f"Saved, not staged: {refused[path].reason}" if path in refused else ""

    def _tag(self, path: RepoPath) -> str:
        return self._locks.tag(entry_location(self._repository, path))

    async def _begin(self, work: EditBatch) -> None:
        """Plan the next run: as many blocks as don't depend on changes of earlier ones.

        Once a link has been removed, each run is one block: other paths may depend on the link.
        """
        is_link_gone = any(takes_link(target) for target in work.targets)
        found = await self._targets(work.rest[:1] if is_link_gone else work.rest)
        work.begin(found[: run_length(found)])

    async def _targets(
        self, blocks: Sequence[tuple[int, EditBlock]]
    ) -> list[BlockTarget | BlockOutcome]:
        excluded = await self._excluded()
        return await gather(
            *(target_of(self._repository, position, block, excluded) for position, block in blocks)
        )

    async def _plan(self, work: EditBatch, terms: ApplyOptions) -> list[DiskStep]:
        """Work out what is left on the files as they stand."""
        scene = await look_around(self._repository, work.keys, terms.max_file_bytes)
        notebooks = list(filter(is_notebook, work.keys))
        if notebooks:
            scene = scene.with_open(await terms.open_notebooks(notebooks), work.doubtful)
        work.see(scene)
        plan = EditPlan(scene, terms, work.ours, work.last_steps, work.held)
        outcomes: list[BlockOutcome] = []
        while len(outcomes) < len(work.left):
            rest = work.left[len(outcomes) :]
            outcomes += await asyncio.to_thread(_add_some, plan, rest)
        for target, outcome in zip(work.left, outcomes, strict=True):
            work.outcomes[target.position] = outcome
        settle_doubts(work)
        work.ours |= plan.ours
        work.held |= plan.held.names
        return plan.steps

    async def _apply(self, work: EditBatch, terms: ApplyOptions, batch: str) -> None:
        try:
            await self._run(work, terms, batch)
            while work.rest:
                await self._begin(work)
                await self._run(work, terms, batch)
        except AcError as error:
            work.fail(error)
        if work.steps:
            try:
                await self._stage(work)
            finally:
                self._changed(FilesModified(work.applied().modified))

    async def _run(self, work: EditBatch, terms: ApplyOptions, batch: str) -> None:
        for _ in range(_ROUNDS):
            steps = await self._plan(work, terms)
            if not steps:
                break
            in_documents = [step for step in steps if step.key in work.scene.open_notebooks]
            on_disk = [step for step in steps if step.key not in work.scene.open_notebooks]
            carried = await self._carry_out(work, on_disk, batch) if on_disk else StepResults()
            await edit_documents(work.scene.open_notebooks, in_documents, carried)
            work.take(carried)
            if not work.left:
                break

    async def _carry_out(
        self, work: EditBatch, steps: Sequence[DiskStep], batch: str
    ) -> StepResults:
        images = await asyncio.to_thread(_images, work.scene, work.steps, steps)
        others = await self._by_others(work.scene, batch, steps)
        changes = [step.changes() for step in steps]
        fresh, first = await self._images.keep(batch, images, [*others, *chain(*changes)])
        carried = StepResults()
        for part in await gather(
            *(
                asyncio.to_thread(carry_out, self._repository, part, self._tag)
                for part in chains(steps)
            )
        ):
            carried.add(part)
        made = {key for step in carried.done for key in step.keys}
        unmade = fresh & (carried.changed - made)
        numbers = _unmade(steps, carried.done, first + len(others))
        with suppress(AcError):  # an image or a change too many does no harm
            if numbers:
                await self._images.note(batch, Act.DROP, numbers)
            if unmade:
                await self._images.drop(batch, unmade)
        return carried

    async def _by_others(
        self, scene: FileSnapshot, batch: str, steps: Sequence[DiskStep]
    ) -> Sequence[Change]:
        """Return what others did since to files that the batch has changed before."""
        images = await self._images.of(batch)
        journal = await self._images.journal(batch) if images else ()
        if not journal:
            return ()
        touched = {key: scene.disk[key] for step in steps for key in step.keys}
        return await asyncio.to_thread(_others, images, journal, touched)

    async def _stage(self, work: EditBatch) -> None:
        """Stage what blocks have changed; what can't be is said, and no failure of the edit."""
        plan = index_plan(work.scene, work.steps)
        work.note(plan.notes)
        work.ignored = plan.ignored
        if plan.is_empty:
            return
        try:
            refused = await self._changer.change(
                lambda git: stage_exactly(git, plan.changes, work.scene.entries)
            )
        except AcError as error:
            refused = dict.fromkeys(plan.changes.paths, Unstaged(error.message))
        work.note_unstaged(refused)


def _unmade(steps: Sequence[DiskStep], done: Collection[DiskStep], first: int) -> list[int]:
    """Return the numbers of changes whose steps were not made, where the first has a number."""
    made = set(map(id, done))
    numbers: list[int] = []
    for step in steps:
        if id(step) not in made:
            numbers += range(first, first + len(step.parts))
        first += len(step.parts)
    return numbers


def _others(
    images: Sequence[BeforeImage], journal: Sequence[Change], disk: Mapping[RepoPath, DiskEntry]
) -> list[Change]:
    try:
        woven = WovenFiles(images, journal)
    except UNREADABLE:
        return []
    return foreign_changes(woven, disk, {image.path for image in images})


def _add_some(plan: EditPlan, targets: Sequence[BlockTarget]) -> list[BlockOutcome]:
    """Plan the first of some blocks; a process that ends waits for no more than these."""
    end = time.monotonic() + _SLICE_S
    outcomes: list[BlockOutcome] = []
    for target in targets:
        outcomes.append(plan.add(target))
        if time.monotonic() > end:
            break
    return outcomes


def _looked_at(outcome: BlockOutcome, *, is_later: bool) -> BlockOutcome:
    if outcome.status is BlockStatus.APPLIED:
        return replace(outcome, status=BlockStatus.PENDING)
    if is_later and outcome.status in {BlockStatus.FAILED, BlockStatus.SKIPPED}:
        return BlockOutcome(
            outcome.block,
            BlockStatus.PENDING,
            BUILDS_ON,
            is_create=outcome.is_create,
            protected=outcome.protected,
        )
    return outcome


def _images(
    scene: FileSnapshot, earlier: Sequence[DiskStep], steps: Sequence[DiskStep]
) -> list[Fresh]:
    """Return the before-images that must be stored before the steps are carried out.

    Args:
        scene: the files as they are at this moment.
        earlier: the steps that the batch has made before.
        steps: those that are to be made.
    """
    after = index_plan(scene, [*earlier, *steps]).after
    signs: dict[RepoPath, list[str]] = {}
    for step in steps:
        for key, sign in step.signs():
            signs.setdefault(key, []).append(sign)
    return [
        Fresh(
            BeforeImage(
                path=key,
                disk=scene.disk[key],
                entries=scene.entries[key],
                made=scene.made[key],
                signs=made_of_it,
                entries_after=[after[key]] if key in after else [],
            ),
            is_staged=key in scene.staged,
        )
        for key, made_of_it in signs.items()
    ]
