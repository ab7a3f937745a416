import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from jupyter_ac.errors import NotFound, RefusedPath
from jupyter_ac.git import staging
from jupyter_ac.git.repository import discover
from jupyter_ac.git.staging import git_names, stage, stage_all, unstage
from tests.support.changing import changer_of
from tests.support.jupyter_files import BESIDE, with_setting, write_beside
from tests.support.repositories import RepositoryFolder, configure_user, make_repository

ODD = [
    "with space",
    "-dash",
    "quo'te\"",
    "*.txt",
    ":magic",
    "häst",
    "new\nline",
    "caf\udce9",
    "[a]",
]


async def do(folder: RepositoryFolder, how: object, paths: Sequence[str] = ()) -> None:
    repository = await discover(folder.root)
    changer = changer_of(repository)
    wanted = await git_names(repository, paths)
    if how is stage:
        await changer.change(lambda git: stage(git, wanted))
    elif how is unstage:
        await changer.change(lambda git: unstage(git, wanted))
    else:
        await changer.change(stage_all)


def state(folder: RepositoryFolder) -> list[str]:
    """Give what git says of each path, by path."""
    lines = folder.git("status", "--porcelain=v1", "-z", "-uall", "--no-renames").split("\0")[:-1]
    return sorted(lines, key=lambda line: line[3:])


async def test_changed_new_and_deleted_files_are_staged(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "b": "1\n", "c": "1\n"})
    folder.write("a", "2\n")
    (folder.root / "b").unlink()
    folder.write("new", "1\n")
    folder.write("c", "2\n")
    await do(folder, stage, ["a", "b", "new"])
    assert state(folder) == ["M  a", "D  b", " M c", "A  new"]
    await do(folder, unstage, ["a", "b", "new"])
    assert state(folder) == [" M a", " D b", " M c", "?? new"]


@pytest.mark.parametrize("name", ODD)
async def test_odd_names_are_names_and_no_patterns(tmp_path: Path, name: str) -> None:
    folder = make_repository(tmp_path / "r", {"a.txt": "1\n"})
    folder.write("a.txt", "2\n")
    folder.write("b.txt", "2\n")
    os.close(os.open(os.fsencode(folder.root) + b"/" + os.fsencode(name), os.O_CREAT))
    await do(folder, stage, [name])
    assert set(state(folder)) == {f"A  {name}", " M a.txt", "?? b.txt"}
    await do(folder, unstage, [name])
    assert f"?? {name}" in state(folder)


async def test_a_folder_stands_for_all_below_it(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"d/a": "1\n", "d/e/b": "1\n", "da": "1\n"})
    folder.write("d/a", "2\n")
    folder.write("d/e/new", "2\n")
    (folder.root / "d/e/b").unlink()
    folder.write("da", "2\n")
    await do(folder, stage, ["d/"])
    assert state(folder) == ["M  d/a", "D  d/e/b", "A  d/e/new", " M da"]


async def test_one_unknown_path_and_nothing_is_staged(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", ".gitignore": "ignored\n"})
    folder.write("a", "2\n")
    folder.write("ignored", "x")
    for unknown in ("nowhere", "ignored"):
        with pytest.raises(NotFound, match=unknown):
            await do(folder, stage, ["a", unknown])
    with pytest.raises(RefusedPath):
        await do(folder, stage, ["a", "../x"])
    assert state(folder) == [" M a"]


async def test_nothing_to_stage_is_no_error(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    await do(folder, stage, [])
    await do(folder, stage, ["a"])
    await do(folder, stage_all)
    folder.git("rm", "-q", "a")
    await do(folder, stage, ["a"])
    assert state(folder) == ["D  a"]


async def test_everything_is_staged_but_what_is_ignored_or_a_draft(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "b": "1\n", ".gitignore": "ignored\n"})
    folder.write("a", "2\n")
    (folder.root / "b").unlink()
    folder.write("d/new", "1\n")
    folder.write("ignored", "x")
    draft = "d/.jupyter_ac-0123456789abcdef.tmp"
    folder.write(draft, "half a file")
    await do(folder, stage_all)
    assert state(folder) == ["M  a", "D  b", f"?? {draft}", "A  d/new"]


async def test_modes_links_and_type_changes_are_staged(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"run": "1\n", "file": "1\n", "d/x": "1\n"})
    (folder.root / "run").chmod(0o755)
    (folder.root / "file").unlink()
    (folder.root / "file").symlink_to("run")
    (folder.root / "out").symlink_to("/etc/passwd")
    (folder.root / "d/x").unlink()
    (folder.root / "d").rmdir()
    folder.write("d", "a file where a folder was\n")
    await do(folder, stage_all)
    assert folder.git("ls-files", "--stage").count("120000") == 2
    assert "100755" in folder.git("ls-files", "--stage", "run")
    assert folder.git("ls-files").split("\n") == ["d", "file", "out", "run"]


