"""What a server and a client offer alike."""

from collections.abc import Awaitable, Callable, Mapping

from jupyter_ac.errors import AcError
from jupyter_ac.jrpc_oo.calls import Answers, Functions
from jupyter_ac.jrpc_oo.hub import Events, Hub
from jupyter_ac.jrpc_oo.remotes import RemoteEnd


class Endpoint(Events):
    """Serves the public methods of objects to remotes, and calls theirs.

    Args:
        remote_timeout: seconds that a remote may take to answer a call.
        nobody: what a call fails with when nobody is connected; None: it reaches nobody and
            succeeds.
        coming: waits for who is on the way, and says whether anybody was.

    Raises:
        ValueError: the timeout is not positive.
    """

    def __init__(
        self,
        remote_timeout: float,
        nobody: Callable[[], AcError] | None = None,
        coming: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        self._hub = Hub(self, remote_timeout, nobody, coming)

    @property
    def call(self) -> Functions[Answers]:
        """`await call["C.m"](*args)` calls every remote that has it; gives `{uuid: value}`."""
        return self._hub.remotes.call

    @property
    def server(self) -> Functions[object]:
        """`await server["C.m"](*args)` calls the only remote that has it; gives the bare value."""
        return self._hub.remotes.server

    @property
    def remotes(self) -> Mapping[str, RemoteEnd]:
        """Who is connected, by uuid; a live view."""
        return self._hub.remotes.by_uuid

    def add_class(self, instance: object, obj_name: str | None = None) -> None:
        """Put the public methods of an object on the wire as `Name.method`.

        The object is given `get_call`, `get_remotes` and `get_server`, unless it has such a method
        itself or takes no attributes. Adding the same object again does nothing.

        Args:
            instance: the object.
            obj_name: in place of the name of its class.

        Raises:
            TypeError: it is a class.
            ValueError: the name is empty.
            AlreadyExists: another object serves a method of that name.
        """
        self._hub.add_class(instance, obj_name)
