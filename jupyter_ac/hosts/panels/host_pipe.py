"""A plugin's end of the pipe to its host: what the host doesn't read is not piled up for it."""

import asyncio
from collections.abc import Callable
from typing import Final

from jupyter_ac.rpc.peer import Peer

MAX_UNREAD_BYTES: Final = 2 << 20
"""With more than that unread the host gets no changes, and the whole tree when it has read it."""

_TREE: Final = frozenset({"updateTree", "applyMutations"})
_LOOK_AGAIN_S: Final = 0.05


class HostPipe:
    """Sends what a panel shows and says to its host.

    Args:
        peer: of the host.
        send_tree: has the whole tree sent.
    """

    def __init__(self, peer: Peer, send_tree: Callable[[], None]) -> None:
        self._peer = peer
        self._send_tree = send_tree
        self._again: asyncio.TimerHandle | None = None

    def send(self, method: str, /, *args: object) -> None:
        """Send a notification, if the host keeps up; a `Send`."""
        is_tree = method in _TREE
        if self._again is not None and is_tree:
            return
        if self._peer.queued_bytes() > MAX_UNREAD_BYTES:
            if is_tree:
                self._look_later()
            return
        self._peer.notify(method, *args)

    def close(self) -> None:
        """Send nothing later."""
        if self._again is not None:
            self._again.cancel()

    def _look_later(self) -> None:
        loop = asyncio.get_running_loop()
        self._again = loop.call_later(_LOOK_AGAIN_S, self._look)

    def _look(self) -> None:
        if self._peer.closed:
            return
        if self._peer.queued_bytes():
            self._look_later()
            return
        self._again = None
        self._send_tree()


class HostServices:
    """What `use_services()` gives: the host's methods.

    Args:
        peer: of the host.
    """

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    async def call(self, method: str, /, *args: object) -> object:
        """Call a method of the host.

        Raises:
            AcError: it failed, or the plugin was not granted it.
        """
        return await self._peer.call(method, *args)
