"""What a model is sent about the branch under review: a summary, a map of before, and diffs.

All of it is read from git's objects, so it is the same whatever happens to the files on disk. The
map shows the changed files as they were before the branch; the map of the repository shows the
rest. It is made in the background, from a copy of these files in a folder of its own.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from jupyter_ac.chat.files import FileText
from jupyter_ac.chat.prompt.blocks import REVIEW_SCHEME, review_block, shown_path
from jupyter_ac.errors import AcError
from jupyter_ac.git.commit_export import export_files
from jupyter_ac.git.commits import Commit, commits_between
from jupyter_ac.git.excluded_paths import ExcludedPaths, ReadExcluded
from jupyter_ac.git.likely_secrets import secret_warnings
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review import journal as review_journal
from jupyter_ac.git.review.changes import ReviewChange, change_diff, changed_files
from jupyter_ac.git.review.journal import Phase, ReviewJournal
from jupyter_ac.git.task_groups import gather, grouped
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.folder_map import folder_map

log = logging.getLogger(__name__)

SUMMARY: Final = RepoPath(f"{REVIEW_SCHEME}summary")
MAP_BEFORE: Final = f"{REVIEW_SCHEME}map-before/"
"""Begins the name of the map of before; what is compared follows."""

CHANGES: Final = f"{REVIEW_SCHEME}changes/"
"""Begins the name of a file's diff; its path follows."""

MAP_TOKENS: Final = 4000
"""Size of the map of the changed files as they were before."""

MAX_DIFFS: Final = 300
"""Files whose diffs one request has."""

MAX_DIFF_CHARS: Final = 200_000
MAX_LISTED: Final = 300
"""Files and commits that the summary names."""

_AT_ONCE: Final = 4
_BEFORE: Final = "the changed files as they were before the branch: names and signatures"


@dataclass(frozen=True, slots=True)
class ReviewReading:
    """What is sent about a review; empty without one.

    Attributes:
        branch: the branch under review; "" if there is no review.
        parts: the summary and the map of before.
        diffs: those of the selected files.
        pending: the name of a map that is still being made; "" for none.
        notices: sentences for the user.
    """

    branch: str = ""
    parts: tuple[FileText, ...] = ()
    diffs: tuple[FileText, ...] = ()
    pending: str = ""
    notices: tuple[str, ...] = ()


NO_REVIEW_READING: Final = ReviewReading()


@dataclass(slots=True)
class _Review:
    """A review, with what was read of it.

    Attributes:
        journal: of the review.
        changes: the files that it changes, by their path.
        summary: see `SUMMARY`.
        diffs: those that were read, by path.
        mapping: makes the map of before.
        without_text: the changed files that are no regular files.
        excluded: the files of which it has nothing.
    """

    journal: ReviewJournal
    changes: dict[str, ReviewChange]
    summary: FileText
    mapping: "asyncio.Task[str]"
    without_text: frozenset[RepoPath]
    excluded: ExcludedPaths
    diffs: dict[str, FileText] = field(default_factory=dict)


