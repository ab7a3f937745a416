"""The `browser` worker: connections to browsers, and what their pages do."""

import asyncio
import os
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.debugger import Debugger
from jupyter_ac.browser.filters import Filters
from jupyter_ac.browser.launcher import LaunchOptions
from jupyter_ac.browser.masked_rows import masked_page
from jupyter_ac.browser.page_redaction import PageRedactor
from jupyter_ac.browser.page_urls import check_address
from jupyter_ac.browser.row_ids import RowIds
from jupyter_ac.browser.target import Taker, Target
from jupyter_ac.browser.target_rows import TargetChange, TargetRow
from jupyter_ac.browser.watched_page import WatchedPage
from jupyter_ac.errors import AcError, NotConnected, NotReady
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.worker.jobs import Jobs, emitter

FILTERS_FILE: Final = Path(".jupyter_ac") / "browser-filters.json"
DEFAULT_ENDPOINT: Final = "9222"
"""Tried when no browser is known: the port that most instructions name."""

MAX_FILES: Final = 50_000
SKIPPED: Final = frozenset({"node_modules", "__pycache__", "site-packages", "venv"})

_PAGE: Final = "page"
_STATE_S: Final = 0.2
"""The shortest time between two reports of one page's state."""

_FIRST_PAGE_S: Final = 10.0


@dataclass
class ServedRepository:
    """The repository that the worker works for, once the host has named it.

    Attributes:
        root: of its working tree.
        groups: of filters.
        files: of its working tree, relative to it.
    """

    root: Path = Path()
    groups: Filters | None = None
    files: Sequence[str] = ()

    @property
    def filters(self) -> Filters:
        """The groups of filters.

        Raises:
            NotReady: the host has named no repository.
        """
        if self.groups is None:
            raise NotReady("No repository is open.")
        return self.groups


