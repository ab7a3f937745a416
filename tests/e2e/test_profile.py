"""Tests share a browser profile, and nothing of what earlier ones have left in it."""

import pytest
from playwright.sync_api import Page, Route

from tests.e2e.profile import Profile

pytestmark = pytest.mark.e2e
ADDRESS = "http://127.0.0.1:9/page"
STORE = "() => { document.cookie = 'a=1'; localStorage.a = 1; sessionStorage.a = 1; }"
STORED = "() => [document.cookie, localStorage.length, sessionStorage.length]"


def answer(route: Route) -> None:
    route.fulfill(body="<!doctype html>", content_type="text/html")


def visit(page: Page) -> object:
    """Open the page and return what an earlier visit has stored."""
    page.route(ADDRESS, answer)
    page.goto(ADDRESS)
    return page.evaluate(STORED)


def test_the_next_test_finds_nothing_of_this_one(page: Page, profile: Profile) -> None:
    assert visit(page) == ["", 0, 0]
    page.evaluate(STORE)
    assert page.evaluate(STORED) == ["a=1", 1, 1]
    profile.forget()
    assert page.is_closed()
    assert visit(profile.context.new_page()) == ["", 0, 0]
