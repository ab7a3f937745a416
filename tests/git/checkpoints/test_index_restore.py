from pathlib import Path

from jupyter_ac.git.checkpoints.index_restore import index_rows
from tests.support.checkpoint_runs import begin_run
from tests.support.repositories import RepositoryFolder, diverge, make_repository


def status(folder: RepositoryFolder) -> str:
    return folder.git("status", "--porcelain", "--untracked-files=all")


async def test_what_the_run_staged_is_unstaged(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "b": "1\n", "gone": "1\n", "c": "1\n"})
    folder.write("b", "staged\n")
    folder.git("add", "b")
    folder.write("b", "on disk\n")
    before, index = status(folder), folder.git("ls-files", "--stage")
    run = await begin_run(folder)

    def act() -> None:
        folder.write("a", "2\n")
        folder.write("b", "2\n")
        folder.write("new/x", "2\n")
        folder.git("rm", "-q", "gone")
        folder.git("rm", "-q", "--cached", "c")
        folder.git("add", "a", "b", "new")

    await run.step(act)
    await run.undo()
    assert status(folder) == before
    assert folder.git("ls-files", "--stage") == index
    assert folder.git("diff-files", "--name-only") == "b", "the times of files are known"


async def test_what_the_user_staged_since_stays_staged_as_it_is_on_disk(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "gone": "1\n", "half": "1\n"})
    run = await begin_run(folder)

    def act() -> None:
        for name in ("a", "half", "new"):
            folder.write(name, "2\n")
        (folder.root / "gone").unlink()

    await run.step(act)
    folder.write("half", "mine\n")
    folder.git("add", "half")
    folder.write("half", "2\n")
    folder.git("add", "a", "new", "gone")
    restored = await run.undo()
    assert restored.restored == ("a", "gone", "half", "new")
    assert status(folder) == "MM half"
    assert folder.git("show", ":half") == "mine"


async def test_the_entry_of_a_file_that_is_kept_stays(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    run = await begin_run(folder)

    def act() -> None:
        folder.write("new", "2\n")
        folder.git("add", "new")

    await run.step(act)
    folder.write("new", "3\n")
    await run.undo()
    assert status(folder) == "AM new"


async def test_a_commit_of_the_run_stays_and_the_files_come_back(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    run = await begin_run(folder)

    def act() -> None:
        folder.write("a", "2\n")
        folder.commit("of the run")

    await run.step(act)
    await run.undo()
    assert (folder.root / "a").read_text() == "1\n"
    assert status(folder) == "M  a"


async def test_a_conflict_that_the_run_resolved_comes_back(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    diverge(folder, "a")
    folder.git("merge", "side", ok=(1,))
    index = folder.git("ls-files", "--stage")
    run = await begin_run(folder)

    def act() -> None:
        folder.write("a", "2\n")
        folder.git("add", "a")

    await run.step(act)
    await run.undo()
    assert folder.git("ls-files", "--stage") == index
    assert status(folder) == "UU a"


def test_rows_of_paths_that_lead_elsewhere_are_dropped() -> None:
    rows = [f"H 100644 {'0' * 40} 0\t{path}" for path in ("a", "../x", ".git/x")]
    conflict = [f"M 100644 {'0' * 40} {stage}\tb" for stage in (1, 2)]
    printed = "\0".join([*rows, *conflict, "nonsense", ""]).encode()
    assert index_rows(printed) == {"a": (rows[0],), "b": tuple(conflict)}
