"""Fixtures of the browser's tests, and time limits that a busy machine can't exceed."""

import pytest

from jupyter_ac.browser import (
    browser_link,
    cdp,
    child_sessions,
    endpoints,
    page_dialog,
    page_navigation,
    page_objects,
    page_screenshot,
    target,
)
from tests.browser.chromium import chromium, server

__all__ = ["chromium", "server"]

LIMIT_S = 90.0


@pytest.fixture(autouse=True)
def generous_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give everything time; a test that is about a limit sets its own."""
    for module, name in (
        (browser_link, "ANSWER_S"),
        (cdp, "CALL_S"),
        (child_sessions, "ENABLE_S"),
        (endpoints, "ANSWER_S"),
        (page_dialog, "UNSEEN_S"),
        (page_objects, "ANSWER_S"),
        (page_navigation, "DOCUMENT_S"),
        (page_navigation, "FREE_S"),
        (page_navigation, "LOAD_S"),
        (page_navigation, "STEP_S"),
        (page_screenshot, "SHOT_S"),
        (target, "ENABLE_S"),
        (target, "_BETWEEN_S"),
    ):
        monkeypatch.setattr(module, name, LIMIT_S)
