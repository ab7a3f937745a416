from pathlib import Path

import pytest

from jupyter_ac.errors import NotFound
from jupyter_ac.git.checkpoints.store import MAX_RUNS
from jupyter_ac.hosts.mcp.edit_checkpoints import EditCheckpoints
from jupyter_ac.ids import RepoPath
from tests.hosts.mcp.edited_garden import MEAN, garden, restorer_of
from tests.hosts.test_composition import composed


async def test_edits_are_undone_one_by_one_and_each_once(tmp_path: Path) -> None:
    folder, changed = garden(tmp_path), list[RepoPath]()
    async with composed(folder.root, tmp_path / "cache") as made:
        checkpoints = EditCheckpoints(restorer_of(made, changed))

        async def edit(path: str, text: str) -> str:
            folder.write(path, text)
            return path

        assert await checkpoints.around("edit-1", lambda: edit("a.py", "x = 1\n")) == "a.py"
        await checkpoints.around("edit-2", lambda: edit("docs/b.md", "# Peas\n"))
        await checkpoints.around("edit-3", lambda: edit("docs/b.md", "# Peas\n"))
        assert (await checkpoints.undo("edit-1")).restored == ("a.py",)
        assert (folder.root / "a.py").read_text() == MEAN
        # The third has changed nothing, so the last one is the second.
        assert (await checkpoints.undo("")).restored == ("docs/b.md",)
        assert changed == ["a.py", "docs/b.md"]
        with pytest.raises(NotFound, match="No edit of this server"):
            await checkpoints.undo("")
        with pytest.raises(NotFound, match="those that can: none"):
            await checkpoints.undo("edit-1")


async def test_what_somebody_changed_since_stays(tmp_path: Path) -> None:
    folder = garden(tmp_path)
    async with composed(folder.root, tmp_path / "cache") as made:
        checkpoints = EditCheckpoints(restorer_of(made))

        async def edit() -> None:
            folder.write("a.py", "x = 1\n")

        await checkpoints.around("edit-1", edit)
        folder.write("a.py", "mine = 2\n")
        undone = await checkpoints.undo("edit-1")
        assert undone.restored == ()
        assert [one.path for one in undone.kept] == ["a.py"]
        assert (folder.root / "a.py").read_text() == "mine = 2\n"


async def test_the_oldest_are_forgotten(tmp_path: Path) -> None:
    folder = garden(tmp_path)
    async with composed(folder.root, tmp_path / "cache") as made:
        checkpoints = EditCheckpoints(restorer_of(made))
        for number in range(MAX_RUNS + 1):

            async def edit(text: str = f"x = {number}\n") -> None:
                folder.write("a.py", text)

            await checkpoints.around(f"edit-{number}", edit)
        with pytest.raises(NotFound):
            await checkpoints.undo("edit-0")
        assert (await checkpoints.undo(f"edit-{MAX_RUNS}")).restored == ("a.py",)
