from pathlib import Path

import pytest

from jupyter_ac.errors import Conflict, NotFound
from jupyter_ac.git.commit_candidates import Blob
from jupyter_ac.git.repository import discover
from jupyter_ac.git.temporary_index import Choice, chosen_index, index_row, plan_commit, whole_only
from jupyter_ac.git.write_commands import Git
from tests.support.jupyter_files import BESIDE, write_beside
from tests.support.repositories import RepositoryFolder, make_repository


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    made = make_repository(tmp_path / "r", {"a.txt": "1\n", "b.txt": "1\n"})
    made.write("a.txt", "2\n")
    made.git("add", "a.txt")
    made.write("a.txt", "3\n")
    made.write("b.txt", "2\n")
    return made


async def test_a_plan_says_what_is_taken_read_and_left(folder: RepositoryFolder) -> None:
    repository = await discover(folder.root)
    plan = await plan_commit(repository, [Choice("b.txt")])
    assert [one.path for one in plan.taken] == ["b.txt"]
    assert plan.whole == {"b.txt"}
    assert [one.path for one in plan.left] == ["a.txt"]
    assert (await plan_commit(repository, [Choice("a.txt")])).whole == set()
    assert (await plan_commit(repository, [Choice("a.txt", "whole")])).whole == {"a.txt"}


async def test_the_repositorys_own_index_is_not_touched(folder: RepositoryFolder) -> None:
    repository = await discover(folder.root)
    before = (folder.root / ".git/index").read_bytes()
    plan = await plan_commit(repository, [Choice("b.txt")])
    async with chosen_index(Git(repository), plan) as chosen:
        held = await chosen.run("diff", "--cached", "--name-only")
        assert held.data == b"b.txt\n"
    assert (folder.root / ".git/index").read_bytes() == before


async def test_a_file_that_changed_in_the_second_in_which_it_was_staged_is_read(
    folder: RepositoryFolder,
) -> None:
    folder.commit("before")
    folder.write("a.txt", "4\n")
    repository = await discover(folder.root)
    for content in ("5\n", "6\n", "7\n"):
        folder.write("a.txt", "4\n")
        folder.git("add", "a.txt")
        folder.write("a.txt", content)
        plan = await plan_commit(repository, [Choice("a.txt", "whole")])
        async with chosen_index(Git(repository), plan) as chosen:
            assert (await chosen.run("show", ":a.txt")).data == content.encode()


async def test_a_listed_version_holds_for_no_other(folder: RepositoryFolder) -> None:
    with pytest.raises(Conflict, match="has changed since it was listed"):
        await plan_commit(await discover(folder.root), [Choice("a.txt", version="other")])


async def test_a_bisect_restricts_no_choice(folder: RepositoryFolder) -> None:
    folder.commit("more")
    folder.git("bisect", "start")
    assert whole_only(await discover(folder.root)) is None
    (folder.root / ".git/MERGE_HEAD").write_text(folder.git("rev-parse", "HEAD") + "\n")
    assert whole_only(await discover(folder.root)) == "merge"


def test_rows_for_the_index() -> None:
    assert index_row("a b", Blob("100644", "f" * 40)) == f"100644 {'f' * 40}\ta b"
    assert index_row("a", None) == f"0 {'0' * 40}\ta"
    assert index_row("a", None, "f" * 64) == f"0 {'0' * 64}\ta"


async def test_what_jupyter_writes_can_be_chosen_by_name(folder: RepositoryFolder) -> None:
    write_beside(folder)
    repository = await discover(folder.root)
    plan = await plan_commit(repository, [Choice(BESIDE[0]), Choice("deep/.ipynb_checkpoints/")])
    inside = "deep/.ipynb_checkpoints/n-checkpoint.ipynb"
    assert plan.whole == {BESIDE[0], inside}
    with pytest.raises(NotFound, match="no change to commit"):
        await plan_commit(repository, [Choice("deep/")])