class ReviewContext:
    """Reads what a model is sent about the review that is open, whichever host has begun it.

    Args:
        repository: the repository.
        excluded: returns the files of which nothing is sent.
    """

    def __init__(self, repository: Repository, excluded: ReadExcluded) -> None:
        self._repository = repository
        self._excluded = excluded
        self._review: _Review | None = None
        self._loading = asyncio.Lock()
        self._mappings: set[asyncio.Task[str]] = set()

    async def prepare(self) -> None:
        """Begin to make the map of before; without a review, forget the last one."""
        try:
            await self._current()
        except AcError as error:
            log.info("the review can't be read yet: %s", error)

    async def without_text(self) -> Collection[RepoPath]:
        """Return the changed files that can be selected for their differences only.

        They are those that the branch deletes, links, and submodules.
        """
        try:
            review = await self._current()
        except AcError as error:
            log.warning("the changes under review can't be read: %s", error)
            return frozenset()
        return frozenset() if review is None else review.without_text

    async def read(self, selection: Sequence[RepoPath], wait_s: float) -> ReviewReading:
        """Return what is sent with the next question.

        Args:
            selection: the selected files.
            wait_s: how long the map of before is waited for.
        """
        try:
            review = await self._current()
            if review is None:
                return NO_REVIEW_READING
            chosen = [path for path in selection if path in review.changes]
            diffs = await self._diffs(review, chosen[:MAX_DIFFS])
        except AcError as error:
            return ReviewReading(notices=(f"The changes under review aren't sent: {error}",))
        notices = list[str]()
        if len(chosen) > MAX_DIFFS:
            notices.append(f"Only the diffs of the first {MAX_DIFFS} ticked files are sent.")
        await asyncio.wait({review.mapping}, timeout=wait_s)
        name, parts = _map_name(review.journal), [review.summary]
        is_pending = not review.mapping.done()
        if not is_pending and not review.mapping.cancelled() and (text := review.mapping.result()):
            parts.append(FileText(name, review_block(name, _BEFORE, text)))
        return ReviewReading(
            review.journal.branch, tuple(parts), diffs, name if is_pending else "", tuple(notices)
        )

    async def aclose(self) -> None:
        """Stop making a map."""
        self._forget()
        if self._mappings:
            await asyncio.wait(self._mappings)

    async def _current(self) -> _Review | None:
        """Return the review whose files are on disk now; None if there is none."""
        journal = await asyncio.to_thread(review_journal.find, self._repository)
        if journal is None or journal.phase is not Phase.REVIEWING:
            self._forget()
            return None
        excluded = await self._excluded()
        async with self._loading:
            known = self._review
            if known is None or (known.journal, known.excluded) != (journal, excluded):
                self._forget()
                self._review = await self._load(journal, excluded)
            return self._review

    def _forget(self) -> None:
        if self._review is not None:
            self._review.mapping.cancel()
        self._review = None

    async def _load(self, journal: ReviewJournal, excluded: ExcludedPaths) -> _Review:
        span = journal.parent_commit, journal.branch_tip
        async with grouped() as tasks:
            changing = tasks.create_task(changed_files(self._repository, journal))
            listing = tasks.create_task(commits_between(self._repository, *span, MAX_LISTED))
        changes = [one for one in changing.result() if not _is_excluded(one, excluded)]
        text = _summary(journal, changes, listing.result())
        block = review_block(SUMMARY, "the branch under review, its commits and changes", text)
        before = [one["old_path"] or one["path"] for one in changes if one["status"] != "added"]
        mapping = asyncio.create_task(self._map(journal, before), name="map before the review")
        self._mappings.add(mapping)
        mapping.add_done_callback(self._mappings.discard)
        by_path = {one["path"]: one for one in changes}
        textless = await asyncio.to_thread(_without_text, self._repository.root, by_path)
        return _Review(journal, by_path, FileText(SUMMARY, block), mapping, textless, excluded)

    async def _map(self, journal: ReviewJournal, paths: Sequence[str]) -> str:
        with TemporaryDirectory(prefix="jupyter-ac-review-", ignore_cleanup_errors=True) as name:
            folder = Path(name) / "files"
            folder.mkdir()
            try:
                if not await export_files(self._repository, journal.parent_commit, paths, folder):
                    return ""
            except (AcError, OSError) as error:
                log.info("no map of what was before the review: %s", error)
                return ""
            return await folder_map(folder, Path(name) / "index", MAP_TOKENS)

    async def _diffs(self, review: _Review, paths: Sequence[str]) -> tuple[FileText, ...]:
        free = asyncio.Semaphore(_AT_ONCE)

        async def read(path: str) -> None:
            async with free:
                diff = await change_diff(self._repository, review.journal, review.changes[path])
            review.diffs[path] = _diff_text(path, diff)

        await gather(*(read(path) for path in paths if path not in review.diffs))
        return tuple(review.diffs[path] for path in paths)


def _map_name(journal: ReviewJournal) -> RepoPath:
    return RepoPath(f"{MAP_BEFORE}{journal.parent_commit[:10]}..{journal.branch_tip[:10]}")


def _diff_text(path: str, diff: str) -> FileText:
    if len(diff) > MAX_DIFF_CHARS:
        left_out = len(diff) - MAX_DIFF_CHARS
        diff = f"{diff[:MAX_DIFF_CHARS]}\n(cut here; {left_out:,} more characters are left out)\n"
    name = RepoPath(f"{CHANGES}{path}")
    block = review_block(name, "what the branch under review changes in this file", diff)
    return FileText(name, block, tuple(dict.fromkeys(secret_warnings(path, diff))))


def _summary(
    journal: ReviewJournal, changes: Sequence[ReviewChange], commits: Sequence[Commit]
) -> str:
    additions = sum(one["additions"] for one in changes)
    deletions = sum(one["deletions"] for one in changes)
    rows = [
        f"Branch: {shown_path(journal.branch)}",
        f"Compared: {journal.parent_commit[:10]} (before) with {journal.branch_tip[:10]}",
        f"{len(changes)} changed files, +{additions} -{deletions} lines.",
        "",
        "Commits, the newest first:",
        *(f"- {one.short_sha} {shown_path(one.subject)} ({one.author})" for one in commits),
    ]
    if len(commits) == MAX_LISTED:
        rows.append("- and perhaps older ones")
    rows += ["", "Changed files:", *(_change_row(one) for one in changes[:MAX_LISTED])]
    if len(changes) > MAX_LISTED:
        rows.append(f"- and {len(changes) - MAX_LISTED} more")
    return "\n".join(rows)


def _without_text(root: Path, paths: Iterable[str]) -> frozenset[RepoPath]:
    """Return the paths at which no regular file stands: nothing, a link, or a submodule."""
    places = ((path, root / path) for path in paths)
    return frozenset(
        RepoPath(path) for path, place in places if place.is_symlink() or not place.is_file()
    )


def _is_excluded(change: ReviewChange, excluded: ExcludedPaths) -> bool:
    return excluded.covers(*filter(None, (change["path"], change["old_path"])))


def _change_row(change: ReviewChange) -> str:
    old = f"{shown_path(change['old_path'])} -> " if change["old_path"] else ""
    numbers = f"+{change['additions']} -{change['deletions']}"
    return f"- {change['status']}: {old}{shown_path(change['path'])} {numbers}"
