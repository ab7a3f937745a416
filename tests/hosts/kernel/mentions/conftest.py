"""A shell of its own for each test."""

import sys
from collections.abc import Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    for name in ("last_exc", "last_type", "last_value", "last_traceback"):
        monkeypatch.delattr(sys, name, raising=False)
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()
