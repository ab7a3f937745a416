"""How often something may happen: a token bucket; pure."""

from typing import Final

_FOREVER: Final = float("inf")


class TokenBucket:
    """Lets a few through at once after a rest, and the others at a steady rate.

    No second sees more than `per_second + burst` of them.

    Args:
        per_second: the steady rate.
        burst: how many go at once after a rest.
    """

    def __init__(self, per_second: float, burst: int) -> None:
        self._interval_s = 1 / per_second
        self._burst = burst
        # When the last token that was spent will have come back.
        self._paid_at = -_FOREVER

    def ready_at(self) -> float:
        """Return when the next may go, on the clock that `spend` is given."""
        return self._paid_at - (self._burst - 1) * self._interval_s

    def spend(self, now: float) -> None:
        """Note that one goes."""
        self._paid_at = max(self._paid_at, now) + self._interval_s
