"""The functions of the tree's nodes, by their ids."""

from collections.abc import Iterable, Iterator, Mapping

from jupyter_ac.panels.elements import Handler
from jupyter_ac.panels.wire import handler_id


class HandlerRegistry(Mapping[str, Handler]):
    """Functions by ids.

    An id is made of the node's and the prop's name. So a late event runs the newest function of its
    node, and as many functions are kept as the tree has.
    """

    def __init__(self) -> None:
        self._handlers: dict[str, Handler] = {}

    def replace(self, node_id: str, before: Iterable[str], handlers: Mapping[str, Handler]) -> None:
        """Set the functions of a node.

        Args:
            node_id: the node.
            before: the props that it has functions for.
            handlers: the new functions by props.
        """
        for prop in before:
            if prop not in handlers:
                del self._handlers[handler_id(node_id, prop)]
        for prop, handler in handlers.items():
            self._handlers[handler_id(node_id, prop)] = handler

    def __getitem__(self, id_: str) -> Handler:
        return self._handlers[id_]

    def __iter__(self) -> Iterator[str]:
        return iter(self._handlers)

    def __len__(self) -> int:
        return len(self._handlers)
