"""The hooks: what components keep between two runs, and what they do after they were shown.

Dependencies of effects and memos are compared by their content, also lists and dicts that were
changed in place; other objects by `==` if they can be hashed, else by identity.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Generic, TypeAlias, TypeVar, cast, overload

from jupyter_ac.panels.effects import NEVER, EffectHook
from jupyter_ac.panels.hook_slots import Scheduler, call_site
from jupyter_ac.panels.snapshots import is_plain, is_unchanged, snapshot

T = TypeVar("T")
A = TypeVar("A")

Update: TypeAlias = T | Callable[[T], T]
Setter: TypeAlias = Callable[[Update[T]], None]
Cleanup: TypeAlias = Callable[[], object] | None


class StateHook(Generic[T]):
    """A value; a new one runs the component again.

    Args:
        name: of the hook.
        value: the first one.
        scheduler: of the component.

    Attributes:
        name: of the hook.
        value: the present one.
    """

    def __init__(self, name: str, value: T, scheduler: Scheduler) -> None:
        self.name = name
        self.value = value
        self._scheduler = scheduler

    def set(self, update: Update[T], /) -> None:
        """Set the value, or compute it from the present one; from any thread.

        A list, a dict or another object counts as new even if it is the same one.
        """
        self._scheduler.on_loop(partial(self._apply, update))

    def _apply(self, update: Update[T]) -> None:
        value = update(self.value) if callable(update) else update
        before, self.value = self.value, value
        if not (type(before) is type(value) and is_plain(value) and before == value):
            self._scheduler.invalidate()

    def release(self) -> None:
        """Nobody else knows of it."""


class ReducerHook(StateHook[T], Generic[T, A]):
    """A value that changes by actions.

    Attributes:
        reducer: of the last run.
    """

    def __init__(self, reducer: Callable[[T, A], T], value: T, scheduler: Scheduler) -> None:
        super().__init__("use_reducer", value, scheduler)
        self.reducer = reducer

    def dispatch(self, action: A, /) -> None:
        """Apply an action; from any thread."""
        self.set(lambda value: self.reducer(value, action))


class Ref(Generic[T]):
    """A place for a value; setting it runs nothing again.

    Attributes:
        current: the value.
    """

    def __init__(self, current: T) -> None:
        self.current = current


class RefHook(Generic[T]):
    """Keeps a `Ref`."""

    name: Final = "use_ref"

    def __init__(self, value: T) -> None:
        self.ref = Ref(value)

    def release(self) -> None:
        """Nobody else knows of it."""


class MemoHook:
    """A value with the dependencies that it was computed from."""

    name: Final = "use_memo"

    def __init__(self) -> None:
        self.value: object = None
        self.dependencies: object = NEVER

    def release(self) -> None:
        """Nobody else knows of it."""


@overload
def use_state(initial: Callable[[], T]) -> tuple[T, Setter[T]]: ...


@overload
def use_state(initial: T) -> tuple[T, Setter[T]]: ...


def use_state(initial: T | Callable[[], T]) -> tuple[T, Setter[T]]:
    """Return a value that the component keeps, and the function that sets it.

    Args:
        initial: the first value, or a function that returns it.

    Returns:
        The value of this run, and the setter: it takes a value, or a function from the present
        value to the new one; from any thread. A new value runs the component again.
    """
    site = call_site("use_state")

    def make() -> StateHook[T]:
        value = initial() if callable(initial) else initial
        return StateHook("use_state", value, site.scheduler)

    hook = site.next("use_state", StateHook, make)
    return hook.value, hook.set


def use_reducer(reducer: Callable[[T, A], T], initial: T) -> tuple[T, Callable[[A], None]]:
    """Return a value that changes by actions, and the function that takes these.

    Args:
        reducer: from the present value and an action to the new value.
        initial: the first value.
    """
    site = call_site("use_reducer")
    hook = site.next(
        "use_reducer", ReducerHook, lambda: ReducerHook(reducer, initial, site.scheduler)
    )
    hook.reducer = reducer
    return hook.value, hook.dispatch


def use_ref(initial: T) -> Ref[T]:
    """Return an object that the component keeps; `current` is free to be set.

    Args:
        initial: the first `current`.
    """
    site = call_site("use_ref")
    return site.next("use_ref", RefHook, lambda: RefHook(initial)).ref


def use_memo(compute: Callable[[], T], dependencies: Sequence[object]) -> T:
    """Return a computed value; it is computed again when a dependency has changed.

    Args:
        compute: returns the value.
        dependencies: what it is computed from.
    """
    hook = call_site("use_memo").next("use_memo", MemoHook, MemoHook)
    given = tuple(dependencies)
    if hook.dependencies is NEVER or not is_unchanged(hook.dependencies, given):
        hook.value = compute()
        hook.dependencies = snapshot(given)
    return cast("T", hook.value)


def use_effect(effect: Callable[[], object], dependencies: Sequence[object] | None = None) -> None:
    """Do something after the component was shown.

    Args:
        effect: returns None or a function that cleans up: before the effect runs again, and when
            the component is removed. It may be a coroutine function, which is cancelled then.
        dependencies: it runs again only when one of these has changed; with `()` once; with None
            after each run of the component.
    """
    site = call_site("use_effect")
    hook = site.next("use_effect", EffectHook, EffectHook)
    kept: object = NEVER
    if dependencies is not None:
        given = tuple(dependencies)
        if hook.dependencies is not NEVER and is_unchanged(hook.dependencies, given):
            return
        kept = snapshot(given)
    site.effects.append((hook, effect, kept))
