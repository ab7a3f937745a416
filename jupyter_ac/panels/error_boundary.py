"""`ErrorBoundary`: shows something else when a component below it fails."""

from collections.abc import Callable
from typing import Final

from jupyter_ac.panels.components import Component
from jupyter_ac.panels.elements import Fragment
from jupyter_ac.panels.hook_slots import Scheduler, call_site
from jupyter_ac.panels.tags import html


class BoundaryHook:
    """The error of an error boundary.

    Args:
        scheduler: of the boundary.

    Attributes:
        error: what was caught; None: nothing.
    """

    name: Final = "ErrorBoundary"

    def __init__(self, scheduler: Scheduler) -> None:
        self.error: BaseException | None = None
        self._scheduler = scheduler

    def catch(self, error: BaseException) -> None:
        """Show the fallback."""
        self.error = error
        self._scheduler.invalidate()

    def retry(self) -> None:
        """Show the children again, made anew; from any thread."""
        self._scheduler.on_loop(self._retry)

    def _retry(self) -> None:
        if self.error is not None:
            self.error = None
            self._scheduler.invalidate()

    def release(self) -> None:
        """Nobody else knows of it."""


def _boundary(
    *children: object,
    fallback: Callable[[BaseException, Callable[[], None]], object] | None = None,
) -> Fragment:
    site = call_site("ErrorBoundary")
    hook = site.next("ErrorBoundary", BoundaryHook, lambda: BoundaryHook(site.scheduler))
    if hook.error is None:
        return Fragment(*children, key="children")
    shown = (fallback or _message)(hook.error, hook.retry)
    return Fragment(shown, key="fallback")


def _message(error: BaseException, _retry: Callable[[], None]) -> object:
    return html.p({"role": "alert"}, f"{type(error).__name__}: {error}")


ErrorBoundary: Final = Component(_boundary)
"""Shows its children; when a component below raises, it shows `fallback(error, retry)` instead.

Errors in components and in effects are caught, those in handlers aren't. `retry` shows the children
again, with new state.
"""
