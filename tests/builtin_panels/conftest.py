"""Fixtures of the tests of the built-in panels."""

from tests.panels.conftest import no_pace

__all__ = ["no_pace"]
