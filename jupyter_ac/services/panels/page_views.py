"""All pages that show a panel: each gets one message a frame at most, and none that it can't read.

A page that doesn't keep up is left out. When it has read what it was sent, the plugin is asked for
its tree, and the page goes on from there. So nothing piles up for it.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from jupyter_ac.panels.current_panel import LogLevel
from jupyter_ac.panels.frame_pacer import FramePacer
from jupyter_ac.panels.tracebacks import ErrorReport
from jupyter_ac.services.panels.page_view import PageLink, PageView
from jupyter_ac.services.panels.pending_changes import PendingChanges

MAX_LINES: Final = 200
"""Lines of the log and errors within a frame."""

_LOOK_AGAIN_S: Final = 0.1
"""After which a page that was behind is looked at again."""


class PageViews:
    """The pages that show one panel. Belongs to one event loop.

    Args:
        panel_id: the first argument of what they are sent.
        ask_tree: has the plugin send its tree.
    """

    def __init__(self, panel_id: str, ask_tree: Callable[[], None]) -> None:
        self._panel_id = panel_id
        self._ask_tree = ask_tree
        self._views: dict[PageLink, PageView] = {}
        self._changes = PendingChanges()
        self._pacer = FramePacer(self._frame)
        self._line_pacer = FramePacer(self._end_lines)
        self._again: asyncio.TimerHandle | None = None
        self._lines = 0

    def __len__(self) -> int:
        return len(self._views)

    def __contains__(self, page: PageLink) -> bool:
        return page in self._views

    def __getitem__(self, page: PageLink) -> PageView:
        return self._views[page]

    @property
    def all_know_moves(self) -> bool:
        """Whether each page can apply `moveBefore`."""
        return all(view.knows_moves for view in self._views.values())

    def join(self, page: PageLink, *, knows_moves: bool) -> PageView:
        """Add a page, or begin anew with it; it gets the next whole tree."""
        view = PageView(self._panel_id, page, knows_moves=knows_moves)
        self._views[page] = view
        return view

    def leave(self, page: PageLink) -> None:
        """Remove a page."""
        self._views.pop(page, None)

    def update_tree(self, tree: object) -> None:
        """Send a tree with the next frame."""
        self._changes.replace(tree)
        self._pacer.ask(asyncio.get_running_loop())

    def apply_mutations(self, batch: Sequence[object]) -> None:
        """Send a batch with the next frame."""
        self._changes.add(batch)
        self._pacer.ask(asyncio.get_running_loop())

    def log(self, level: LogLevel, args: Sequence[object]) -> None:
        """Send a line of the log now; beyond the bound it is counted instead."""
        if self._has_room():
            self._tell("log", level, list(args))

    def report_error(self, error: ErrorReport) -> None:
        """Send an error now; beyond the bound it is counted instead."""
        if self._has_room():
            self._tell("reportError", error)

    def begin_anew(self) -> None:
        """Forget what waits; each page needs a whole tree."""
        self._changes.clear()
        for view in self._views.values():
            view.needs_tree = True

    def flush(self) -> None:
        """Send the next message now."""
        self._pacer.cancel()
        self._frame()

    def close(self) -> None:
        """Forget all pages."""
        self._pacer.cancel()
        self._line_pacer.cancel()
        self._changes.clear()
        self._views.clear()
        if self._again is not None:
            self._again.cancel()

    def _frame(self) -> None:
        loop = asyncio.get_running_loop()
        if self._changes.is_torn and not self._changes:
            self.begin_anew()
        change = self._changes.take()
        if change is not None:
            self._pacer.note_frame(loop)
            for view in tuple(self._views.values()):
                view.show(change)
        if self._changes or self._changes.is_torn:
            self._pacer.ask(loop)
        else:
            self._look()

    def _look(self) -> None:
        """Ask for the tree if a page needs it; where all of these are behind, look again later."""
        needing = [view for view in self._views.values() if view.needs_tree]
        if any(view.waits_for_tree for view in needing):
            self._ask_tree()
        elif any(view.is_behind for view in needing) and self._again is None:
            self._again = asyncio.get_running_loop().call_later(_LOOK_AGAIN_S, self._look_again)

    def _look_again(self) -> None:
        self._again = None
        self._look()

    def _has_room(self) -> bool:
        self._lines += 1
        if self._lines == 1:
            loop = asyncio.get_running_loop()
            self._line_pacer.note_frame(loop)
            self._line_pacer.ask(loop)
        return self._lines <= MAX_LINES

    def _end_lines(self) -> None:
        left_out, self._lines = self._lines - MAX_LINES, 0
        if left_out > 0:
            self._tell("log", "warn", [f"{left_out:,} more lines were left out."])

    def _tell(self, name: str, *args: object) -> None:
        for view in tuple(self._views.values()):
            view.tell(name, *args)
