"""Token counts, cached by the hash of the text.

The tables are in a worker process: counting a large file would block the host's event loop too
long.
"""

import asyncio
import hashlib
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, cast

from jupyter_ac.errors import ConnectionClosed, NotFound, RemoteError
from jupyter_ac.workers.process import Worker

_BATCH: Final = 512 * 1024
"""Maximum number of characters in one message to the worker, except a single longer text."""

_LARGE: Final = 256 * 1024
"""Texts of this many characters or more are hashed in a thread."""

_O200K: Final = re.compile(r"(^|/)(gpt-(4o|4\.|[5-9]|oss)|chatgpt|o[1-9]([-.]|$))")
_CL100K: Final = re.compile(r"(^|/)gpt-(4|3\.5)")

_Key = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class Encoding:
    """The token table for a model.

    Attributes:
        name: `o200k_base` or `cl100k_base`.
        estimate: True if the model's own tokenizer is different.
    """

    name: str
    estimate: bool


def encoding_for(model: str) -> Encoding:
    """Select the table by litellm's name of a model."""
    if _O200K.search(model):
        return Encoding("o200k_base", estimate=False)
    return Encoding("cl100k_base", estimate=not _CL100K.search(model))


class TokenCounter:
    """Counts tokens in a `Worker("tokens")`, with a cache.

    Args:
        worker: started when needed, closed by the caller.
        capacity: maximum number of cached texts.
    """

    def __init__(self, worker: Worker, capacity: int = 65_536) -> None:
        self._worker = worker
        self._capacity = capacity
        self._known: OrderedDict[_Key, int] = OrderedDict()

    async def count(self, encoding: str, texts: Sequence[str]) -> list[int]:
        """Count the tokens of each text; text that looks like a special token counts as plain text.

        Raises:
            NotFound: there is no table of this name.
            ConnectionClosed: the worker crashed, and so did its replacement.
        """
        keys = [(encoding, await _digest(text)) for text in texts]
        counts: dict[_Key, int] = {}
        missing: dict[_Key, str] = {}
        for key, text in zip(keys, texts, strict=True):
            if key in self._known:
                self._known.move_to_end(key)
                counts[key] = self._known[key]
            elif text:
                missing[key] = text
        for batch in _batches(missing):
            counts.update(await self._count_batch(encoding, batch))
        return [counts.get(key, 0) for key in keys]

    async def _count_batch(self, encoding: str, batch: dict[_Key, str]) -> dict[_Key, int]:
        answer = await self._ask(encoding, list(batch.values()))
        counted = dict(zip(batch, answer, strict=True))
        self._known.update(counted)
        while len(self._known) > self._capacity:
            self._known.popitem(last=False)
        return counted

    async def _ask(self, encoding: str, texts: list[str]) -> list[int]:
        try:
            try:
                answer = await self._worker.call("Tokens.count", encoding, texts)
            except ConnectionClosed:
                answer = await self._worker.call("Tokens.count", encoding, texts)
        except RemoteError as error:
            if error.remote_type == NotFound.type:
                raise NotFound(error.message) from error
            raise
        return cast("list[int]", answer)


async def _digest(text: str) -> bytes:
    if len(text) < _LARGE:
        return _sha256(text)
    return await asyncio.to_thread(_sha256, text)


def _sha256(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _batches(texts: dict[_Key, str]) -> Iterator[dict[_Key, str]]:
    batch: dict[_Key, str] = {}
    size = 0
    for key, text in texts.items():
        if batch and size + len(text) > _BATCH:
            yield batch
            batch, size = {}, 0
        batch[key] = text
        size += len(text)
    if batch:
        yield batch
