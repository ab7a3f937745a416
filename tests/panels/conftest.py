"""Fixtures of the tests of panels."""

import pytest

from jupyter_ac.panels import frame_pacer


@pytest.fixture(autouse=True)
def no_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let frames follow each other at once; the tests of the pace have a clock of their own."""
    monkeypatch.setattr(frame_pacer, "FRAME_S", 0.0)
