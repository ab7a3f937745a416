"""Edits of `.gitignore` that only add ignored files, compared with git itself."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jupyter_ac.git.ignore_edits import only_ignores_more
from tests.support.examples import examples
from tests.support.repositories import RepositoryFolder, make_repository

NAMES = ("a", "b", "d/a", "d/b", "d/e/a")
LINES = st.lists(
    st.sampled_from(["a", "b", "/d", "d/*", "!a", "!d/b", "e/", "", "# note", "*"]), max_size=4
)


@pytest.mark.parametrize(
    ("old", "new", "is_only_more"),
    [
        (["a"], ["a", "b"], True),
        (["a"], ["b", "a"], True),
        ([], ["a"], True),
        ([], ["!a"], False),
        (["a"], [], False),
        (["a"], ["b"], False),
        (["a", "b"], ["b", "a"], False),
        (["!a"], ["!a", "b"], True),
    ],
)
def test_lines_are_only_added_and_none_takes_back(
    old: list[str], new: list[str], *, is_only_more: bool
) -> None:
    assert only_ignores_more(old, new) is is_only_more


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> RepositoryFolder:
    return make_repository(Path(tmp_path_factory.mktemp("ignoring")) / "r", {"tracked": "x"})


@given(LINES, LINES)
@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_git_ignores_no_less_then(folder: RepositoryFolder, old: list[str], new: list[str]) -> None:
    if only_ignores_more(old, new):
        assert _ignored(folder, old) <= _ignored(folder, new)


def _ignored(folder: RepositoryFolder, lines: list[str]) -> set[str]:
    folder.write(".gitignore", "".join(f"{line}\n" for line in lines))
    found = folder.git(
        "check-ignore", "--no-index", "--verbose", "--non-matching", *NAMES, ok=(0, 1)
    )
    rows = (row.split("\t") for row in found.splitlines())
    return {name for why, name in rows if not why.startswith("::") and ":!" not in why}