async def test_a_folder_where_a_file_was(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    (folder.root / "a").unlink()
    folder.write("a/b", "1\n")
    await do(folder, stage, ["a"])
    assert folder.git("ls-files") == "a/b"


async def test_a_conflict_is_resolved_by_staging(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "gone": "1\n"})
    folder.git("checkout", "-q", "-b", "side")
    folder.write("a", "side\n")
    folder.write("gone", "side\n")
    folder.commit("side")
    folder.git("checkout", "-q", "main")
    folder.write("a", "main\n")
    (folder.root / "gone").unlink()
    folder.commit("main")
    folder.git("merge", "side", ok=(1,))
    folder.write("a", "both\n")
    (folder.root / "gone").unlink()
    await do(folder, stage, ["a", "gone"])
    assert folder.git("ls-files", "--unmerged") == ""
    assert state(folder) == ["M  a"]


async def test_before_the_first_commit_files_come_and_go(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    folder.write("a", "1\n")
    folder.write("b", "1\n")
    await do(folder, stage, ["a", "b"])
    await do(folder, unstage, ["a"])
    assert state(folder) == ["?? a", "A  b"]


async def test_the_users_filters_run_when_the_user_stages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {".gitattributes": "*.up filter=up\n"})
    configure_user(monkeypatch, tmp_path, {"filter.up.clean": "tr a-z A-Z"})
    folder.write("a.up", "small\n")
    await do(folder, stage, ["a.up"])
    assert folder.git("show", ":a.up") == "SMALL"


@pytest.mark.parametrize("few", [0, 200])
async def test_many_paths_stand_for_the_same_as_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(staging, "_FEW", few)
    files: dict[str, str | bytes] = {"d/a": "1", "d/e/b": "1", "d2/c": "1", "gone": "1"}
    folder = make_repository(tmp_path / "r", files)
    for name in ("d/a", "d/e/b", "d2/c", "d/new", "d2/new"):
        folder.write(name, "2")
    (folder.root / "gone").unlink()
    folder.git("rm", "-q", "--cached", "d2/c")
    await do(folder, stage, ["d", "gone"])
    staged = [row for row in state(folder) if row[0] != "?"]
    assert staged == ["M  d/a", "M  d/e/b", "A  d/new", "D  d2/c", "D  gone"]
    with pytest.raises(NotFound, match="no file 'e'"):
        await do(folder, stage, ["d", "e"])


async def test_very_many_paths_are_staged_and_unstaged(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    names = [f"{'x' * 200}-{number}" for number in range(3000)]
    for name in names:
        folder.write(name, "")
    await do(folder, stage, names)
    assert len(folder.git("ls-files").split("\n")) == len(names)
    await do(folder, unstage, names)
    assert folder.git("ls-files") == ""


async def staged(folder: RepositoryFolder, *paths: str, is_shown: bool = False) -> list[str]:
    """Stage paths, or everything without any; give what is staged then."""
    repository, _ = await with_setting(folder, is_shown=is_shown)
    wanted = await git_names(repository, paths)
    changer = changer_of(repository)
    await changer.change((lambda git: stage(git, wanted)) if paths else stage_all)
    return folder.git("diff", "--cached", "--name-only", "--no-renames").splitlines()


async def test_what_jupyter_writes_is_staged_with_everything_only_when_wanted(
    tmp_path: Path,
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", ".ipynb_checkpoints/kept": "1\n"})
    folder.write("a", "2\n")
    folder.write(".ipynb_checkpoints/kept", "2\n")
    folder.write("deep/new", "1\n")
    write_beside(folder)
    own = [".ipynb_checkpoints/kept", "a", "deep/new"]
    assert await staged(folder) == own
    assert await staged(folder, is_shown=True) == sorted([*own, *BESIDE])


async def test_what_jupyter_writes_is_staged_with_a_folder_only_when_wanted(
    tmp_path: Path,
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.write("deep/new", "1\n")
    write_beside(folder)
    assert await staged(folder, "deep") == ["deep/new"]
    below = [path for path in BESIDE if path.startswith("deep/")]
    assert await staged(folder, "deep", is_shown=True) == sorted(["deep/new", *below])


@pytest.mark.parametrize("path", [*BESIDE, "deep/.ipynb_checkpoints", "deep/.virtual_documents"])
async def test_what_jupyter_writes_is_staged_when_it_is_named(tmp_path: Path, path: str) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    write_beside(folder)
    named = [each for each in BESIDE if each == path or each.startswith(f"{path}/")]
    assert await staged(folder, path) == named
    # What git tracks is shown, and so it is staged with everything.
    for each in named:
        folder.write(each, "changed\n")
    assert await staged(folder) == named
    assert "changed" in folder.git("diff", "--cached")


async def test_what_git_shall_forget_of_jupyters_stays_forgotten(tmp_path: Path) -> None:
    path = ".ipynb_checkpoints/plot-checkpoint.py"
    folder = make_repository(tmp_path / "r", {"a": "1\n", path: "1\n"})
    folder.git("rm", "-q", "--cached", path)
    assert await staged(folder) == [path]
    assert folder.git("ls-files") == "a"
