from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.agent.tools.path_patterns import MAX_PATTERN_CHARS, is_match, path_pattern
from jupyter_ac.errors import InvalidParams


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.py", "a.py", True),
        ("*.py", "src/deep/a.py", True),
        ("*.py", "a.pyc", False),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("src/*.py", "other/src/a.py", False),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/b/c/a.py", True),
        ("**/test_*.py", "test_a.py", True),
        ("**/test_*.py", "x/test_a.py", True),
        ("src/**", "src/a/b", True),
        ("src/**", "lib/a", False),
        ("src/", "src/a/b", True),
        ("/src/*.py", "src/a.py", True),
        ("a?[0-9].md", "docs/ab7.md", True),
        ("A.py", "a.py", False),
        ("**", "any/thing", True),
    ],
)
def test_patterns(pattern: str, path: str, matches: bool) -> None:
    assert is_match(path_pattern(pattern), path) is matches


NAMES = st.text("ab.*?[]", min_size=1, max_size=5)


@given(st.lists(NAMES, min_size=1, max_size=5))
def test_a_path_matches_itself_where_it_has_no_signs(names: list[str]) -> None:
    path = "/".join(names)
    plain = "".join(sign for sign in path if sign not in "*?[]")
    if plain.strip("/") and "//" not in f"/{plain}/":
        assert is_match(path_pattern(f"/{plain}"), plain)


@given(st.lists(NAMES, min_size=1, max_size=4), st.lists(NAMES, min_size=1, max_size=4))
def test_without_two_stars_it_is_pathlibs(pattern: list[str], path: list[str]) -> None:
    written = "/" + "/".join(pattern)
    if "**" in pattern or {".", ".."} & {*pattern, *path} or len(pattern) != len(path):
        return
    expected = PurePosixPath("/" + "/".join(path)).match(written)
    assert is_match(path_pattern(written), "/".join(path)) is expected


def test_what_would_take_for_ever_elsewhere_doesnt() -> None:
    pattern = path_pattern("**/a*/" * 60 + "b")
    assert is_match(pattern, "a/" * 1000 + "c") is False
    assert is_match(path_pattern("*a" * 200 + "b"), "a" * 2000) is False


@pytest.mark.parametrize("pattern", ["", "/", "x" * (MAX_PATTERN_CHARS + 1)])
def test_what_is_no_pattern(pattern: str) -> None:
    with pytest.raises(InvalidParams, match="pattern must have"):
        path_pattern(pattern)
