"""How much a run may use, and how much it has used."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Self

from jupyter_ac.models.client import Usage
from jupyter_ac.settings.app import AgentSettings
from jupyter_ac.tool_rows import RunAmounts

MINUTE_S: Final = 60.0

_LAST_SHARE: Final = 0.1
"""Of the time: how long a step takes can't be known before, unlike about how much it costs."""

_FULL_SHARE: Final = 0.8
"""Of the model's window; the rest is for the step that sums up, and for what follows the run."""

_ROOM_SHARE: Final = 0.9
"""Of the model's window, up to which results are sent."""

_FREE_SHARE: Final = 0.6
"""Of the model's window, up to which it is full at most when a run's log was shortened."""

_CENT: Final = 0.01


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Limits of a run.

    Attributes:
        max_steps: requests to the model.
        max_tokens: sent and received.
        max_usd: counts only where the model's price is known.
        max_minutes: without waits for the user.
    """

    max_steps: int
    max_tokens: int
    max_usd: float
    max_minutes: float

    @classmethod
    def of(cls, settings: AgentSettings) -> Self:
        """Return the user's limits."""
        return cls(settings.max_steps, settings.max_tokens, settings.max_usd, settings.max_minutes)

    def amounts(self) -> RunAmounts:
        """Return them as they go on the wire."""
        return {
            "steps": self.max_steps,
            "tokens": self.max_tokens,
            "usd": self.max_usd,
            "seconds": self.max_minutes * MINUTE_S,
        }

    def refusal(self, setting: str) -> str:
        """Return why a request isn't sent that alone would go beyond a limit, by its setting."""
        return f"The next request would go beyond {self.told(setting)}"

    def told(self, setting: str) -> str:
        """Return a limit and the remedy, as the end of a sentence."""
        limit = {
            "max_steps": _counted(self.max_steps, "step"),
            "max_tokens": f"{self.max_tokens:,} tokens",
            "max_usd": _dollars(self.max_usd),
            "max_minutes": _counted(self.max_minutes, "minute"),
        }[setting]
        return (
            f"its limit of {limit}; continue with another question, or raise agent.{setting} in "
            "app.json."
        )


