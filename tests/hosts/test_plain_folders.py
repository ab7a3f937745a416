"""A folder without a repository at a real host: everything but git works, and that is said."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from tests.chat.edited import edit
from tests.hosts.test_reviews import ask, open_page, refusal
from tests.support.model_process import RunningModelServer
from tests.support.pages import Page
from tests.support.serve_process import ServeProcess, plain_environment, serving

REFUSED: tuple[tuple[object, ...], ...] = (
    ("Repo.commit", "by accident"),
    ("Repo.stage_files", ["a.py"]),
    ("Repo.discard_changes", ["a.py"]),
    ("Repo.reset_hard",),
    ("Repo.list_branches",),
    ("LLMService.commit_all", "by accident"),
    ("LLM.list_commit_candidates",),
    ("LLMService.start_review", "main"),
    ("Planner.run_plan", "plan"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    for name in ("a.py", "sub/b.py", "node_modules/m/index.js"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("def water():\n    return 1\n", encoding="utf-8")
    return folder


@pytest.fixture
def serve(tmp_path: Path, folder: Path, model_server: RunningModelServer) -> Iterator[ServeProcess]:
    environment = plain_environment(
        tmp_path / "home",
        JUPYTER_AC_MODEL="openai/scripted-edits@0.004",
        JUPYTER_AC_API_BASE=model_server.openai,
        OPENAI_API_KEY="sk-scripted-0123456789",
    )
    with serving(folder, environment, "--no-git") as serve:
        yield serve


async def called(page: Page, name: str, *args: object) -> dict[str, object]:
    return cast("dict[str, object]", await page.call(name, *args))


async def test_files_are_listed_searched_sent_edited_and_undone(
    folder: Path, serve: ServeProcess
) -> None:
    page = await open_page(serve)
    state = await called(page, "LLMService.get_current_state")
    assert (state["has_git"], state["repo_name"]) == (False, "notes")
    tree = await called(page, "Repo.get_file_tree")
    assert [tree[kind] for kind in ("modified", "staged", "untracked", "deleted")] == [[]] * 4
    assert await page.call("Repo.get_flat_file_list") == "a.py\nsub/b.py"
    found = cast("list[dict[str, object]]", await page.call("Repo.search_files", "water"))
    assert sorted(str(match["file"]) for match in found) == ["a.py", "sub/b.py"]

    await page.call("LLMService.set_selected_files", ["a.py"])
    answer = "".join(
        edit(name, "    return 1\n", "    return 2\n") for name in ("a.py", "sub/b.py")
    )
    result = await ask(page, "first", answer)
    assert result["files_modified"] == ["a.py", "sub/b.py"]
    assert result["files_auto_added"] == ["sub/b.py"]
    assert "return 2" in (folder / "a.py").read_text(encoding="utf-8")
    assert (await called(page, "Repo.get_file_tree"))["modified"] == []
    undone = await called(page, "LLMService.undo_last_edits")
    assert undone["files_restored"] == ["a.py", "sub/b.py"]
    assert "return 1" in (folder / "a.py").read_text(encoding="utf-8")
    assert sorted(each.name for each in folder.iterdir()) == ["a.py", "node_modules", "sub"]
    page.socket.close()


async def test_what_needs_git_is_not_offered_and_says_why(
    folder: Path, serve: ServeProcess
) -> None:
    page = await open_page(serve)
    for name, *args in REFUSED:
        assert "no git repository" in await refusal(page, str(name), *args), name
    assert (await called(page, "Repo.get_review_state"))["active"] is False
    listed = await page.call("rpc.discover")
    assert "Repo.get_file_tree" in str(listed)
    assert "Repo.commit" not in str(listed)
    assert (folder / "a.py").exists()
    page.socket.close()
