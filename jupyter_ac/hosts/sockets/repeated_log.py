"""Rate-limited logging: one line for a cause, and later how often it came again."""

import asyncio
import logging
from typing import Final

INTERVAL_S: Final = 60.0


class RepeatedLog:
    """Logs the first event of a cause at once, and then one line an interval with their number.

    Belongs to the running event loop.

    Args:
        logger: where the lines go.
        interval_s: the least time between two lines of one cause.
    """

    def __init__(self, logger: logging.Logger, interval_s: float = INTERVAL_S) -> None:
        self._logger = logger
        self._interval_s = interval_s
        self._counts: dict[str, int] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def count(self, sentence: str) -> None:
        """Log a warning, or count it; the sentence names the cause and holds no changing detail."""
        if sentence in self._counts:
            self._counts[sentence] += 1
            return
        self._logger.warning("%s", sentence)
        self._wait(sentence)

    def close(self) -> None:
        """Log what has been counted, and nothing more."""
        for timer in self._timers.values():
            timer.cancel()
        for sentence, count in self._counts.items():
            self._log_count(sentence, count)
        self._timers.clear()
        self._counts.clear()

    def _wait(self, sentence: str) -> None:
        self._counts[sentence] = 0
        loop = asyncio.get_running_loop()
        self._timers[sentence] = loop.call_later(self._interval_s, self._report, sentence)

    def _report(self, sentence: str) -> None:
        count = self._counts.pop(sentence)
        del self._timers[sentence]
        if count:
            self._log_count(sentence, count)
            self._wait(sentence)

    def _log_count(self, sentence: str, count: int) -> None:
        if count:
            self._logger.warning("%s (%d more times)", sentence, count)
