"""The gate that opens when a workspace has finished its start."""

import asyncio


class StartGate:
    """Turns that come early wait here instead of being refused."""

    def __init__(self) -> None:
        self._opened = asyncio.Event()

    @property
    def is_open(self) -> bool:
        """Whether the start is complete."""
        return self._opened.is_set()

    def open(self) -> None:
        """Let everybody through, for good."""
        self._opened.set()

    async def wait(self) -> None:
        """Return when the gate is open; the caller bounds the wait by cancelling it."""
        await self._opened.wait()
