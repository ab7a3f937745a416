"""Suggested edits in a turn: offered, never applied by themselves."""

from pathlib import Path

import pytest

from jupyter_ac.answer_rows import CompletionResult
from jupyter_ac.errors import Conflict
from tests.chat.edited import Reply, edit, editing, editing_again, statuses

A = "one\ntwo\nthree\n"
DIFF = "```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n```\n"
SEARCH = "a.txt\n<<<<<<< SEARCH\ntwo\n=======\nzwei\n>>>>>>> REPLACE\n"


async def asked(folder: Path, answer: str, **files: str) -> CompletionResult:
    async with editing(folder, {"a.txt": A, **files}) as world:
        result = await world.ask(await world.conversation("a.txt"), answer)
        assert world.text("a.txt") == A
        assert len(world.model.requests) == 1
        return result


@pytest.mark.parametrize(
    ("answer", "text"), [(DIFF, "one\n2\nthree\n"), (SEARCH, "one\nzwei\nthree\n")]
)
async def test_a_suggestion_waits_for_a_click_also_after_a_restart(
    tmp_path: Path, answer: str, text: str
) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        result = await world.ask(conversation, f"So 😀:\n\n{answer}")
        (row,) = result["edit_results"]
        assert (row["status"], row["error_type"], row["file"]) == ("suggested", "", "a.txt")
        assert (row["texts"] is None) == (answer == SEARCH)
        assert (result["failed"], result["pending"], result["retry_prompt"]) == (0, 0, "")
        assert world.text("a.txt") == A
        with pytest.raises(Conflict):
            await world.decider.accept(conversation, "r1", ())
        folder = world.folder
    async with editing_again(folder, tmp_path) as world:
        conversation = await world.conversation()
        turn = await world.decider.accept(conversation, "r1", [0])
        assert [each["status"] for each in turn.edits.results] == ["applied"]
        assert turn.edits.results[0]["span"] == row["span"]
        assert world.text("a.txt") == text
        await world.undo(conversation)
        assert world.text("a.txt") == A


async def test_behind_the_answers_own_blocks_and_on_what_they_leave(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        result = await world.ask(conversation, DIFF + edit("a.txt", "one\n", "1\n") + SEARCH)
        assert statuses(result) == ["applied", "suggested"]  # the diff is about the text before
        await world.decider.accept(conversation, "r1", [2])
        assert world.text("a.txt") == "1\nzwei\nthree\n"


@pytest.mark.parametrize(
    "answer",
    [
        DIFF.replace("two", "2").replace("+2", "+two"),  # the user has it already
        DIFF.replace(" one", " eins"),  # about another text
        DIFF.replace("a.txt", "none.txt"),
        DIFF.replace("a.txt", ".git/config"),
        DIFF.replace("a.txt", "../a.txt"),
        SEARCH.replace("a.txt", "none.txt"),
        SEARCH.replace("zwei", "two"),
        "No path:\n\n" + SEARCH.removeprefix("a.txt\n"),
        "```diff\n--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-other\n```\n",
    ],
)
async def test_what_does_not_fit_or_is_there_already_stays_prose(
    tmp_path: Path, answer: str
) -> None:
    assert (await asked(tmp_path, answer))["edit_results"] == []


async def test_of_blocks_that_stand_together_those_that_do_not_fit_say_why(tmp_path: Path) -> None:
    two_hunks = DIFF.removesuffix("```\n") + "@@ -9 +9 @@\n-nine\n+9\n```\n"
    rows = (await asked(tmp_path, two_hunks))["edit_results"]
    assert [(row["status"], row["error_type"]) for row in rows] == [
        ("suggested", ""),
        ("suggested", "anchor_not_found"),
    ]


async def test_a_search_block_that_nearly_fits_says_why(tmp_path: Path) -> None:
    (row,) = (await asked(tmp_path, SEARCH.replace("two", "tow")))["edit_results"]
    assert (row["status"], row["error_type"]) == ("suggested", "anchor_not_found")


async def test_files_that_run_by_themselves_say_so_and_are_applied_by_name(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation()
        answer = "```diff\n--- /dev/null\n+++ b/conftest.py\n@@ -0,0 +1 @@\n+x = 1\n```\n"
        result = await world.ask(conversation, answer)
        (row,) = result["edit_results"]
        assert (row["status"], row["kind"]) == ("suggested", "create")
        assert "pytest" in row["protected"]
        await world.decider.accept(conversation, "r1", [0])
        assert world.text("conftest.py") == "x = 1\n"


async def test_files_that_go_and_move(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A, "b.txt": "b\n", "c.txt": "c\n"}) as world:
        conversation = await world.conversation()
        answer = (
            "```diff\ndiff --git a/b.txt b/b.txt\ndeleted file mode 100644\n--- a/b.txt\n"
            "+++ /dev/null\n@@ -1 +0,0 @@\n-b\ndiff --git a/c.txt b/d.txt\n"
            "rename from c.txt\nrename to d.txt\n```\n"
        )
        result = await world.ask(conversation, answer)
        assert statuses(result) == ["suggested", "suggested"]
        await world.decider.accept(conversation, "r1", [0, 1])
        assert not (world.folder.root / "b.txt").exists()
        assert world.text("d.txt") == "c\n"


async def test_nothing_is_offered_of_an_answer_that_was_cut(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        result = await world.ask(await world.conversation("a.txt"), Reply(DIFF, "length"))
        assert result["edit_results"] == []
