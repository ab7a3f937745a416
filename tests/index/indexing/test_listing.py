import os
from pathlib import Path

from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.indexing.file_reader import blob_hash
from jupyter_ac.index.indexing.listing import cut, list_tree
from tests.support.jupyter_files import BESIDE, write_beside
from tests.support.repositories import RepositoryFolder, make_repository


async def opened(folder: RepositoryFolder) -> Repository:
    return await discover(folder.root)


async def test_what_git_has_looked_at_needs_no_reading(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "a", "b/c.py": "c", "d.py": "d"})
    folder.write("d.py", "changed")
    folder.write("new.py", "n")
    folder.write(".gitignore", "ignored.py\n")
    folder.write("ignored.py", "i")
    assert await list_tree(await opened(folder)) == {
        "a.py": blob_hash(b"a"),
        "b/c.py": blob_hash(b"c"),
        "d.py": "",
        "new.py": "",
        ".gitignore": "",
    }


async def test_what_is_staged_is_known_by_its_new_content(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "a"})
    folder.write("a.py", "changed")
    folder.git("add", "a.py")
    assert await list_tree(await opened(folder)) == {"a.py": blob_hash(b"changed")}


async def test_links_submodules_and_inner_repositories_are_left_out(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "a"})
    (folder.root / "link.py").symlink_to("a.py")
    inner = make_repository(folder.root / "inner", {"i.py": "i"})
    folder.git("update-index", "--add", "--cacheinfo", f"160000,{inner.git('rev-parse', 'HEAD')},s")
    folder.git("add", "link.py")
    assert set(await list_tree(await opened(folder))) == {"a.py"}


async def test_a_file_in_conflict_is_read_from_the_disk(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "1\n"})
    folder.git("checkout", "-q", "-b", "other")
    folder.write("a.py", "2\n")
    folder.commit()
    folder.git("checkout", "-q", "main")
    folder.write("a.py", "3\n")
    folder.commit()
    folder.git("merge", "other", ok=(1,))
    assert await list_tree(await opened(folder)) == {"a.py": ""}


async def test_what_git_was_told_not_to_look_at_is_read_from_the_disk(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "a", "b.py": "b"})
    folder.git("update-index", "--assume-unchanged", "a.py")
    folder.git("update-index", "--skip-worktree", "b.py")
    assert await list_tree(await opened(folder)) == {"a.py": "", "b.py": ""}


async def test_a_part_of_the_tree_is_listed_alone(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "a", "b/c.py": "c"})
    folder.write("b/new.py", "n")
    found = await list_tree(await opened(folder), ["b"])
    assert found == {"b/c.py": blob_hash(b"c"), "b/new.py": ""}


async def test_odd_names_come_as_they_are(tmp_path: Path) -> None:
    names = [os.fsdecode(b"caf\xe9.py"), "line\nend.py", "tab\there.py", ":(glob)*.py", " .py"]
    folder = make_repository(tmp_path / "r", dict.fromkeys(names, "x"))
    assert sorted(await list_tree(await opened(folder))) == sorted(names)
    assert list(await list_tree(await opened(folder), [":(glob)*.py"])) == [":(glob)*.py"]


async def test_no_program_of_the_repository_runs(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "a", ".gitattributes": "*.py filter=evil\n"})
    trace = tmp_path / "ran"
    for name in ("clean", "process"):
        folder.git("config", f"filter.evil.{name}", f"touch {trace}; cat")
    folder.git("config", "core.fsmonitor", f"touch {trace}")
    folder.write("a.py", "b")
    await list_tree(await opened(folder))
    assert not trace.exists()


async def test_a_repository_without_files_is_empty(tmp_path: Path) -> None:
    assert await list_tree(await opened(make_repository(tmp_path / "r"))) == {}


def test_of_too_many_files_those_that_come_first_by_name_are_taken() -> None:
    names = [RepoPath(name) for name in ("c", "a", "b")]
    assert list(cut(dict.fromkeys(names, ""), 2)) == ["a", "b"]
    assert list(cut(dict.fromkeys(names, ""), 3)) == ["c", "a", "b"]


async def test_what_jupyter_writes_is_listed_when_tracked_or_wanted(tmp_path: Path) -> None:
    tracked = ".ipynb_checkpoints/kept-checkpoint.py"
    folder = make_repository(tmp_path / "r", {"a.py": "a", tracked: "a"})
    write_beside(folder)
    repository = await opened(folder)
    assert set(await list_tree(repository)) == {"a.py", tracked}
    assert set(await list_tree(repository, ["deep", BESIDE[0]])) == set()
    wanted = await list_tree(repository, with_jupyter_files=True)
    assert set(wanted) == {"a.py", tracked, *BESIDE}
