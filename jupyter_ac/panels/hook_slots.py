"""The state of hooks: one object for each call of a hook, in the order of the calls.

The *call site* of the running component is in a context variable. It says which hook is called for
the how manyth time, and refuses calls in another order than before.
"""

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from jupyter_ac.errors import PanelError

if TYPE_CHECKING:
    from jupyter_ac.panels.effects import EffectHook


class Hook(Protocol):
    """What a hook keeps between two runs of its component."""

    @property
    def name(self) -> str:
        """Of the hook, for messages."""

    def release(self) -> None:
        """Forget what others know of it, when its component is removed."""


HookKind = TypeVar("HookKind", bound=Hook)


class Scheduler(Protocol):
    """What hooks need from what renders their component."""

    def invalidate(self) -> None:
        """Run the component again, with the next flush."""

    def on_loop(self, work: Callable[[], None]) -> None:
        """Do work on the loop's thread: at once if this is it."""

    def outer_hooks(self) -> Iterator[Hook]:
        """Yield the hooks of the components around this one, the nearest first."""


class CallSite:
    """The calls of hooks in one run of a component.

    Args:
        component: its name, for messages.
        hooks: those of the runs before; a first run adds to them.
        is_first: whether this is the first run.
        scheduler: of this component.

    Attributes:
        scheduler: as given.
        effects: to be staged when the run has succeeded, with their dependencies.
    """

    __slots__ = ("_at", "_component", "_hooks", "_is_first", "effects", "scheduler")

    def __init__(
        self, component: str, hooks: list[Hook], scheduler: Scheduler, *, is_first: bool
    ) -> None:
        self.scheduler = scheduler
        self.effects: list[tuple[EffectHook, Callable[[], object], object]] = []
        self._component = component
        self._hooks = hooks
        self._is_first = is_first
        self._at = 0

    def next(self, name: str, kind: type[HookKind], make: Callable[[], HookKind]) -> HookKind:
        """Return the hook of the next call; a first run makes it.

        Args:
            name: of the function that is called.
            kind: of its hook.
            make: makes a new one.

        Raises:
            PanelError: the order is another one than before.
        """
        at = self._at
        self._at += 1
        if self._is_first:
            made = make()
            self._hooks.append(made)
            return made
        if at >= len(self._hooks):
            raise PanelError(f"{self._component} calls more hooks than before. {_RULE}")
        found = self._hooks[at]
        if type(found) is not kind:
            raise PanelError(
                f"Hook {at + 1} of {self._component} was {found.name} before and is {name} now. "
                f"{_RULE}"
            )
        return found

    def end(self) -> None:
        """Check that all hooks were called.

        Raises:
            PanelError: there were more before.
        """
        if self._at < len(self._hooks):
            raise PanelError(
                f"{self._component} calls fewer hooks than before: {self._hooks[self._at].name} is "
                f"missing. {_RULE}"
            )


_RULE: Final = (
    "Call hooks at the top of a component, always in the same order: not in an if, a loop or a "
    "function inside."
)

CALL_SITE: Final[ContextVar[CallSite | None]] = ContextVar("jupyter_ac_panel_hooks", default=None)
"""Of the component that runs now."""


def call_site(hook: str) -> CallSite:
    """Return the call site of the component that runs now.

    Raises:
        PanelError: none does.
    """
    site = CALL_SITE.get()
    if site is None:
        raise PanelError(
            f"{hook} was called outside of a component. Call it at the top of a function with "
            "@component, not in a handler, an effect or a thread."
        )
    return site
