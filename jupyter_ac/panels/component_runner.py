"""Runs components, with their hooks, within the limits of a panel."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from jupyter_ac.errors import PanelError, TooLarge
from jupyter_ac.panels.effects import EffectHook
from jupyter_ac.panels.elements import Children, ComponentElement
from jupyter_ac.panels.error_boundary import BoundaryHook
from jupyter_ac.panels.guard import Guarded
from jupyter_ac.panels.hook_slots import CALL_SITE, CallSite
from jupyter_ac.panels.instances import ComponentInstance
from jupyter_ac.panels.snapshots import is_unchanged, snapshot
from jupyter_ac.panels.wire import MAX_DEPTH, MAX_NODES

MAX_LEVELS: Final = 100
"""Elements, fragments and components inside each other."""

MAX_RUNS: Final = 25
"""How often a component may run in one flush."""


@dataclass(frozen=True, slots=True)
class ComponentRun:
    """What a run of a component has led to.

    Attributes:
        shown: what it returned.
        effects: to be staged, with their dependencies.
    """

    shown: Children
    effects: list[tuple[EffectHook, Callable[[], object], object]]


class ComponentRunner:
    """Runs the components of one panel.

    Args:
        report: is told of errors that no boundary catches.
        note: is told of errors that a boundary shows.
    """

    def __init__(
        self, report: Callable[[BaseException], None], note: Callable[[BaseException], None]
    ) -> None:
        self._report = report
        self._note = note
        self._flush = 0
        self._nodes = 0

    def begin_flush(self) -> None:
        """Count the runs of each component anew."""
        self._flush += 1

    def run(self, instance: ComponentInstance) -> ComponentRun | None:
        """Run a component; None: it has failed, which was reported."""
        instance.is_dirty = False
        if instance.flush != self._flush:
            instance.flush, instance.runs = self._flush, 0
        instance.runs += 1
        if not instance.is_mounted:
            instance.hooks.clear()
        site = CallSite(
            instance.element.component.name,
            instance.hooks,
            instance,
            is_first=not instance.is_mounted,
        )
        token = CALL_SITE.set(site)
        try:
            with Guarded(partial(self.fail, instance)):
                return self._run(instance, site)
        finally:
            CALL_SITE.reset(token)
        return None

    def fail(self, instance: ComponentInstance, error: BaseException) -> None:
        """Show an error of a component in the nearest boundary, or report it."""
        outer = instance.outer_hooks() if instance.is_alive else ()
        for hook in outer:
            if isinstance(hook, BoundaryHook) and hook.error is None:
                hook.catch(error)
                self._note(error)
                return
        self._report(error)

    def may_skip(self, instance: ComponentInstance, element: ComponentElement) -> bool:
        """Return whether a component need not run with new arguments, since they are the same."""
        if not element.component.is_memo or instance.is_dirty or not instance.is_mounted:
            return False
        with Guarded(lambda _error: None):  # from `__eq__` of somebody's class
            return is_unchanged(instance.seen, (element.args, element.kwargs))
        return False

    def forget(self, instance: ComponentInstance) -> None:
        """A component was removed; what it shows no longer counts."""
        self._nodes -= instance.size
        instance.size = 0

    def _run(self, instance: ComponentInstance, site: CallSite) -> ComponentRun:
        _check_run(instance)
        element = instance.element
        shown = Children((element.component.run(element.args, element.kwargs),))
        site.end()
        self._check_size(instance, shown)
        if element.component.is_memo:
            instance.seen = snapshot((element.args, element.kwargs))
        self._nodes += shown.size - instance.size
        instance.size = shown.size
        instance.is_mounted = True
        return ComponentRun(shown, site.effects)

    def _check_size(self, instance: ComponentInstance, shown: Children) -> None:
        name = instance.element.component.name
        nodes = self._nodes - instance.size + shown.size
        if nodes > MAX_NODES:
            raise TooLarge(
                f"A panel has at most {MAX_NODES:,} nodes; {name} would make it {nodes:,}. Show a "
                "part of them."
            )
        if instance.host.depth + shown.height > MAX_DEPTH:
            raise TooLarge(f"{name} shows more than {MAX_DEPTH} nodes inside each other.")
        if instance.level + shown.height > MAX_LEVELS:
            raise TooLarge(_too_deep(name))


def _check_run(instance: ComponentInstance) -> None:
    name = instance.element.component.name
    if instance.runs > MAX_RUNS:
        raise PanelError(
            f"{name} runs again and again: its state is set while it runs. Set it in a handler or "
            "in an effect."
        )
    if instance.level > MAX_LEVELS:
        raise TooLarge(_too_deep(name))


def _too_deep(name: str) -> str:
    return (
        f"{name} is inside of more than {MAX_LEVELS} components and elements; does a component "
        "show itself?"
    )
