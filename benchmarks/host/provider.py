"""The scripted provider behind the models worker, as a benchmark sees it, and the bare request.

Its times come from the same monotonic clock as ours: both processes run on one machine.
"""

import asyncio
import http.client
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support.model_process import RunningModelServer, running_model_server

LIMIT_S: Final = 60.0

Row = dict[str, object]


@dataclass(frozen=True)
class Bare:
    """A request without anything around it, in milliseconds.

    Attributes:
        leaving_ms: from its start until the provider had it.
        ending_ms: from the provider's last byte until all of it was read.
    """

    leaving_ms: float
    ending_ms: float


@dataclass(frozen=True)
class Provider:
    """The scripted provider."""

    server: RunningModelServer

    @property
    def api_base(self) -> str:
        """Its address in OpenAI's format."""
        return self.server.openai

    async def rows(self) -> list[Row]:
        """What it has seen so far."""
        return await asyncio.to_thread(self.server.requests)

    async def last(self, is_over: Callable[[Row], bool], after: int = 0) -> Row:
        """Wait until the last request fulfils the condition, and give it.

        Args:
            is_over: the condition.
            after: how many requests are known to be older.
        """
        end = time.monotonic() + LIMIT_S
        while len(rows := await self.rows()) <= after or not is_over(rows[-1]):
            if time.monotonic() > end:
                raise TimeoutError("the provider does not see what it should")
            await asyncio.sleep(0.02)
        return rows[-1]

    async def bare(self) -> Bare:
        """Send the newest request once more, by a plain HTTP client in this process."""
        body = max(self.server.record.glob("*.json")).read_bytes()
        sent, read = await asyncio.to_thread(self._replay, body)
        row = await self.last(ended)
        return Bare(
            (seconds(row, "t_open") - sent) * 1000, (read - seconds(row, "t_closed")) * 1000
        )

    def _replay(self, body: bytes) -> tuple[float, float]:
        connection = http.client.HTTPConnection(
            self.server.anthropic.removeprefix("http://"), timeout=LIMIT_S
        )
        sent = time.monotonic()
        connection.request("POST", "/v1/chat/completions", body)
        connection.getresponse().read()
        read = time.monotonic()
        connection.close()
        return sent, read


def seconds(row: Row, key: str) -> float:
    """Give a time of a request."""
    found = row[key]
    if not isinstance(found, float):
        raise TypeError(f"{key} is {found!r}")
    return found


def ended(row: Row) -> bool:
    """Whether the provider is done with a request."""
    return row["t_closed"] is not None


@contextmanager
def provider(folder: Path) -> Iterator[Provider]:
    """Run the provider until the block ends; it writes what it is sent below the folder."""
    with running_model_server(folder / "requests") as server:
        yield Provider(server)
