"""Renders a panel: runs what has new state, commits, runs effects. Synchronous; knows no hosts."""

from collections.abc import Callable, Sequence
from functools import partial
from heapq import heappop, heappush
from typing import Final

from jupyter_ac.errors import PanelError, TooLarge
from jupyter_ac.panels.commits import Commit
from jupyter_ac.panels.component_runner import ComponentRunner
from jupyter_ac.panels.elements import Child, Handler
from jupyter_ac.panels.guard import Guarded
from jupyter_ac.panels.handlers import HandlerRegistry
from jupyter_ac.panels.instances import ComponentInstance, Node
from jupyter_ac.panels.reconciler import Reconciler
from jupyter_ac.panels.wire import MAX_TREE_BYTES, UINode

MAX_EFFECT_ROUNDS: Final = 50
"""Flushes in a row that only effects have caused."""


class Renderer:
    """One panel: its components, its tree, its functions.

    Args:
        on_dirty: is called when there is something to flush.
        on_loop: does work on the loop's thread.
        report: is told of errors that the person should see.
        note: is told of errors that an error boundary shows.
    """

    def __init__(
        self,
        on_dirty: Callable[[], None],
        on_loop: Callable[[Callable[[], None]], None],
        report: Callable[[BaseException], None],
        note: Callable[[BaseException], None],
    ) -> None:
        self._on_dirty = on_dirty
        self._do_on_loop = on_loop
        self._report = report
        self._runner = ComponentRunner(report, note)
        self._reconciler = Reconciler(self._runner, self)
        self._next: list[Child] = []
        self._dirty: list[tuple[int, int, ComponentInstance]] = []
        self._number = 0
        self._shown: Node | None = None
        self._problem = ""
        self._is_flushing = self._is_in_effects = False
        self._has_other_cause = True
        self._effect_rounds = 0

    @property
    def handlers(self) -> HandlerRegistry:
        """The functions of the tree by their ids."""
        return self._reconciler.handlers

    @property
    def is_dirty(self) -> bool:
        """Whether the next flush has something to run."""
        return bool(self._dirty or self._next)

    def take_event(self, handler_id: str, args: Sequence[object]) -> Handler | None:
        """Note what an event says of a form control; returns its function, if it is there."""
        handler = self.handlers.get(handler_id)
        if handler is not None:
            self._reconciler.form_values.note(handler_id, args)
        return handler

    def tree(self) -> UINode | None:
        """Return the tree as last committed; None also while it is one that can't be sent."""
        return None if self._shown is None or self._problem else self._shown.to_wire()

    def show(self, child: Child) -> None:
        """Show an element in place of the one before, with the next commit."""
        self._has_other_cause = True
        self._next = [child]
        self._on_dirty()

    def invalidated(self, instance: ComponentInstance) -> None:
        """Run a component again, with the next flush or this one."""
        if not (self._is_in_effects or self._is_flushing):
            self._has_other_cause = True
        self._number += 1
        heappush(self._dirty, (instance.level, self._number, instance))
        if not self._is_flushing:
            self._on_dirty()

    def on_loop(self, work: Callable[[], None]) -> None:
        """Do work on the loop's thread: at once if this is it."""
        self._do_on_loop(work)

    def flush(self) -> Commit:
        """Run all components with new state, the outer ones first, and commit."""
        self._count_effect_rounds()
        self._runner.begin_flush()
        self._is_flushing = True
        try:
            for child in self._next:
                self._reconciler.show(child)
            self._next = []
            while self._dirty:
                _, _, instance = heappop(self._dirty)
                if instance.is_dirty and instance.is_alive:
                    self._reconciler.run(instance)
        finally:
            self._is_flushing = False
        return self._commit()

    def run_effects(self) -> None:
        """Clean up what was removed, then run the effects of the last flush."""
        cleanups, self._reconciler.cleanups = self._reconciler.cleanups, []
        effects, self._reconciler.effects = self._reconciler.effects, []
        self._is_in_effects = True
        try:
            for instance, effect in cleanups:
                self._attempt(instance, effect.clean_up)
            for instance, effect in effects:
                self._attempt(instance, effect.run)
        finally:
            self._is_in_effects = False

    def close(self) -> None:
        """Remove everything, and clean up after all effects."""
        self._next = []
        self._reconciler.show(None)
        self._dirty.clear()
        self._reconciler.effects.clear()
        self._reconciler.commit()
        self._shown = None
        self._problem = ""
        self.run_effects()

    def _commit(self) -> Commit:
        changes = self._reconciler.commit()
        roots = self._reconciler.root.nodes
        tree_bytes = self._reconciler.tree_bytes
        problem = _problem_of(len(roots), tree_bytes)
        if problem is not None:
            if self._problem != problem.message:
                self._problem = problem.message
                self._report(problem)
            return Commit(self._shown, tree_bytes, (), is_new_tree=False)
        root = roots[0] if roots else None
        is_new_tree = root is not self._shown or bool(self._problem)
        self._problem = ""
        self._shown = root
        return Commit(root, tree_bytes, changes, is_new_tree)

    def _count_effect_rounds(self) -> None:
        """Stop effects that have set state in each of many flushes in a row."""
        is_by_effects = bool(self._dirty) and not self._has_other_cause
        self._effect_rounds = self._effect_rounds + 1 if is_by_effects else 0
        self._has_other_cause = False
        if self._effect_rounds <= MAX_EFFECT_ROUNDS:
            return
        names = sorted({instance.element.component.name for _, _, instance in self._dirty})
        for _, _, instance in self._dirty:
            instance.is_dirty = False
        self._dirty.clear()
        self._report(
            PanelError(
                f"Effects of {', '.join(names[:3])} set state each time they run, without an end. "
                "Give use_effect dependencies that come to rest."
            )
        )

    def _attempt(self, instance: ComponentInstance, work: Callable[[], None]) -> None:
        with Guarded(partial(self._runner.fail, instance)):
            work()


def _problem_of(roots: int, tree_bytes: int) -> PanelError | TooLarge | None:
    if roots > 1:
        return PanelError(f"The panel shows {roots} things at its top; put them into one element.")
    if tree_bytes > MAX_TREE_BYTES:
        return TooLarge(
            f"The panel's tree has more than {MAX_TREE_BYTES:,} bytes; show a part of it."
        )
    return None