class RunBudget:
    """What a run has used of its limits. It begins when this is made.

    Args:
        limits: of the run.
        clock: monotonic, in seconds.
        window: tokens that a request may have; 0 if that isn't known.
        answer_usd: what the shortest useful answer costs; 0 if that isn't known.
    """

    def __init__(
        self,
        limits: RunLimits,
        clock: Callable[[], float] = time.monotonic,
        window: int = 0,
        answer_usd: float = 0.0,
    ) -> None:
        self._limits, self._clock, self._window = limits, clock, window
        self._answer_usd = answer_usd
        self._result_tokens = 0
        self._steps = self._tokens = self._last_tokens = 0
        self._usd = self._last_usd = 0.0
        self._has_price = True
        self._began_s = clock()
        self._waits = 0
        self._wait_began_s = self._waited_s = 0.0

    def note_step(self, tokens: int, usd: float | None) -> None:
        """Count a request to the model, after its answer.

        Args:
            tokens: sent and received, cached ones too.
            usd: None where no price is known.
        """
        self._has_price = usd is not None or (self._has_price and self._steps > 0)
        self._steps += 1
        self._tokens, self._last_tokens = self._tokens + tokens, tokens
        self._usd, self._last_usd = self._usd + (usd or 0.0), usd or 0.0
        self._result_tokens = 0

    def takes_result(self, tokens: int) -> bool:
        """Return whether a result of so many tokens fits the next request; it is counted if so."""
        whole = self._last_tokens + self._result_tokens + tokens
        if self._window and whole > _ROOM_SHARE * self._window:
            return False
        self._result_tokens += tokens
        return True

    def excess(self, tokens: int) -> int:
        """Return how much the run's log must be shortened before another step; 0 for not at all.

        Args:
            tokens: of results that the next request will have.
        """
        whole = self._last_tokens + tokens
        if not self._window or whole <= _FULL_SHARE * self._window or self._is_nearly_used:
            return 0
        return whole - math.floor(_FREE_SHARE * self._window)

    def note_shortened(self, freed_tokens: int, usage: Usage) -> None:
        """Count what shortening the run's log has used, and what it has freed."""
        self._last_tokens = max(0, self._last_tokens - freed_tokens)
        self._tokens += usage.input_tokens + usage.output_tokens
        self._usd += usage.cost_usd or 0.0

    @contextmanager
    def user_wait(self) -> Iterator[None]:
        """Stop the clock while the user is waited for; several waits at once count once."""
        if not self._waits:
            self._wait_began_s = self._clock()
        self._waits += 1
        try:
            yield
        finally:
            self._waits -= 1
            if not self._waits:
                self._waited_s += self._clock() - self._wait_began_s

    def used(self) -> RunAmounts:
        """Return what the run has used so far; `usd` is the sum of what is known."""
        now = self._wait_began_s if self._waits else self._clock()
        return {
            "steps": self._steps,
            "tokens": self._tokens,
            "usd": self._usd if self._has_price else None,
            "seconds": max(0.0, now - self._began_s - self._waited_s),
        }

    def remaining(self) -> RunAmounts:
        """Return what is left; nothing is below 0."""
        used, limits = self.used(), self._limits.amounts()
        return {
            "steps": max(0, limits["steps"] - used["steps"]),
            "tokens": max(0, limits["tokens"] - used["tokens"]),
            "usd": None if used["usd"] is None else max(0.0, self._limits.max_usd - used["usd"]),
            "seconds": max(0.0, limits["seconds"] - used["seconds"]),
        }

    def exceeded(self) -> str:
        """Return why no further request may be made, in a sentence; "" if one may."""
        if self._is_window_full:
            return (
                f"The run nearly fills what the model takes, {self._window:,} tokens; continue "
                "with another question, before which the conversation is summarized."
            )
        left = self.remaining()
        amounts = {
            "max_steps": left["steps"],
            "max_tokens": left["tokens"],
            "max_usd": left["usd"],
            "max_minutes": left["seconds"],
        }
        for setting, amount in amounts.items():
            if amount is not None and amount <= 0:
                return f"The run has reached {self._limits.told(setting)}"
        return ""

    def remaining_text(self) -> str:
        """Return what is left, as one line for the model; rounded down."""
        left = self.remaining()
        parts = [_counted(left["steps"], "step"), f"{left['tokens']:,} tokens"]
        if left["usd"] is not None:
            parts.append(_dollars(left["usd"]))
        minutes = math.floor(left["seconds"] / MINUTE_S)
        parts.append(_counted(minutes, "minute") if minutes else "less than a minute")
        return f"Left: {', '.join(parts)}."

    @property
    def is_last_step(self) -> bool:
        """Whether the model should sum up in the next step.

        After it there would be no room for another one: no step, not the tokens and the money of
        another one like the last, too little time, or too little room in the model's window.
        """
        return self._is_window_full or self._is_nearly_used

    @property
    def _is_nearly_used(self) -> bool:
        left = self.remaining()
        return (
            left["steps"] <= 1
            or (self._steps > 0 and left["tokens"] < 2 * self._last_tokens)
            or (left["usd"] is not None and left["usd"] < 2 * self._last_usd + self._answer_usd)
            or left["seconds"] <= _LAST_SHARE * self._limits.max_minutes * MINUTE_S
        )

    @property
    def _is_window_full(self) -> bool:
        next_tokens = self._last_tokens + self._result_tokens
        return self._window > 0 and next_tokens > _FULL_SHARE * self._window


def _counted(count: float, noun: str) -> str:
    return f"{count:,g} {noun}{'' if count == 1 else 's'}"


def _dollars(amount: float) -> str:
    """Format an amount, rounded down to cents, small ones to hundredths of a cent."""
    digits = 4 if 0 < amount < _CENT else 2
    # A millionth is added: 0.29 * 100 is a little less than 29.
    whole = math.floor(amount * 10**digits + 1e-6)
    return f"${whole / 10**digits:,.{digits}f}"
