"""One line for a cause, and later how often it came again."""

import asyncio
import logging

import pytest

from jupyter_ac.hosts.sockets.repeated_log import RepeatedLog

logger = logging.getLogger("jupyter_ac.test_repeated_log")


async def test_a_cause_is_logged_once_and_counted_after_that(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = RepeatedLog(logger)
    for _ in range(1000):
        log.count("No room.")
    log.count("No disk.")
    assert caplog.messages == ["No room.", "No disk."]
    log.close()
    assert caplog.messages == ["No room.", "No disk.", "No room. (999 more times)"]


async def test_the_count_comes_by_itself_and_what_is_over_is_forgotten(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = RepeatedLog(logger, interval_s=0.01)
    log.count("No room.")
    log.count("No room.")
    async with asyncio.timeout(30):
        while len(caplog.messages) < 2:
            await asyncio.sleep(0.01)
        while log._counts:
            await asyncio.sleep(0.01)
    log.count("No room.")
    assert caplog.messages == ["No room.", "No room. (1 more times)", "No room."]
    log.close()
