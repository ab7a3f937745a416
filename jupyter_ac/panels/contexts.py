"""Contexts: values that a component gives to all components below it."""

from typing import Generic, TypeVar, cast

from jupyter_ac.panels.components import Component
from jupyter_ac.panels.elements import ComponentElement, Fragment, Key
from jupyter_ac.panels.hook_slots import Scheduler, call_site
from jupyter_ac.panels.snapshots import is_unchanged, snapshot

T = TypeVar("T")


class Context(Generic[T]):
    """A value that components below a provider can read.

    Args:
        default: without a provider.

    Attributes:
        default: as given.
    """

    def __init__(self, default: T) -> None:
        self.default = default
        self._provider = Component(self._provide)

    def provide(self, value: T, *children: object, key: Key | None = None) -> ComponentElement:
        """Return an element that shows its children, and gives the value to all below it."""
        return self._provider(value, *children, key=key)

    def _provide(self, value: T, *children: object) -> Fragment:
        site = call_site("provide")
        hook = site.next("provide", ProviderHook, lambda: ProviderHook(self, value))
        hook.offer(value)
        return Fragment(*children)


class ProviderHook:
    """The value of a provider, and who reads it.

    Attributes:
        context: whose value it is.
        value: the present one.
    """

    name = "provide"

    def __init__(self, context: object, value: object) -> None:
        self.context = context
        self.value = value
        self._seen = snapshot(value)
        self._readers: dict[Scheduler, None] = {}

    def offer(self, value: object) -> None:
        """Set the value; those who read it run again if it has changed."""
        if is_unchanged(self._seen, value):
            return
        self.value = value
        self._seen = snapshot(value)
        for reader in list(self._readers):
            reader.invalidate()

    def add(self, reader: Scheduler) -> None:
        """Have a component run again with a new value."""
        self._readers[reader] = None

    def remove(self, reader: Scheduler) -> None:
        """Forget a component."""
        self._readers.pop(reader, None)

    def release(self) -> None:
        """Those who read it are removed with it."""


class ContextHook:
    """Reads a context.

    Args:
        reader: the component that reads.
    """

    name = "use_context"

    def __init__(self, reader: Scheduler) -> None:
        self._reader = reader
        self._context: object = None
        self._provider: ProviderHook | None = None

    def read(self, context: Context[T]) -> object:
        """Return the value of the nearest provider, and of no other context any more."""
        if self._context is not context:
            self.release()
            self._context = context
            self._provider = _provider_of(context, self._reader)
            if self._provider is not None:
                self._provider.add(self._reader)
        return context.default if self._provider is None else self._provider.value

    def release(self) -> None:
        """No longer run again with a new value."""
        if self._provider is not None:
            self._provider.remove(self._reader)
            self._provider = None


def _provider_of(context: object, reader: Scheduler) -> ProviderHook | None:
    for hook in reader.outer_hooks():
        if isinstance(hook, ProviderHook) and hook.context is context:
            return hook
    return None


def create_context(default: T) -> Context[T]:
    """Return a context; `provide` gives it a value for what is below.

    Args:
        default: its value without a provider.
    """
    return Context(default)


def use_context(context: Context[T]) -> T:
    """Return a context's value; the component runs again when it changes."""
    site = call_site("use_context")
    hook = site.next("use_context", ContextHook, lambda: ContextHook(site.scheduler))
    return cast("T", hook.read(context))
