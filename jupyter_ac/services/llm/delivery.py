"""Streams a running answer to a page: increments or the whole text, at a limited rate.

A page that lists `AcApp.streamDelta` gets increments, every other page the whole text so far. At
most one frame is unacknowledged, and at most 20 are sent per second, fewer when each repeats a long
text; each has the newest content. A page that doesn't acknowledge within a second gets only
notifications from then on. At the end the rest and then the completion are sent immediately,
without waiting for an acknowledgement.
"""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from jupyter_ac.chat.edit_blocks.rows import block_rows
from jupyter_ac.chat.streams import ActiveStream, GrowingText, utf16_length
from jupyter_ac.errors import AcError
from jupyter_ac.events import (
    CompactionEvent,
    EditBlocks,
    Event,
    StreamChunk,
    StreamComplete,
    StreamDelta,
    StreamReasoning,
    StreamRetry,
)
from jupyter_ac.models.client import Retry
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.services.llm.client_spellings import retry_row
from jupyter_ac.services.subscribers import wire_name

log = logging.getLogger(__name__)

INTERVAL_S: Final = 0.05
ACKNOWLEDGE_S: Final = 1.0
RESENT_CHARS_PER_S: Final = 2_000_000
_COMPLETION_TIMEOUT_S: Final = 10.0
_CLOSE_TIMEOUT_S: Final = 0.5
_FOREVER: Final = float("inf")


@dataclass(slots=True)
class DeliveryPace:
    """Rate limit for the frames of a stream; pure, all times from one monotonic clock.

    Attributes:
        last_sent: time of the last frame.
        in_flight: whether that one waits for its acknowledgement.
        is_silent: whether the page has let one wait too long.
        resent_chars: text that each frame repeats, for a page that gets the whole text each time.
    """

    last_sent: float = -_FOREVER
    in_flight: bool = False
    is_silent: bool = False
    resent_chars: int = 0

    def wait_s(self, now: float, *, ended: bool) -> float:
        """Return how long to wait before the next frame, 0 for none."""
        if ended:
            return 0.0
        if self.in_flight:
            return max(0.0, self.last_sent + ACKNOWLEDGE_S - now)
        interval_s = max(INTERVAL_S, self.resent_chars / RESENT_CHARS_PER_S)
        return max(0.0, self.last_sent + interval_s - now)

    def send(self, now: float, *, ended: bool) -> bool:
        """Record that a frame is sent; returns whether to ask for an acknowledgement."""
        self.is_silent = self.is_silent or (self.in_flight and not ended)
        self.last_sent = now
        self.in_flight = not self.is_silent and not ended
        return self.in_flight

    def acknowledged(self) -> None:
        """Record that the page has acknowledged the frame in flight."""
        self.in_flight = False


class _Reader:
    """Read position in a growing text, starting at its current end."""

    def __init__(self, source: GrowingText) -> None:
        self._source = source
        self._chars = source.length
        self._units = utf16_length(source.text)

    @property
    def has_new_text(self) -> bool:
        return self._source.length > self._chars

    def take(self) -> tuple[int, str]:
        """Return the new text, and its start in UTF-16 code units."""
        fresh = self._source.since(self._chars)
        units = self._units
        self._chars += len(fresh)
        self._units += utf16_length(fresh)
        return units, fresh


