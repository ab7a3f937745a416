"""Token counts and model facts from litellm's tables, without litellm itself."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from typing import Final

import tiktoken

from jupyter_ac.errors import NotFound
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.worker.catalogue import find, listed_models
from jupyter_ac.worker.jobs import Jobs
from jupyter_ac.workers.wire import ListedModel, ModelInfo

ENCODINGS: Final = ("o200k_base", "cl100k_base")

LONGEST_RUN: Final = 512
"""Characters of one kind that are counted as a whole; longer runs are counted in pieces of this.

A power of two, as the equal signs and blanks are of which the tables have tokens.
"""

# What the tokenizer takes for blank; a digit it never joins to more than two others. Between them
# stands what it may merge as a whole, in time that grows with the square of the length.
_BLANK: Final = r"\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_LONG_RUN: Final = re.compile(
    rf"(?<![^{_BLANK}0-9])[^{_BLANK}0-9]{{{LONGEST_RUN + 1},}}"
    rf"|(?<![{_BLANK}])[{_BLANK}]{{{LONGEST_RUN + 1},}}"
)


class Tokens:
    """Counts tokens and looks up models."""

    @method(Access.READ)
    async def count(self, encoding: str, texts: Sequence[str]) -> list[int]:
        """Count each text; what looks like a special token is plain text."""
        if encoding not in ENCODINGS:
            raise NotFound(f"there is no token table {encoding}; use {' or '.join(ENCODINGS)}")
        return await asyncio.to_thread(_count_all, encoding, texts)

    @method(Access.READ)
    def describe(self, model: str) -> ModelInfo | None:
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
    """Count one text in linear time; exactly, unless it has a run longer than `LONGEST_RUN`."""
    return sum(len(table.encode_ordinary(piece)) for piece in pieces_of(text))


def pieces_of(text: str) -> Iterator[str]:
    """Split a text so that no piece has a run longer than `LONGEST_RUN`; usually one piece."""
    at = 0
    for run in _LONG_RUN.finditer(text):
        for end in (*range(run.start(), run.end(), LONGEST_RUN), run.end()):
            if end > at:
                yield text[at:end]
            at = end
    if at < len(text):
        yield text[at:]


def part(_jobs: Jobs) -> Tokens:
    """Create the part that a worker of this kind serves."""
    return Tokens()
