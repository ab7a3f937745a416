"""Plays a recorded answer in place of a model: the same stream, from the package's data."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.chat.model_gateway import NO_WISHES, AnswerListener, AnswerWishes
from jupyter_ac.models.choice import RECORDED, ModelChoice
from jupyter_ac.models.client import CompletedAnswer, ModelInfo, Usage

CHANGED: Final = (
    "Not every edit of this recorded answer fits: files of the example have been changed since. "
    "*Reset the example* brings them back."
)

_CHOICE: Final = ModelChoice(RECORDED, "recorded")
_INFO: Final = ModelInfo(200_000, 8_000, None, None, takes_cache_marks=False, known=True)
_PIECE: Final = re.compile(r"\S+\s*|\s+")


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """Answers a turn with a recorded text; nothing is sent anywhere.

    Attributes:
        text: of the answer.
        words_per_second: how fast it is played.
        pause: waits for some seconds.
    """

    text: str
    words_per_second: float
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    def choice(self) -> ModelChoice:
        """Return what stands in place of a model."""
        return _CHOICE

    def require(self) -> ModelChoice:
        """Return the same as `choice`."""
        return _CHOICE

    async def info(self, _choice: ModelChoice) -> ModelInfo:
        """Return the limits of an ordinary model; there is no price."""
        return _INFO

    async def load(self) -> None:
        """Do nothing: there is nothing to load."""

    async def complete(
        self,
        choice: ModelChoice,
        messages: Sequence[Mapping[str, object]],
        max_tokens: int | None,
        listener: AnswerListener,
        wishes: AnswerWishes = NO_WISHES,
    ) -> CompletedAnswer:
        """Play the answer word by word; the arguments but `listener` are not used."""
        del choice, messages, max_tokens, wishes
        for piece in _PIECE.findall(self.text):
            await self.pause(1 / self.words_per_second)
            listener.text(piece)
        return CompletedAnswer(self.text, "stop", Usage())