class StreamDelivery:
    """Delivers one stream to one page; a `Follower` of the stream.

    Args:
        peer: the page.
        stream: what it follows, from the text that it has now.
    """

    def __init__(self, peer: Peer, stream: ActiveStream) -> None:
        self._peer = peer
        self._stream = stream
        self._answer = _Reader(stream.answer)
        self._thoughts = _Reader(stream.thoughts)
        self._edits = 0
        loop = asyncio.get_running_loop()
        # The page must first get the answer to the call by which it subscribed.
        self._pace = DeliveryPace(last_sent=loop.time())
        self._wake = asyncio.Event()
        self._is_idle = True
        self._completion: StreamComplete | None = None
        self._call: asyncio.Task[None] | None = None
        self._is_dropped = False

    def grew(self) -> None:
        """Handle new text."""
        if self._is_idle:
            self._wake.set()

    def progressed(self, progress: CompactionEvent | Retry) -> None:
        """Forward the progress of the turn."""
        if isinstance(progress, Retry):
            retry = StreamRetry(self._stream.request_id, retry_row(progress))
            self._notify(retry.name, *retry.args)
        else:
            self._notify(progress.name, *progress.args)

    def ended(self, completion: StreamComplete) -> None:
        """Handle the end of the turn."""
        self._completion = completion
        self._wake.set()

    def dropped(self) -> None:
        """Stop: another delivery of the stream to this page replaces this one."""
        self._is_dropped = True
        self._wake.set()

    async def run(self) -> None:
        """Deliver the stream to its end, or until the page disconnects."""
        try:
            while not self._is_dropped and not self._peer.closed:
                await self._wait_for_turn()
                self._send_new_text()
                if self._completion is not None and not self._is_dropped:
                    await self._complete(self._completion)
                    return
        except AcError as error:
            log.debug("a stream no longer reaches a page: %s", error)
        finally:
            if self._call is not None:
                self._call.cancel()
                await asyncio.gather(self._call, return_exceptions=True)

    async def _wait_for_turn(self) -> None:
        """Wait until there is something to send and the rate limit allows it."""
        while not self._is_dropped:
            has_new_text = (
                self._answer.has_new_text or self._thoughts.has_new_text or self._has_edits
            )
            ended = self._completion is not None
            now = asyncio.get_running_loop().time()
            wait_s = self._pace.wait_s(now, ended=ended)
            if ended or (has_new_text and wait_s == 0):
                return
            self._wake.clear()
            self._is_idle = not has_new_text
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s if has_new_text else None):
                    await self._wake.wait()

    @property
    def _has_edits(self) -> bool:
        return self._stream.edits.version != self._edits

    def _send_new_text(self) -> None:
        if self._is_dropped:
            return
        self._send_reasoning()
        units, fresh = self._answer.take()
        if fresh:
            self._send_text(units, fresh)
        if self._has_edits:
            self._send_edits()

    def _send_text(self, units: int, fresh: str) -> None:
        request_id = self._stream.request_id
        delta = wire_name(self._peer.remote_methods, StreamDelta.name)
        if delta is not None and self._peer.remote_methods:
            self._send(delta, None, StreamDelta(request_id, units, fresh))
            return
        chunk = wire_name(self._peer.remote_methods, StreamChunk.name)
        if chunk is not None:
            self._pace.resent_chars = self._stream.answer.length
            self._send(chunk, f"{chunk} {request_id}", StreamChunk(request_id, self._stream.text))

    def _send_edits(self) -> None:
        """Send the edit blocks, after the text that they belong to."""
        edits = self._stream.edits
        self._edits = edits.version
        methods = self._peer.remote_methods
        if not methods or wire_name(methods, EditBlocks.name) is None:
            return
        rows = block_rows(self._stream.text, edits.blocks)
        event = EditBlocks(self._stream.request_id, rows)
        if self._pace.in_flight:
            # The text itself goes out in the first step of its task.
            asyncio.get_running_loop().call_soon(self._notify, event.name, *event.args)
        else:
            self._notify(event.name, *event.args)

    def _send_reasoning(self) -> None:
        units, fresh = self._thoughts.take()
        name = wire_name(self._peer.remote_methods, StreamReasoning.name)
        if not fresh or name is None or not self._peer.remote_methods:
            return
        event = StreamReasoning(self._stream.request_id, units, fresh)
        if self._answer.has_new_text:
            self._peer.notify(name, *event.args)
        else:
            self._send(name, None, event)

    def _send(self, name: str, newest_key: str | None, event: Event) -> None:
        now = asyncio.get_running_loop().time()
        if self._pace.send(now, ended=self._completion is not None):
            self._call = asyncio.create_task(self._call_out(name, *event.args))
        else:
            self._peer.notify(name, *event.args, newest_key=newest_key)

    async def _call_out(self, name: str, *args: object) -> None:
        """Send a frame as a call; its response, also an error, is the acknowledgement."""
        try:
            await self._peer.call(name, *args, timeout_s=_COMPLETION_TIMEOUT_S)
        except AcError as error:
            log.debug("%s: %s", name, error)
        self._pace.acknowledged()
        self._wake.set()

    async def _complete(self, completion: StreamComplete) -> None:
        name = wire_name(self._peer.remote_methods, completion.name)
        if name is None:
            return
        if self._peer.remote_methods:
            await self._peer.call(name, *completion.args, timeout_s=_COMPLETION_TIMEOUT_S)
        else:
            self._peer.notify(name, *completion.args)

    def _notify(self, event_name: str, *args: object) -> None:
        name = wire_name(self._peer.remote_methods, event_name)
        if name is None:
            return
        try:
            self._peer.notify(name, *args)
        except AcError as error:
            log.debug("%s: %s", name, error)


class Deliveries:
    """Owns the tasks of all deliveries. Belongs to one event loop."""

    def __init__(self) -> None:
        self._tasks: dict[asyncio.Task[None], Peer] = {}

    def follow(self, peer: Peer, stream: ActiveStream) -> None:
        """Deliver a stream to a page from now on, replacing an earlier delivery."""
        lane = StreamDelivery(peer, stream)
        task = asyncio.create_task(lane.run())
        self._tasks[task] = peer
        task.add_done_callback(self._end)
        stream.follow(peer, lane)

    async def see_through(self, peer: Peer) -> None:
        """Wait for the ends of all streams that are delivered to this page."""
        while lanes := [task for task, its_peer in self._tasks.items() if its_peer is peer]:
            await asyncio.wait(lanes)

    async def aclose(self) -> None:
        """Let the deliveries send their last frames, for a limited time, then end them."""
        if not self._tasks:
            return
        _, late = await asyncio.wait(set(self._tasks), timeout=_CLOSE_TIMEOUT_S)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.pop(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a stream's delivery failed", exc_info=error)
