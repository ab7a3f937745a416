"""Fixtures of the tests of shared panels."""

from tests.panels.conftest import no_pace

__all__ = ["no_pace"]
