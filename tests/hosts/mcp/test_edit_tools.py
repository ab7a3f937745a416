import json
from pathlib import Path

import pytest

from jupyter_ac.agent.definitions import ArgumentsCheck
from jupyter_ac.errors import AcError, Conflict, InvalidParams
from jupyter_ac.hosts.mcp.edit_checkpoints import EditCheckpoints
from jupyter_ac.hosts.mcp.edit_tools import EditFilesTool, UndoEditTool
from tests.agent.tools.calls import Caller
from tests.hosts.mcp.edited_garden import CI, MEAN, SECRET, edit_tool, garden, restorer_of
from tests.hosts.test_composition import composed

TYPED = {"path": "a.py", "old": "def mean(xs):\n", "new": "def mean(xs: list[int]):"}


async def test_exact_edits_are_made_and_staged(tmp_path: Path) -> None:
    folder = garden(tmp_path)
    async with composed(folder.root, tmp_path / "cache") as made:
        tool, caller = edit_tool(made), Caller()
        new = {"path": "new/c.py", "new": "x = 1\n\ny = 2\n"}
        moved = {"path": "docs/b.md", "action": "rename", "new_path": "docs/beans.md"}
        text = await caller.text(tool, edits=[TYPED, new, moved])
        assert "- a.py: applied" in text
        assert "undo_edit with edit_id call_1 takes this back." in text
        assert (folder.root / "a.py").read_text() == MEAN.replace("xs)", "xs: list[int])", 1)
        assert (folder.root / "new/c.py").read_text() == "x = 1\n\ny = 2\n"
        names = folder.git("diff", "--cached", "--name-only").split("\n")
        assert names == ["a.py", "docs/beans.md", "new/c.py"]
        gone = await caller.text(tool, edits=[{"path": "new/c.py", "action": "delete"}])
        assert "- new/c.py: applied" in gone
        assert not (folder.root / "new/c.py").exists()


async def test_what_does_not_fit_changes_nothing_and_says_what_is_there(tmp_path: Path) -> None:
    folder = garden(tmp_path)
    async with composed(folder.root, tmp_path / "cache") as made:
        wrong = {"path": "a.py", "old": "def mean(ys):", "new": "def mean(zs):"}
        result = await Caller().allowed(edit_tool(made), edits=[wrong])
        assert result.is_error
        assert "def mean(xs):" in result.text
        assert "undo_edit" not in result.text
        assert (folder.root / "a.py").read_text() == MEAN


@pytest.mark.parametrize("path", ["../b.py", "/etc/passwd", ".git/hooks/post-commit", "a\0b"])
async def test_a_path_outside_refuses_the_whole_call(tmp_path: Path, path: str) -> None:
    folder = garden(tmp_path)
    async with composed(folder.root, tmp_path / "cache") as made:
        for edit in ({"path": path, "new": "x"}, {"path": path, "action": "delete"}):
            with pytest.raises(AcError):
                await Caller().allowed(edit_tool(made), edits=[TYPED, edit])
        assert (folder.root / "a.py").read_text() == MEAN


async def test_files_that_run_by_themselves_or_are_ignored_are_asked_for(tmp_path: Path) -> None:
    folder = garden(tmp_path)
    async with composed(folder.root, tmp_path / "cache") as made:
        tool, caller = edit_tool(made), Caller()
        change = {"path": CI, "old": "on: push", "new": "on: pull_request"}
        question = await caller.question(tool, edits=[TYPED, change])
        assert question is not None
        assert "a build service runs it" in question.why
        assert "-on: push\n+on: pull_request" in question.text
        assert "+def mean(xs: list[int]):" in question.text
        with pytest.raises(Conflict):
            await caller.unasked(tool, edits=[change])
        assert (folder.root / CI).read_text() == "on: push\n"
        assert not (await caller.allowed(tool, edits=[change])).is_error
        assert (folder.root / CI).read_text() == "on: pull_request\n"

        guess = {"path": ".env", "old": "OPENAI_API_KEY=sk-", "new": "x"}
        question = await caller.question(tool, edits=[guess])
        assert question is not None
        assert "Git ignores it." in question.why
        assert SECRET not in (await caller.allowed(tool, edits=[guess])).text


async def test_with_review_each_edit_asks(tmp_path: Path) -> None:
    folder = garden(tmp_path)
    (tmp_path / "config").mkdir()
    (tmp_path / "config/app.json").write_text(json.dumps({"edits": {"review": True}}))
    async with composed(folder.root, tmp_path / "cache") as made:
        made.planner.settings.refresh()
        tool, caller = edit_tool(made), Caller()
        question = await caller.question(tool, edits=[TYPED])
        assert question is not None
        assert "edits.review" in question.why
        assert not (await caller.allowed(tool, edits=[TYPED])).is_error
        assert "list[int]" in (folder.root / "a.py").read_text()


@pytest.mark.parametrize(
    "edit",
    [
        {"path": "a.py"},
        {"path": "a.py", "action": "rename"},
        {"path": "a.py", "action": "delete", "new": "x"},
        {"path": "a.py", "action": "rename", "new_path": "b.py", "old": "x"},
        {"path": "a.py", "new": "x", "new_path": "b.py"},
    ],
)
async def test_edits_that_make_no_sense_are_refused(tmp_path: Path, edit: dict[str, str]) -> None:
    async with composed(garden(tmp_path).root, tmp_path / "cache") as made:
        with pytest.raises(InvalidParams, match=r"edits\[0\]"):
            await Caller().question(edit_tool(made), edits=[edit])


@pytest.mark.parametrize("edits", ["[]", '[{"old": "x"}]', '"a.py"', '[{"path": "a", "x": 1}]'])
def test_arguments_are_checked(edits: str) -> None:
    with pytest.raises(InvalidParams):
        ArgumentsCheck(EditFilesTool.definition).decoded(f'{{"edits": {edits}}}')


async def test_undo_names_what_it_restored_and_what_it_kept(tmp_path: Path) -> None:
    folder = garden(tmp_path)
    async with composed(folder.root, tmp_path / "cache") as made:
        checkpoints = EditCheckpoints(restorer_of(made))
        undo, caller = UndoEditTool(checkpoints), Caller()

        async def edit() -> None:
            folder.write("a.py", "x = 1\n")

        await checkpoints.around("edit-1", edit)
        assert await caller.text(undo, edit_id="edit-1") == "Restored 1 file.\n- a.py"
        await checkpoints.around("edit-2", edit)
        folder.write("a.py", "mine\n")
        kept = await caller.allowed(undo)
        assert kept.is_error
        assert "a.py is kept:" in kept.text
        assert undo.title({}) == "the last edit"
