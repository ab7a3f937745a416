from dataclasses import replace
from pathlib import Path

from jupyter_ac.git.commit_candidates import Candidate, by_name, list_candidates, version_of
from jupyter_ac.git.repository import discover
from tests.support.jupyter_files import BESIDE, with_setting, write_beside
from tests.support.repositories import RepositoryFolder, diverge, make_repository


async def listed(folder: RepositoryFolder) -> dict[str, Candidate]:
    return {one.path: one for one in await list_candidates(await discover(folder.root))}


async def test_each_change_is_told_once_staged_ones_first(tmp_path: Path) -> None:
    files = {name: f"{name}\n" * 9 for name in ("a", "b", "both", "gone", "kept", "old")}
    folder = make_repository(tmp_path / "r", {**files})
    folder.write("a", "2\n")
    folder.write("b", "2\n")
    folder.git("add", "b")
    folder.write("both", "2\n")
    folder.git("add", "both")
    folder.write("both", "3\n")
    (folder.root / "gone").unlink()
    folder.git("rm", "--quiet", "--cached", "kept")
    folder.git("mv", "old", "moved")
    folder.write("new")
    folder.write(".jupyter_ac-0123456789abcdef.tmp", "a draft")
    found = await listed(folder)
    output = [(one.path, one.kind, one.is_staged, one.is_unstaged) for one in found.values()]
    assert output == [
        ("b", "modified", True, False),
        ("both", "modified", True, True),
        ("kept", "deleted", True, True),
        ("moved", "renamed", True, False),
        ("a", "modified", False, True),
        ("gone", "deleted", False, True),
        ("new", "new", False, True),
    ]
    assert found["moved"].names == ("moved", "old")
    assert [one.is_partly_staged for one in found.values()].count(True) == 2
    assert [one.path for one in found.values() if not one.is_tracked] == ["new"]
    assert by_name(list(found.values()))["old"].path == "moved"


async def test_repositories_and_conflicts(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    diverge(folder, "a")
    folder.git("merge", "side", ok=(1,))
    make_repository(folder.root / "inner", {"x": "1\n"})
    found = await listed(folder)
    assert found["a"].kind == "conflicted"
    assert found["inner"].is_repository


async def test_a_version_changes_with_the_file_and_with_what_is_staged(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    repository = await discover(folder.root)
    folder.write("a", "2\n")

    async def version() -> str:
        return version_of(repository, (await listed(folder))["a"])

    first = await version()
    assert await version() == first
    folder.git("add", "a")
    staged = await version()
    folder.write("a", "30\n")
    assert len({first, staged, await version()}) == 3
    candidate = (await listed(folder))["a"]
    assert version_of(repository, replace(candidate, is_repository=True)) != await version()


async def test_what_jupyter_writes_is_one_when_tracked_named_or_wanted(tmp_path: Path) -> None:
    tracked, staged = ".ipynb_checkpoints/kept", "deep/.ipynb_checkpoints/staged"
    folder = make_repository(tmp_path / "r", {"a": "1\n", tracked: "1\n"})
    folder.write(tracked, "2\n")
    folder.write(staged, "1\n")
    folder.git("add", "-f", staged)
    write_beside(folder)
    repository, wish = await with_setting(folder)

    async def paths(*named: str) -> list[str]:
        return [one.path for one in await list_candidates(repository, named)]

    assert await paths() == [staged, tracked]
    assert await paths(BESIDE[0]) == [staged, tracked, BESIDE[0]]
    wish.is_shown = True
    assert await paths() == [staged, tracked, *BESIDE]
    wish.is_shown = False
    assert await paths() == [staged, tracked]


async def test_what_git_shall_forget_of_jupyters_is_a_deletion(tmp_path: Path) -> None:
    path = ".ipynb_checkpoints/plot-checkpoint.py"
    folder = make_repository(tmp_path / "r", {"a": "1\n", path: "1\n"})
    folder.git("rm", "-q", "--cached", path)
    (found,) = (await listed(folder)).values()
    assert (found.path, found.kind, found.is_partly_staged) == (path, "deleted", False)
