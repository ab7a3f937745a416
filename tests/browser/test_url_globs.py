"""Many globs at once match what each alone matches."""

import time
from fnmatch import fnmatchcase

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jupyter_ac.browser.url_globs import (
    MAX_URL_CHARS,
    UrlGlobs,
    browser_pattern,
    matches_glob,
)

LETTERS = st.text(alphabet="ab/.*?[]!-\\\n", max_size=12)


@given(st.lists(LETTERS, max_size=8), LETTERS)
@example(["*aaaab*", "aaaa"], "aaaab")
@example(["[]a]bbbb"], "]bbbb")
@example(["[!]a]bbbb"], "bbbbb")
@example(["aaaa[b"], "aaaa[b")
@example(["aaa[ab]aaa"], "aaabaaa")
@example(["[z-a]aaaa", "a"], "a")
def test_a_set_matches_what_fnmatch_matches(globs: list[str], url: str) -> None:
    assert UrlGlobs(globs).matches(url) is any(fnmatchcase(url, glob) for glob in globs)


@given(LETTERS, LETTERS)
def test_the_browsers_pattern_matches_at_least_as_much(glob: str, url: str) -> None:
    if fnmatchcase(url, glob):
        assert browser_matches(url, browser_pattern(glob))


def browser_matches(url: str, pattern: str) -> bool:
    """Chromium's `base::MatchPattern` after the protocol's rules: `?` is one or no letter."""
    reached = {0}
    at = 0
    while at < len(pattern):
        letter = pattern[at]
        at += 1
        if letter == "*":
            reached = set(range(min(reached, default=len(url) + 1), len(url) + 1))
            continue
        if letter == "?":
            reached |= {place + 1 for place in reached if place < len(url)}
            continue
        if letter == "\\":
            letter = pattern[at]
            at += 1
        reached = {place + 1 for place in reached if url[place : place + 1] == letter}
    return len(url) in reached


@pytest.mark.parametrize(
    ("glob", "pattern"),
    [
        ("https://x.org/*", "https://x.org/*"),
        ("*/a?b=1", "*/a?b=1"),
        ("*.[jt]s", "*.?s"),
        ("a[b", "a[b"),
        ("a\\b", "a\\\\b"),
    ],
)
def test_a_glob_becomes_a_pattern(glob: str, pattern: str) -> None:
    assert browser_pattern(glob) == pattern


def test_case_matters_and_the_whole_address_is_meant() -> None:
    globs = UrlGlobs(["https://x.org/A*"])
    assert globs.matches("https://x.org/Ab")
    assert not globs.matches("https://x.org/ab")
    assert not globs.matches("see https://x.org/Ab")
    assert not UrlGlobs([]).matches("https://x.org")


def test_long_addresses_are_compared_by_their_beginning() -> None:
    url = "data:" + "a" * MAX_URL_CHARS + "end"
    assert UrlGlobs(["data:*"]).matches(url)
    assert not UrlGlobs(["*end"]).matches(url)
    assert not matches_glob(url, "*end")
    assert matches_glob(url, "data:*")


def test_ten_thousand_globs_take_little_longer_than_ten() -> None:
    globs = [f"*://ads{number}.example.com/*track{number}*" for number in range(10_000)]
    many, few = UrlGlobs(globs), UrlGlobs(globs[:10])
    urls = [f"https://www.example.org/some/path/{number}.js?v=1" for number in range(500)]
    assert many.matches("https://ads777.example.com/x/track777.js")
    assert not any(many.matches(url) for url in urls)
    took = {id(each): min(_seconds(each, urls) for _ in range(5)) for each in (many, few)}
    assert took[id(many)] < 20 * took[id(few)]


def _seconds(globs: UrlGlobs, urls: list[str]) -> float:
    before = time.process_time()
    for url in urls:
        globs.matches(url)
    return time.process_time() - before
