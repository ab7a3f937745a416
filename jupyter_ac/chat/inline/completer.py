"""Completes code at the cursor by the model for it, within a rate, and without secrets."""

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.chat.inline.code_place import CodePlace
from jupyter_ac.chat.inline.tidying import tidied
from jupyter_ac.chat.model_gateway import CodeRequest, ModelGateway, SideTaskResult
from jupyter_ac.chat.prompt.blocks import wellformed
from jupyter_ac.chat.secret_masking import SecretMasker
from jupyter_ac.errors import AccessDenied, Busy, Unsupported
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.providers import fills_gaps
from jupyter_ac.settings.app import InlineCompletionSettings

_MINUTE_S: Final = 60.0

OFF: Final = "The completion of code is off; inline_completion.enabled in app.json switches it on."


@dataclass(frozen=True, slots=True)
class CodeCompletion:
    """A completion.

    Attributes:
        text: to insert at the cursor; "" for nothing.
        result: what the model answered, and what that used.
    """

    text: str
    result: SideTaskResult


class InlineCompleter:
    """Completes code. Belongs to one event loop.

    Args:
        models: asked for it.
        settings: the user's.
        refusal: says why a model may not be used; None: it may.
        clock: seconds that never go back.
    """

    def __init__(
        self,
        models: ModelGateway,
        settings: Callable[[], InlineCompletionSettings],
        refusal: Callable[[str], str | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._models = models
        self._settings = settings
        self._refusal = refusal
        self._clock = clock
        self._asked: deque[float] = deque()

    async def admit(self) -> ModelChoice:
        """Return the model that completes; counts as a request.

        Raises:
            Unsupported: the settings switch it off.
            NotReady, ProviderBadRequest: there is no model, or only the embedded one.
            AccessDenied: the administrator doesn't allow the model.
            Busy: there were too many requests within the last minute.
        """
        await self._models.renew()
        settings = self._settings()
        if not settings.enabled:
            raise Unsupported(OFF)
        choice = self._models.side_choice(settings.model)
        if (refusal := self._refusal(choice.model)) is not None:
            raise AccessDenied(refusal)
        now = self._clock()
        while self._asked and now - self._asked[0] >= _MINUTE_S:
            self._asked.popleft()
        if len(self._asked) >= settings.per_minute:
            raise Busy(
                f"There were {settings.per_minute} completions within a minute "
                "(inline_completion.per_minute in app.json)."
            )
        self._asked.append(now)
        return choice

    async def complete(self, choice: ModelChoice, place: CodePlace) -> CodeCompletion:
        """Ask the model what stands at a place.

        Args:
            choice: of `admit`.
            place: whatever its size, only what is near is sent.

        Raises:
            ProviderError: one of its subclasses.
        """
        # Beside the loop: masking takes some milliseconds.
        sent = await asyncio.to_thread(_sent, place)
        if fills_gaps(choice.model):
            before, suffix = sent.gap()
            request = CodeRequest(
                [{"role": "user", "content": before}], suffix, self._settings().max_tokens
            )
        else:
            request = CodeRequest(sent.messages(), None, self._settings().max_tokens)
        result = await self._models.complete_code(choice, request)
        is_cut = result.finish_reason == "length"
        return CodeCompletion(tidied(result.text, sent, is_cut=is_cut), result)


def _sent(place: CodePlace) -> CodePlace:
    """Return what is sent of a place: without likely secrets, and without halves of characters."""
    masker = SecretMasker(os.environ)

    def mask(text: str) -> str:
        return masker.mask(wellformed(text)).text

    masked = replace(
        place,
        path=wellformed(place.path),
        language=wellformed(place.language),
        before=tuple(map(mask, place.before)),
        prefix=mask(place.prefix),
        suffix=mask(place.suffix),
        after=tuple(map(mask, place.after)),
    )
    # A secret that is cut might not be recognised.
    return masked.bounded()
