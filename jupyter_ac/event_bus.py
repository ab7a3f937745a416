"""A synchronous event bus: typed listeners, called in the order in which they subscribed."""

import logging
from collections.abc import Callable
from typing import TypeVar, cast

log = logging.getLogger(__name__)

_E = TypeVar("_E")


class EventBus:
    """Delivers each published event to the listeners of its type. Belongs to one event loop.

    A listener of a class gets the events of its subclasses as well. Listeners return at once; one
    that raises is logged, and the next ones are called all the same.
    """

    def __init__(self) -> None:
        self._listeners: list[tuple[type[object], Callable[[object], None]]] = []

    def subscribe(self, event_type: type[_E], listener: Callable[[_E], None]) -> None:
        """Call a listener with each event of a type, after the listeners that subscribed before."""
        self._listeners.append((event_type, cast("Callable[[object], None]", listener)))

    def publish(self, event: object) -> None:
        """Call the listeners of this event, in the order of their subscription."""
        for event_type, listener in self._listeners:
            if isinstance(event, event_type):
                try:
                    listener(event)
                except Exception:
                    log.exception("a listener of %s failed", type(event).__name__)
