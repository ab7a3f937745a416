"""What needs litellm's tables but not litellm: token counts, and what is listed of a model."""

import asyncio
from collections.abc import Sequence
from typing import Final

import tiktoken

from jupyter_ac.errors import NotFound
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.worker.catalogue import find
from jupyter_ac.worker.jobs import Jobs
from jupyter_ac.worker.listing import listed_models
from jupyter_ac.workers.wire import InfoWire, ListedModel

ENCODINGS: Final = ("o200k_base", "cl100k_base")

_PIECE: Final = 100_000
"""Characters that the tokenizer's expressions can take whatever they are."""


class Tokens:
    """Counts tokens and looks models up."""

    @method(Access.READ)
    async def count(self, encoding: str, texts: Sequence[str]) -> list[int]:
        """Count each text; what looks like a special token is plain text."""
        if encoding not in ENCODINGS:
            raise NotFound(f"there is no token table {encoding}; use {' or '.join(ENCODINGS)}")
        return await asyncio.to_thread(_count_all, encoding, texts)

    @method(Access.READ)
    def describe(self, model: str) -> InfoWire | None:
        """Say what is known of a model; None when only litellm can tell."""
        return find(model)

    @method(Access.READ)
    async def list_models(self) -> list[ListedModel]:
        """Give the models for talk, by provider."""
        return await asyncio.to_thread(listed_models)


def _count_all(encoding: str, texts: Sequence[str]) -> list[int]:
    table = tiktoken.get_encoding(encoding)
    return [count_tokens(table, text) for text in texts]


def count_tokens(table: tiktoken.Encoding, text: str) -> int:
    """Count one text, in pieces when it is one that the tokenizer can't take whole."""
    try:
        return len(table.encode_ordinary(text))
    except BaseException as error:
        # Very long runs of blanks exhaust its stack; the extension's class can't be imported.
        if type(error).__name__ != "PanicException":
            raise
    pieces = [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)]
    return sum(len(table.encode_ordinary(piece)) for piece in pieces)


def part(_jobs: Jobs) -> Tokens:
    """Make the part that a worker of this kind serves."""
    return Tokens()
