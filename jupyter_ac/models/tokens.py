"""Token counts, remembered by the hash of the text.

The tables live in a worker process: counting a large file takes longer than the host's loop may
stand still.
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
"""Characters in one message to the worker, a single longer text aside."""

_LARGE: Final = 256 * 1024
"""Characters from which a text is hashed beside the loop."""

_O200K: Final = re.compile(r"(^|/)(gpt-(4o|4\.|[5-9]|oss)|chatgpt|o[1-9]([-.]|$))")
_CL100K: Final = re.compile(r"(^|/)gpt-(4|3\.5)")

_Key = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class Encoding:
    """Which table counts for a model.

    Attributes:
        name: `o200k_base` or `cl100k_base`.
        estimate: True when the model's own tokenizer is another one.
    """

    name: str
    estimate: bool


def encoding_for(model: str) -> Encoding:
    """Choose the table for litellm's name of a model."""
    if _O200K.search(model):
        return Encoding("o200k_base", estimate=False)
    return Encoding("cl100k_base", estimate=not _CL100K.search(model))


class TokenCounter:
    """Counts tokens in a `Worker("tokens")`, remembering what it has counted.

    Args:
        worker: started when needed; it stays the caller's to close.
        capacity: texts whose counts are remembered.
    """

    def __init__(self, worker: Worker, capacity: int = 65_536) -> None:
        self._worker = worker
        self._capacity = capacity
        self._known: OrderedDict[_Key, int] = OrderedDict()

    async def count(self, encoding: str, texts: Sequence[str]) -> list[int]:
        """Count each text; what looks like a special token is plain text.

        Raises:
            NotFound: there is no table of this name.
            ConnectionClosed: the worker died, and so did the one started in its place.
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
