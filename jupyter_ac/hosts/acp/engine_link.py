"""One conversation of an editor with a workspace of this process, over the engine's own RPC."""

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AsyncExitStack
from typing import Final, Self

from jupyter_ac.errors import InvalidParams, NotReady
from jupyter_ac.git.repository import Repository
from jupyter_ac.hosts.assembly import LocalHost, allow_everything
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.methods import Access, Method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.terminal import terminal_text

EVENTS: Final = (
    "streamDelta",
    "streamReasoning",
    "editBlocks",
    "toolUpdated",
    "planUpdated",
    "streamComplete",
)
_CLOSE_S: Final = 10.0


class EngineLink:
    """A connection to a workspace, with a conversation of its own; an async context manager.

    Args:
        host: has the workspaces.
        repository: whose workspace.
        heard: gets the name and the arguments of each event; must not block.

    Attributes:
        repository: whose workspace it is.
    """

    def __init__(self, host: LocalHost, repository: Repository, heard: Callable[..., None]) -> None:
        self.repository = repository
        self._host, self._heard = host, heard
        self._closing = AsyncExitStack()
        self._peer: Peer | None = None

    async def __aenter__(self) -> Self:
        """Connect.

        Raises:
            AcError: the workspace can't be opened.
        """
        try:
            workspace = await self._closing.enter_async_context(
                self._host.registry.use(self.repository)
            )
            ours, theirs = direct_pair()
            remote = Remote(self._host.identity, aside=f"acp-{secrets.token_hex(6)}")
            self._run(workspace.serve(theirs, remote, allow_everything))
            self._peer = Peer(ours, self._methods())
            self._run(self._peer.run())
            await self._peer.handshaken()
        except BaseException:
            await self._closing.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        """Disconnect; bounded."""
        if self._peer is not None:
            await self._peer.close()
        await self._closing.aclose()

    async def call(self, method: str, *arguments: object) -> Mapping[str, object]:
        """Call a method of the workspace.

        Raises:
            InvalidParams: it is refused; the message says why.
            AcError: it fails.
        """
        found = await self._connected().call(method, *arguments)
        result = found if isinstance(found, dict) else {"result": found}
        if isinstance(refused := result.get("error"), str):
            raise InvalidParams(terminal_text(refused))
        return result

    def notify(self, method: str, *arguments: object) -> None:
        """Call a method without waiting for it."""
        self._connected().notify(method, *arguments)

    def _connected(self) -> Peer:
        if self._peer is None:
            raise NotReady("The session isn't connected.")
        return self._peer

    def _methods(self) -> Mapping[str, Method]:
        def handler(event: str) -> Callable[..., None]:
            def take(*arguments: object) -> None:
                self._heard(event, *arguments)

            return take

        names = {f"AcApp.{event}": handler(event) for event in EVENTS}
        return {name: Method.of(name, take, Access.READ) for name, take in names.items()}

    def _run(self, work: Coroutine[object, object, None]) -> None:
        """Run a side of the connection until the end."""
        task = asyncio.create_task(work, name="link of an editor")

        async def end() -> None:
            task.cancel()
            await asyncio.wait({task}, timeout=_CLOSE_S)

        self._closing.push_async_callback(end)
