from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jupyter_ac.git import ignored_paths
from jupyter_ac.git.ignored_paths import ignored_each, only_ignores_more
from jupyter_ac.git.repository import discover
from jupyter_ac.ids import RepoPath
from tests.support.examples import examples
from tests.support.repositories import RepositoryFolder, make_repository


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    made = make_repository(tmp_path / "r", {".gitignore": "*.log\n", "docs/a": "1\n"})
    made.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    (made.root / "link").symlink_to("docs")
    return made


async def test_a_path_of_which_git_cant_tell_keeps_it_from_no_other(
    folder: RepositoryFolder,
) -> None:
    plain = [RepoPath(f"{number}.{end}") for number in range(20) for end in ("log", "txt")]
    bad = [RepoPath("sub/x"), RepoPath("link/a"), RepoPath("link/b.log")]
    found = await ignored_each(await discover(folder.root), [*plain[:7], *bad, *plain[7:]])
    assert found.ignored == {path for path in plain if path.endswith(".log")}
    assert found.failed.keys() == set(bad)
    assert "in submodule 'sub'" in found.failed[bad[0]].message
    assert "beyond a symbolic link" in found.failed[bad[1]].message


async def test_when_git_fails_for_all_it_is_asked_a_bounded_number_of_times(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ignored_paths, "_MOST_FAILURES", 3)
    folder.write(".git/index", b"broken")
    paths = [RepoPath(str(number)) for number in range(100)]
    found = await ignored_each(await discover(folder.root), paths)
    assert not found.ignored
    assert set(found.failed) == set(paths)


async def test_no_path_is_no_question(folder: RepositoryFolder) -> None:
    found = await ignored_each(await discover(folder.root), [])
    assert not found.ignored
    assert not found.failed


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
def ignoring_folder(tmp_path_factory: pytest.TempPathFactory) -> RepositoryFolder:
    return make_repository(Path(tmp_path_factory.mktemp("ignoring")) / "r", {"tracked": "x"})


@given(LINES, LINES)
@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_git_ignores_no_less_then(
    ignoring_folder: RepositoryFolder, old: list[str], new: list[str]
) -> None:
    if only_ignores_more(old, new):
        assert _ignored(ignoring_folder, old) <= _ignored(ignoring_folder, new)


def _ignored(ignoring_folder: RepositoryFolder, lines: list[str]) -> set[str]:
    ignoring_folder.write(".gitignore", "".join(f"{line}\n" for line in lines))
    found = ignoring_folder.git(
        "check-ignore", "--no-index", "--verbose", "--non-matching", *NAMES, ok=(0, 1)
    )
    rows = (row.split("\t") for row in found.splitlines())
    return {name for why, name in rows if not why.startswith("::") and ":!" not in why}
