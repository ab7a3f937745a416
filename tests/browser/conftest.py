"""Fixtures of the browser's tests."""

from tests.browser.chromium import chromium, server

__all__ = ["chromium", "server"]
