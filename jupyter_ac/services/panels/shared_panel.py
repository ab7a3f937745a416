"""One panel: its plugin, started with the first page that shows it, and all pages that do."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Final

from jupyter_ac.errors import AcError, Busy, InvalidState, NotReady
from jupyter_ac.panels.initialize_request import MOVE_BEFORE, InitializeRequest, check_request
from jupyter_ac.panels.tracebacks import ErrorReport
from jupyter_ac.services.panels.attention import Attention
from jupyter_ac.services.panels.page_view import PageLink
from jupyter_ac.services.panels.page_views import PageViews
from jupyter_ac.services.panels.panel_inputs import PanelInputs
from jupyter_ac.services.panels.panel_rows import PanelRow, PanelState
from jupyter_ac.services.panels.panel_source import PanelSource
from jupyter_ac.services.panels.plugin_run import PluginRun, RunLimits

MAX_VIEWS: Final = 64
"""Pages that show one panel."""

_DEFAULT: Final = RunLimits()

_logger = logging.getLogger(__name__)


class SharedPanel:
    """A panel that is listed. Belongs to one event loop.

    Args:
        source: offers it; may be replaced, which holds from the next start on.
        changed: called after each change of its row; must return at once.
        limits: of the plugin's time.
    """

    def __init__(
        self, source: PanelSource, changed: Callable[[], None], limits: RunLimits = _DEFAULT
    ) -> None:
        self.source = source
        self._changed = changed
        self._limits = limits
        self._views = PageViews(source.id, self._ask_tree)
        self._run: PluginRun | None = None
        self._state: PanelState = "stopped"
        self._error: ErrorReport | None = None
        self._title = ""
        self._loads = 0
        self._calls: list[str] = []
        self._inputs = PanelInputs()
        self._attention = Attention()
        self._turn = asyncio.Lock()
        self._linger: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._asking: asyncio.Task[None] | None = None
        self._starting: asyncio.Task[None] | None = None

    @property
    def row(self) -> PanelRow:
        """How it is listed."""
        return PanelRow(
            id=self.source.id,
            title=self._title or self.source.title,
            origin=self.source.origin,
            state=self._state,
            error=self._error,
            calls=self._calls,
            loads=self._loads,
        )

    @property
    def is_idle(self) -> bool:
        """Whether nobody sees it and nothing runs."""
        return not len(self._views) and self._run is None

    async def initialize(self, page: PageLink, request: InitializeRequest) -> None:
        """Show it on a page; returns when the page was sent the tree, or the error.

        Raises:
            InvalidParams: another version of the protocol.
            AcError: the running plugin refused the props or the environment, or doesn't answer.
        """
        check_request(request)
        if len(self._views) >= MAX_VIEWS and page not in self._views:
            raise Busy(f"{MAX_VIEWS} pages show this panel already; close one of them.")
        knows_moves = MOVE_BEFORE in (request.get("extensions") or ())
        view = self._views.join(page, knows_moves=knows_moves)
        self._stay()
        props, env = request.get("props"), self._attention.note(page, request.get("env") or {})
        self._inputs.add(props, env)
        async with self._turn:
            if self._error is not None:
                view.tell("reportError", self._error)
            elif self._starting is not None or self._run is None:
                await self._start_for_all()
            else:
                await self._greet(self._run, props, env)

    async def call(self, page: PageLink, method: str, *args: object) -> None:
        """Call a method of the plugin for a page.

        Raises:
            InvalidState: the page has not initialized it.
            NotReady: the plugin doesn't run.
            AcError: the plugin refused it, or doesn't answer.
        """
        if page not in self._views:
            raise InvalidState(method, "not initialized", ["initialized"])
        if self._run is None:
            raise NotReady("The panel does not run any more; restart it.")
        match method, args:
            case "setEnvironment", (dict() as env,):
                args = (self._attention.note(page, env),)
        await self._run.call(method, *args)
        self._inputs.note(method, *args)
        if method == "syncTree":
            self._views.flush()

    def leave(self, page: PageLink) -> None:
        """End the view of a page, if it has one; without any, the plugin ends after a while."""
        self._views.leave(page)
        if self._attention.forget(page) and self._run is not None:
            self._spawn(self._tell_unseen(self._run))
        self._end_later()

    async def hand_over(self, page: PageLink, other: "SharedPanel") -> None:
        """Let a page that shows this panel show another one in its place."""
        if page not in self._views:
            return
        knows_moves = self._views[page].knows_moves
        self.leave(page)
        await other.initialize(page, self._inputs.request(knows_moves=knows_moves))

    async def restart(self) -> None:
        """End the plugin and start it anew for all pages; a panel that nobody sees only ends."""
        await self._end_run()  # which ends a start that goes on, too
        async with self._turn:
            if self._run is not None:
                return  # a page that came meanwhile has started it anew
            self._starting = None
            self._views.begin_anew()
            self._set("stopped")
            if len(self._views):
                await self._start_for_all()

    async def aclose(self) -> None:
        """End the plugin, and forget all pages; bounded."""
        self._stay()
        self._views.close()
        await self._end_run()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def run_described(self, title: str, calls: Sequence[str]) -> None:
        """Note what the plugin has said of itself."""
        self._title, self._calls = title, sorted(calls)
        self._loads += 1
        self._changed()

    def run_ended(self, error: ErrorReport) -> None:
        """Tell the pages that the plugin has ended by itself."""
        run, self._run = self._run, None
        self._views.begin_anew()
        self._set("failed", error)
        self._views.report_error(error)
        if run is not None:
            self._spawn(run.end())

    async def _start_for_all(self) -> None:
        """Start the plugin; that goes on when the page leaves that has asked for it."""
        if self._starting is None:
            self._starting = self._spawn(self._start())
            self._starting.add_done_callback(self._has_started)
        await asyncio.shield(self._starting)

    def _has_started(self, start: asyncio.Task[None]) -> None:
        if self._starting is start:
            self._starting = None

    async def _start(self) -> None:
        run = self._run = PluginRun(self._views, self, self._limits)
        self._set("starting")
        try:
            await run.begin(
                self.source, self._inputs.request(knows_moves=self._views.all_know_moves)
            )
        except AcError as error:
            self._fail(run, error.message)
        except TimeoutError:
            self._fail(run, f"The panel has shown nothing for {self._limits.start_s:g} s.")
        else:
            self._views.flush()
            if self._run is run:
                self._set("running")
        self._end_later()

    async def _greet(
        self, run: PluginRun, props: Mapping[str, object] | None, env: Mapping[str, object]
    ) -> None:
        """Show a running panel on one more page."""
        if props is not None:
            await run.call("updateProps", props)
        if env:
            await run.call("setEnvironment", env)
        await run.call("syncTree")
        self._views.flush()

    def _fail(self, run: PluginRun, message: str) -> None:
        if self._run is run:  # else its end was told before
            self.run_ended({"message": message})

    async def _tell_unseen(self, run: PluginRun) -> None:
        env = {"active": False}
        self._inputs.add(None, env)
        try:
            await run.call("setEnvironment", env)
        except AcError as error:
            _logger.info("a panel was not told that nobody sees it: %s", error.message)

    def _ask_tree(self) -> None:
        # Who has the turn brings a tree for all.
        if self._run is not None and self._asking is None and not self._turn.locked():
            self._asking = self._spawn(self._fetch_tree(self._run))
            self._asking.add_done_callback(self._has_asked)

    async def _fetch_tree(self, run: PluginRun) -> None:
        try:
            await run.call("syncTree")
        except AcError as error:
            if self._run is run:
                self._views.report_error({"message": error.message})

    def _has_asked(self, _task: asyncio.Task[None]) -> None:
        self._asking = None

    def _end_later(self) -> None:
        """Have the plugin ended after a while, if nobody sees it."""
        linger_s = self.source.linger_s
        if len(self._views) or self._run is None or self._linger is not None or linger_s is None:
            return
        loop = asyncio.get_running_loop()
        self._linger = loop.call_later(linger_s, lambda: self._spawn(self._stop_unseen()))

    async def _stop_unseen(self) -> None:
        self._linger = None
        async with self._turn:
            if not len(self._views):
                await self._end_run()
                self._set("stopped")

    async def _end_run(self) -> None:
        run, self._run = self._run, None
        if run is not None:
            await run.end()

    def _stay(self) -> None:
        if self._linger is not None:
            self._linger.cancel()
            self._linger = None

    def _set(self, state: PanelState, error: ErrorReport | None = None) -> None:
        self._state, self._error = state, error
        self._changed()

    def _spawn(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
