"""The common public API of server and client."""

from collections.abc import Awaitable, Callable, Mapping

from jupyter_ac.errors import AcError
from jupyter_ac.jrpc_oo.hub import Events, Hub
from jupyter_ac.jrpc_oo.remotes import Answers, Functions, RemoteEnd


class Endpoint(Events):
    """Exposes the public methods of objects to remotes, and calls theirs.

    Args:
        remote_timeout: seconds to wait for each answer.
        not_connected: creates the error of a call while no remote is connected; None: the call
            succeeds without effect.
        connecting: waits for a remote that is connecting; returns whether there was one.

    Raises:
        ValueError: the timeout is not positive.
    """

    def __init__(
        self,
        remote_timeout: float,
        not_connected: Callable[[], AcError] | None = None,
        connecting: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        self._hub = Hub(self, remote_timeout, not_connected, connecting)

    @property
    def call(self) -> Functions[Answers]:
        """`await call["C.m"](*args)` calls every remote that has it; returns `{uuid: value}`."""
        return self._hub.remotes.call

    @property
    def server(self) -> Functions[object]:
        """`await server["C.m"](*args)` calls the only remote with it; returns the bare value."""
        return self._hub.remotes.server

    @property
    def remotes(self) -> Mapping[str, RemoteEnd]:
        """The connected remotes, by uuid; a live view."""
        return self._hub.remotes.by_uuid

    def add_class(self, instance: object, obj_name: str | None = None) -> None:
        """Expose the public methods of an object as `Name.method`.

        The object gets the attributes `get_call`, `get_remotes` and `get_server`, unless it has
        such a method itself or allows no attributes. Adding the same object again does nothing.

        Args:
            instance: the object.
            obj_name: used instead of the name of its class.

        Raises:
            TypeError: it is a class.
            ValueError: the name is empty.
            AlreadyExists: another object has a method of that name.
        """
        self._hub.add_class(instance, obj_name)
