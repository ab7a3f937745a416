"""Decodes large byte strings without blocking the event loop."""

import asyncio
import codecs
from typing import Final

_AT_ONCE_BYTES: Final = 256 * 1024
"""A decoder holds the interpreter lock; this many bytes take a few milliseconds."""


async def decoded(data: bytes) -> str:
    """Decode UTF-8; invalid bytes become U+FFFD."""
    if len(data) <= _AT_ONCE_BYTES:
        return data.decode("utf-8", "replace")
    return await asyncio.to_thread(_in_pieces, data)


def _in_pieces(data: bytes) -> str:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    pieces = [
        decoder.decode(data[at : at + _AT_ONCE_BYTES]) for at in range(0, len(data), _AT_ONCE_BYTES)
    ]
    return "".join([*pieces, decoder.decode(b"", final=True)])
