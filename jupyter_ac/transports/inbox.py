"""A bounded queue of incoming frames; a waiting reader gets a frame immediately."""

import asyncio
from collections import deque
from collections.abc import Awaitable
from typing import Final

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.rpc.transport import Take

_BURST: Final = 32
"""Frames delivered in a row before other connections get their turn."""


class Inbox:
    """The queue of received frames that were not read yet.

    Args:
        max_frames: as many wait before there is no room.
        max_bytes: the same in bytes (characters, for text).
    """

    def __init__(self, max_frames: int, max_bytes: int) -> None:
        self._max_frames = max_frames
        self._max_bytes = max_bytes
        self._frames: deque[str | bytes] = deque()
        self._bytes = 0
        self._arrived: asyncio.Future[None] | None = None
        self._room: asyncio.Future[None] | None = None
        self._take: Take | None = None
        self._is_pushing = False
        self._pushed = 0
        self._ended: ConnectionClosed | None = None

    @property
    def has_room(self) -> bool:
        """Whether the next frame may come now."""
        return self._room is None

    def put(self, frame: str | bytes) -> Awaitable[None] | None:
        """Take a frame in; never blocks.

        Returns:
            What to wait for before the next frame; None: nothing. Either there is no room, or the
            frame set something in motion that should have its turn of the loop first, or it is
            the other connections' turn.
        """
        if self._ended is not None:
            return None
        if self._take is not None and self._may_push():
            self._pushed += 1
            sets_in_motion = self._push(self._take, frame)
            return _turn() if sets_in_motion or not self._pushed % _BURST else None
        self._frames.append(frame)
        self._bytes += len(frame)
        if len(self._frames) >= self._max_frames or self._bytes >= self._max_bytes:
            self._room = self._room or asyncio.get_running_loop().create_future()
        _release(self._arrived)
        return self._room

    async def wait_room(self) -> None:
        """Wait until the next frame may come; ends with the connection at the latest."""
        if self._room is not None:
            await asyncio.shield(self._room)

    async def get(self) -> str | bytes:
        """Wait for the oldest frame.

        Raises:
            ConnectionClosed: as given to `end`, after the last frame.
        """
        while not self._frames:
            if self._ended is not None:
                raise self._ended
            self._arrived = asyncio.get_running_loop().create_future()
            await self._arrived
        frame = self._frames.popleft()
        self._bytes -= len(frame)
        self._make_room()
        return frame

    def push_to(self, take: Take | None) -> None:
        """Hand frames to `take` from within `put`, as long as `get` waits for one."""
        self._take = take

    def end(self, error: ConnectionClosed, *, drop: bool) -> None:
        """Accept no further frames.

        Args:
            error: raised by `get` when it has no frame left.
            drop: forget the frames that wait.
        """
        self._ended = error
        if drop:
            self._frames.clear()
            self._bytes = 0
        self._make_room()
        _release(self._arrived)

    def _make_room(self) -> None:
        room, self._room = self._room, None
        _release(room)

    def _may_push(self) -> bool:
        waits = self._arrived is not None and not self._arrived.done()
        return waits and not self._frames and not self._is_pushing

    def _push(self, take: Take, frame: str | bytes) -> bool:
        # A frame that this one brings about waits its turn: replies must not nest.
        self._is_pushing = True
        try:
            return take(frame)
        finally:
            self._is_pushing = False


def _turn() -> Awaitable[None]:
    """Give what the loop does once before it goes on."""
    loop = asyncio.get_running_loop()
    turn = loop.create_future()
    loop.call_soon(_release, turn)
    return turn


def _release(waiting: asyncio.Future[None] | None) -> None:
    if waiting is not None and not waiting.done():
        waiting.set_result(None)