class BrowserWorker:
    """Browsers and the pages that are watched in them.

    Args:
        jobs: by which the host cancels.
        repository: filled in by `open`.
    """

    def __init__(self, jobs: Jobs, repository: ServedRepository) -> None:
        self._jobs = jobs
        self._repository = repository
        self._redactor = PageRedactor()
        self._row_ids = RowIds()
        self._debugger = Debugger(self._changed, self._takers)
        self._pages: dict[str, WatchedPage] = {}
        self._emit: Callable[[object], None] = _drop
        self._due: dict[str, asyncio.TimerHandle] = {}
        self._told: dict[str, Json] = {}
        self._has_left = False
        self._tasks: set[asyncio.Task[None]] = set()

    @method(Access.READ)
    async def open(self, root: str, last_row: int) -> None:
        """Work for a repository: its files, and its groups of filters.

        Rows are numbered after `last_row`: an earlier worker may have given ids up to there.
        """
        self._row_ids.begin_after(last_row)
        repository = self._repository
        if repository.groups is not None:
            return
        repository.root = Path(root)
        repository.groups = Filters(repository.root / FILTERS_FILE)
        try:
            await repository.groups.load()
        except AcError:
            # Said by whoever asks for them; a broken file must not keep a page from being watched.
            return

    @method(Access.READ)
    async def follow(self, channel: int) -> None:
        """Report changes as events of the channel: `{kind, target, …}`; never ends by itself.

        Kinds: `attached`, `detached` (with `reason`), `navigated`, `updated`, and `state` with the
        state of a watched page.
        """
        self._emit = emitter(channel)
        await self._jobs.run(channel, asyncio.Event().wait())

    @method(Access.EXECUTE)
    async def launch(self, how: Json) -> Json:
        """Start a browser for `{headless, url}`; answers its name and the id of its first page."""
        check_address(str(how.get("url", "about:blank")))
        headless = how.get("headless")
        row = await self._debugger.launch(
            LaunchOptions(headless=None if headless is None else bool(headless))
        )
        return {"browser": row["id"], "target": await self._first_page(row["id"])}

    @method(Access.EXECUTE)
    async def quit(self, browser: str) -> None:
        """End a browser that was started here; leave another one."""
        self._has_left = True
        await self._debugger.close_browser(browser)

    @method(Access.READ)
    async def targets(self, endpoint: str, seeks: int = 0) -> list[Json]:
        """List the targets of all browsers.

        A browser at `endpoint` is attached first; with `seeks` that of the usual port, if there is
        one, and the user hasn't left it.
        """
        if endpoint:
            await self._debugger.attach(endpoint)
        elif seeks and not self._has_left and not self._debugger.browsers():
            with suppress(AcError):
                await self._debugger.attach(DEFAULT_ENDPOINT)
        launched = self._launched()
        return [self._shown(row, launched) for row in self._debugger.targets()]

    @method(Access.READ)
    async def watch(self, target: str) -> Json:
        """Record a target from now on."""
        self._background(self._list_files())
        await self._debugger.watch(target)
        self._told.pop(target, None)
        self._tell(target)
        return self._row(target)

    @method(Access.READ)
    async def unwatch(self, target: str) -> None:
        """Stop to record a target."""
        await self._debugger.unwatch(target)

    @method(Access.EXECUTE)
    async def act(self, target: str, action: str, arguments: Json) -> object:
        """Do something with a watched target; the host has checked whether that is allowed."""
        if action == "row":
            self._debugger.target(target)
            return self._row(target)
        self._debugger.target(target)
        try:
            return await self._pages[target].act(action, arguments)
        finally:
            # Before the answer, so that who reads the state next finds what was done.
            self._tell(target)

    async def finish(self) -> None:
        """End the browsers that were started here."""
        await self._debugger.aclose()

    async def _first_page(self, browser: str) -> str:
        async with asyncio.timeout(_FIRST_PAGE_S):
            while True:
                for target in self._debugger.targets():
                    if target["browser"] == browser and target["type"] == _PAGE:
                        return target["id"]
                await asyncio.sleep(0.01)

    def _row(self, target_id: str) -> Json:
        for row in self._debugger.targets():
            if row["id"] == target_id:
                return self._shown(row, self._launched())
        raise NotConnected("The page has gone.")

    def _shown(self, row: TargetRow, launched: Collection[str]) -> Json:
        """Return what the host gets of a target: without secrets."""
        products = {each["id"]: each["product"] for each in self._debugger.browsers()}
        return {
            **masked_page(row, self._redactor),
            "product": products.get(row["browser"], ""),
            "launched": row["browser"] in launched,
        }

    def _launched(self) -> set[str]:
        """Name the browsers that were started here."""
        return {row["id"] for row in self._debugger.browsers() if row["kind"] == "launched"}

    def _is_launched(self, target_id: str) -> bool:
        rows = self._debugger.targets()
        return any(row["id"] == target_id and row["browser"] in self._launched() for row in rows)

    def _takers(self, target: Target, session: CdpSession) -> tuple[Taker, ...]:
        page = self._pages.get(target.id)
        if page is None:
            page = WatchedPage(
                target,
                self._row_ids,
                self._repository.filters,
                lambda: self._repository.files,
                lambda: self._report(target.id),
            )
            self._pages[target.id] = page
        return page.takers(session)

    def _changed(self, change: TargetChange) -> None:
        if change.kind == "detached" and change.reason != "crashed":
            page = self._pages.pop(change.target_id, None)
            self._told.pop(change.target_id, None)
            if page is not None:
                self._background(page.aclose())
        self._emit(
            {
                "kind": change.kind,
                "target": change.target_id,
                "reason": change.reason or "",
                "launched": change.kind == "attached" and self._is_launched(change.target_id),
            }
        )
        if change.kind != "detached":
            self._report(change.target_id)

    async def _list_files(self) -> None:
        """List the files of the repository anew, for the stacks; a large one takes a second."""
        repository = self._repository
        repository.files = await asyncio.to_thread(list_files, repository.root)

    def _background(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def report_all(self) -> None:
        """Tell the states of all pages."""
        for target_id in list(self._pages):
            self._tell(target_id)

    def _report(self, target_id: str) -> None:
        """Tell the state of a page soon; all changes until then at once."""
        if target_id in self._pages and target_id not in self._due:
            loop = asyncio.get_running_loop()
            self._due[target_id] = loop.call_later(_STATE_S, self._tell, target_id)

    def _tell(self, target_id: str) -> None:
        due = self._due.pop(target_id, None)
        if due is not None:
            due.cancel()
        page = self._pages.get(target_id)
        state = None if page is None else page.state()
        if state is not None and state != self._told.get(target_id):
            self._told[target_id] = state
            self._emit({"kind": "state", "target": target_id, "state": state})


class FilterWorker:
    """Groups of filters of the repository.

    Args:
        repository: whose they are.
        changed: called after each change.
    """

    def __init__(self, repository: ServedRepository, changed: Callable[[], None]) -> None:
        self._repository = repository
        self._changed = changed

    @method(Access.READ)
    async def filters_status(self) -> Json:
        """Return all groups of filters; reads the file when none is on."""
        filters = self._repository.filters
        if not any(group["enabled"] for group in filters.status().values()):
            await filters.load()
        return dict(filters.status())

    @method(Access.READ)
    async def filters_add(self, name: str, hide: Json) -> Json:
        """Add a group, or replace one."""
        await self._repository.filters.add(name, hide)
        self._changed()
        return {"added": True, "name": name}

    @method(Access.READ)
    async def filters_remove(self, name: str) -> Json:
        """Remove a group."""
        await self._repository.filters.remove(name)
        self._changed()
        return {"removed": True, "name": name}

    @method(Access.READ)
    async def filters_enable(self, name: str) -> Json:
        """Switch a group on."""
        self._repository.filters.enable(name)
        self._changed()
        return {"enabled": True, "name": name}

    @method(Access.READ)
    async def filters_disable(self, name: str) -> Json:
        """Switch a group off."""
        self._repository.filters.disable(name)
        self._changed()
        return {"disabled": True, "name": name}

    @method(Access.READ)
    async def filters_enable_all(self) -> Json:
        """Switch all groups on."""
        names = self._repository.filters.enable_all()
        self._changed()
        return {"enabled": names}

    @method(Access.READ)
    async def filters_disable_all(self) -> Json:
        """Switch all groups off."""
        self._repository.filters.disable_all()
        self._changed()
        return {"enabled": []}


def part(jobs: Jobs) -> tuple[BrowserWorker, FilterWorker]:
    """Create the parts that a worker of this kind serves."""
    repository = ServedRepository()
    browsers = BrowserWorker(jobs, repository)
    return browsers, FilterWorker(repository, browsers.report_all)


def list_files(root: Path) -> list[str]:
    """List the files of a working tree, at most `MAX_FILES`, for the mapping of stack traces.

    Hidden folders and those of packages are left out; links aren't followed.
    """
    found: list[str] = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in SKIPPED]
        inside = Path(folder).relative_to(root)
        found += [(inside / name).as_posix() for name in files]
        if len(found) >= MAX_FILES:
            return found[:MAX_FILES]
    return found


def _drop(_event: object) -> None:
    pass
