"""From an answer with edit blocks to files on disk, and the second request for what failed."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.chat.edit_blocks.blocks import EditBlock
from jupyter_ac.chat.edit_blocks.retry import MOST_RETRIES
from jupyter_ac.chat.edit_blocks.stored_edits import answer_texts
from jupyter_ac.chat.edits.apply_options import Applied, ApplyOptions
from jupyter_ac.chat.prompt.blocks import Category
from jupyter_ac.chat.records import TurnState
from jupyter_ac.chat.turn.runner import Turns
from jupyter_ac.errors import ProviderUnavailable
from jupyter_ac.events import CompactionEvent, FilesModified
from jupyter_ac.ids import ConversationKey, RepoPath
from jupyter_ac.settings.app import EditSettings
from tests.chat.edited import Reply, edit, editing, editing_again, result_of, statuses
from tests.chat.memory import ADA

A = "one\ntwo\nthree\n"
GOOD = "Like so:\n\n" + edit("a.txt", "two\n", "TWO\n")
MISSED = edit("a.txt", "zwei\n", "2\n")


async def test_a_complete_answer_changes_the_files_and_says_what_it_did(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A, "b.txt": "b\n"}) as world:
        conversation = await world.conversation("a.txt")
        result = await world.ask(conversation, GOOD + edit("new.txt", "", "fresh\n"))
        assert (world.text("a.txt"), world.text("new.txt")) == ("one\nTWO\nthree\n", "fresh\n")
        assert statuses(result) == ["applied", "applied"]
        assert (result["passed"], result["failed"]) == (2, 0)
        assert result["files_modified"] == ["a.txt", "new.txt"]
        assert result["files_created"] == ["new.txt"]
        assert result["can_undo"]
        assert [row["is_create"] for row in result["edit_blocks"]] == [False, True]
        assert len(result["attempts"]) == 1
        assert conversation.selection == ("a.txt", "new.txt")
        assert [event for event in world.hearers.told if isinstance(event, FilesModified)] == [
            FilesModified(["a.txt", "new.txt"])
        ]
        start, end = result["edit_blocks"][0]["span"]
        assert result["response"][start:end].startswith("a.txt\n")


@pytest.mark.parametrize("finish_reason", ["length", "content_filter", "tool_calls", None])
async def test_nothing_of_an_answer_that_was_cut_off_is_applied(
    tmp_path: Path, finish_reason: str | None
) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        result = await world.ask(conversation, Reply(GOOD + MISSED, finish_reason))
        assert world.text("a.txt") == A
        assert statuses(result) == ["skipped", "skipped"]
        assert "cut off" in result["edit_results"][0]["message"]
        assert len(result["edit_blocks"]) == 2
        assert len(world.model.requests) == 1


async def test_nothing_of_a_stopped_answer_is_applied(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        follower = world.start(conversation, Reply(GOOD, hold=asyncio.Event()))
        await world.model.began.wait()
        world.turns.stop(conversation, "r1")
        result = await result_of(follower)
        assert result["cancelled"]
        assert world.text("a.txt") == A
        assert statuses(result) == ["skipped"]
        assert "stopped" in result["edit_results"][0]["message"]


async def test_nothing_of_a_failed_answer_is_applied(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        error = ProviderUnavailable("It went away.")
        result = await world.ask(conversation, Reply(GOOD + "a.txt\n🟧🟧🟧 EDIT\none", error=error))
        assert result["error"] == "It went away."
        assert world.text("a.txt") == A
        assert statuses(result) == ["skipped", "skipped"]
        assert len(result["edit_blocks"]) == 1


async def test_a_block_that_was_never_closed_is_listed_and_not_applied(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        unclosed = GOOD + "a.txt\n🟧🟧🟧 EDIT\nthree\n🟨🟨🟨 REPL\n3\n"
        result = await world.ask(conversation, unclosed, "I can't.")
        assert world.text("a.txt") == "one\nTWO\nthree\n"
        assert statuses(result) == ["applied", "failed"]
        assert "never closed" in result["retry_prompt"]
        assert result["edit_results"][1]["error_type"] == "validation_error"
        assert not result["edit_results"][1]["complete"]
        assert len(result["edit_blocks"]) == 1


async def test_while_a_review_is_under_way_blocks_are_listed_only(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        world.is_reviewing = True
        conversation = await world.conversation("a.txt")
        result = await world.ask(conversation, GOOD + MISSED)
        assert world.text("a.txt") == A
        assert statuses(result) == ["skipped", "skipped"]
        assert "review" in result["edit_results"][0]["message"]
        assert len(world.model.requests) == 1


async def test_review_before_apply_leaves_blocks_pending(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        world.settings = EditSettings(review=True)
        conversation = await world.conversation("a.txt")
        result = await world.ask(conversation, GOOD)
        assert world.text("a.txt") == A
        assert (statuses(result), result["pending"]) == (["pending"], 1)
        assert not result["can_undo"]
        assert result["files_modified"] == []


async def test_edits_asked_for_outside_the_panel_wait_for_it(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        aside = await world.book.open(ConversationKey(ADA, "cells"))
        await world.book.select(aside, ["a.txt"])
        result = await world.ask(aside, GOOD)
        assert (statuses(result), world.text("a.txt")) == (["pending"], A)
        assert "outside the panel" in result["notices"][0]
        panel = await world.conversation()
        await world.book.load(panel, aside.session.session_id)
        await world.decider.accept(panel, "r1", ())
        assert world.text("a.txt") == "one\nTWO\nthree\n"


async def test_a_file_open_with_unsaved_changes_waits(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A, "b.txt": A}) as world:
        world.unsaved = [RepoPath("a.txt")]
        conversation = await world.conversation("a.txt", "b.txt")
        result = await world.ask(conversation, GOOD + edit("b.txt", "two\n", "2\n"))
        assert statuses(result) == ["pending", "applied"]
        assert result["edit_results"][0]["message"]
        assert world.text("a.txt") == A


SHIFTED = edit("a.py", "x = 1\nreturn x\n", "x = 2\nreturn x\n")
INDENTED: dict[str, str | bytes] = {"a.py": "def f():\n    x = 1\n    return x\n"}


async def test_what_fits_but_for_its_indentation_costs_no_request(tmp_path: Path) -> None:
    async with editing(tmp_path, INDENTED) as world:
        conversation = await world.conversation("a.py")
        result = await world.ask(conversation, SHIFTED)
        (row,) = result["edit_results"]
        assert (row["status"], row["correctable"]) == ("failed", True)
        assert row["corrected"] == {
            "old": "    x = 1\n    return x\n",
            "new": "    x = 2\n    return x\n",
        }
        assert (len(world.model.requests), result["retry_prompt"]) == (1, "")
        assert world.text("a.py") == INDENTED["a.py"]


async def test_what_fits_but_for_its_indentation_is_applied_where_that_is_wanted(
    tmp_path: Path,
) -> None:
    async with editing(tmp_path, INDENTED) as world:
        world.settings = EditSettings(apply_shifted=True)
        conversation = await world.conversation("a.py")
        answer = SHIFTED + edit("a.py", "    x = 2\n", "    x = 3\n")
        result = await world.ask(conversation, answer)
        assert statuses(result) == ["applied", "applied"]
        assert "indentation" in result["edit_results"][0]["notes"][0]
        assert world.text("a.py") == "def f():\n    x = 3\n    return x\n"
        world.settings = EditSettings(apply_shifted=True, review=True)
        result = await world.ask(conversation, SHIFTED.replace("1", "3"), number=2)
        assert statuses(result) == ["pending"]
        await world.decider.accept(conversation, "r2", ())
        assert world.text("a.py") == "def f():\n    x = 2\n    return x\n"


async def test_a_file_not_in_context_is_added_and_asked_for_again(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation()
        result = await world.ask(conversation, GOOD, "Sorry.\n\n" + GOOD)
        assert world.text("a.txt") == "one\nTWO\nthree\n"
        assert conversation.selection == ("a.txt",)
        assert result["files_auto_added"] == ["a.txt"]
        assert statuses(result) == ["not_in_context", "applied"]
        assert result["edit_results"][0]["redone"]
        assert (result["passed"], result["not_in_context"]) == (1, 0)
        assert result["retry_prompt"] == ""
        assert [each["passed"] for each in result["attempts"]] == [0, 1]
        last = str(world.model.requests[1].messages[-1]["content"])
        assert "one\\ntwo\\nthree" in last  # the file's current text
        assert "you had not seen this file" in last


async def test_what_a_failed_edit_ticked_is_unticked_with_the_conversation(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A, "b.txt": A}) as world:
        conversation = await world.conversation("b.txt")
        await world.ask(conversation, MISSED, MISSED)
        assert [*conversation.selection] == ["b.txt", "a.txt"]
        assert [*conversation.by_program] == ["a.txt"]
        await world.book.new_session(conversation)
        assert [*conversation.selection] == ["b.txt"]
        assert [*conversation.by_program] == []


async def test_what_the_user_ticks_again_stays_ticked(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation()
        await world.ask(conversation, MISSED, MISSED)
        await world.book.select(conversation, [])
        await world.book.select(conversation, ["a.txt"])
        await world.book.new_session(conversation)
        assert conversation.selection == ("a.txt",)


async def test_a_ticked_file_that_an_edit_renames_stays_the_users(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        renames = "a.txt\n🟧🟧🟧 RENAME\nb.txt\n🟩🟩🟩 END\n\n"
        await world.ask(conversation, renames + edit("new.txt", "", "new\n"))
        assert set(conversation.selection) == {"new.txt", "b.txt"}
        assert conversation.by_program == {"new.txt"}


async def test_a_failed_block_is_asked_for_once_more_with_the_current_text(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        follower = world.start(conversation, MISSED, GOOD)
        result = await result_of(follower)
        assert world.text("a.txt") == "one\nTWO\nthree\n"
        assert statuses(result) == ["failed", "applied"]
        assert (result["passed"], result["failed"], result["retry_prompt"]) == (1, 0, "")
        assert len(world.model.requests) == 2
        assert result["token_usage"]["input_tokens"] == 200
        assert result["response"] == f"{MISSED}\n\n{GOOD}"
        assert answer_texts(result["response"], result["attempts"]) == [MISSED, GOOD]
        said = [event for event in follower.told if isinstance(event, CompactionEvent)]
        assert any("asking the model again" in event.event["message"] for event in said)


@pytest.mark.parametrize(
    "failing",
    [
        "This is no path.\n🟧🟧🟧 EDIT\ntwo\n🟨🟨🟨 REPL\nTWO\n🟩🟩🟩 END\n",
        edit("a.txt", "", "TWO\n"),
        "a.txt\n🟧🟧🟧 EDIT\ntwo\n🟨🟨🟨 REPL\nTWO\n",
    ],
    ids=["without a path", "made over a file", "never closed"],
)
async def test_a_block_that_was_written_wrongly_is_asked_for_once_more(
    tmp_path: Path, failing: str
) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        result = await world.ask(conversation, failing, GOOD)
        assert statuses(result) == ["failed", "applied"]
        assert result["edit_results"][0]["error_type"] == "validation_error"
        assert (result["failed"], result["retry_prompt"]) == (0, "")
        assert world.text("a.txt") == "one\nTWO\nthree\n"


@pytest.mark.parametrize("retries", [0, 1, 2, 9])
async def test_the_retry_never_loops(tmp_path: Path, retries: int) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        world.settings = EditSettings(retries=retries)
        conversation = await world.conversation("a.txt")
        result = await world.ask(conversation, *[MISSED] * 12)
        made = min(retries, MOST_RETRIES)
        assert len(world.model.requests) == 1 + made
        assert statuses(result) == ["failed"] * (1 + made)
        assert result["failed"] == 1
        assert "- a.txt" in result["retry_prompt"]
        assert world.text("a.txt") == A


async def test_a_failing_second_request_keeps_what_the_first_did(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        error = ProviderUnavailable("It went away.")
        partly = edit("a.txt", "three\n", "3\n")
        result = await world.ask(conversation, GOOD + MISSED, Reply(partly, error=error))
        assert world.text("a.txt") == "one\nTWO\nthree\n"
        assert "error" not in result
        assert statuses(result) == ["applied", "failed", "skipped"]
        assert any("It went away." in notice for notice in result["notices"])
        assert "- a.txt" in result["retry_prompt"]
        assert conversation.session.turns[-1].state is TurnState.DONE


async def test_stop_ends_the_second_request_and_keeps_what_the_first_did(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        hold = asyncio.Event()
        follower = world.start(conversation, GOOD + MISSED, Reply(GOOD, hold=hold))
        async with asyncio.timeout(30):
            while len(world.model.requests) < 2:
                await asyncio.sleep(0.01)
        world.turns.stop(conversation, "r1")
        result = await result_of(follower)
        assert result["cancelled"]
        assert world.text("a.txt") == "one\nTWO\nthree\n"
        assert statuses(result) == ["applied", "failed", "skipped"]
        assert result["files_modified"] == ["a.txt"]


async def test_a_stop_after_applying_has_begun_comes_too_late_and_nothing_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        apply = world.applier.apply

        async def stopped_meanwhile(
            blocks: Sequence[EditBlock], terms: ApplyOptions, batch: str
        ) -> Applied:
            world.turns.stop(conversation, "r1")
            await asyncio.sleep(0)
            return await apply(blocks, terms, batch)

        monkeypatch.setattr(world.applier, "apply", stopped_meanwhile)
        result = await world.ask(conversation, GOOD + MISSED, GOOD)
        assert "cancelled" not in result
        assert statuses(result) == ["applied", "failed"]
        assert world.text("a.txt") == "one\nTWO\nthree\n"
        assert len(world.model.requests) == 1


async def test_prompts_after_a_retry_are_byte_equal_after_a_restart(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        await world.ask(conversation, MISSED + "😀", GOOD + "😀")
        await world.ask(conversation, "Fine.", number=2)
        folder, before = world.folder, world.model.requests[-1].messages
        retry = conversation.session.turns[0].sent[-1]
        assert retry.category is Category.RETRY
    async with editing_again(folder, tmp_path) as world:
        again = await world.conversation()
        await world.ask(again, "Fine.", number=3)
        after = world.model.requests[-1].messages
    assert after[: len(before) - 1] == before[:-1]
    assert len(before) == 6  # system, two exchanges of the first turn, the question


async def test_the_history_gives_back_what_became_of_the_edits(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        result = await world.ask(conversation, GOOD + MISSED, MISSED)
        message = conversation.session.snapshot()["messages"][-1]
        folder = world.folder
    async with editing_again(folder, tmp_path) as world:
        again = (await world.conversation()).session.snapshot()["messages"][1]
    assert again["edit_results"] == message["edit_results"] == result["edit_results"]
    assert again["edit_blocks"] == result["edit_blocks"]
    assert again["attempts"] == result["attempts"]
    assert again["retry_prompt"] == result["retry_prompt"]
    assert again["files_modified"] == ["a.txt"]


async def test_without_something_that_applies_them_edits_are_listed(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        listing = replace(world.ports, edits=replace(world.ports.edits, applier=None))
        world.turns = Turns(listing, world.world.pages)
        conversation = await world.conversation("a.txt")
        result = await world.ask(conversation, GOOD)
        assert statuses(result) == ["skipped"]
        assert world.text("a.txt") == A


async def test_a_hook_that_an_answer_makes_of_a_program_waits(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    files: dict[str, str | bytes] = {"a.txt": A, "run.sh": "#!/bin/sh\necho hello\n"}
    async with editing(tmp_path, files) as world:
        folder = world.folder
        (folder.root / "run.sh").chmod(0o755)
        folder.commit()
        folder.git("config", "core.hooksPath", ".githooks")
        conversation = await world.conversation("a.txt", "run.sh")
        hook = ".githooks/post-index-change"
        answer = f"run.sh\n🟧🟧🟧 RENAME\n{hook}\n🟩🟩🟩 END\n\n"
        answer += edit(hook, "echo hello\n", f"touch {mark}\n") + GOOD
        result = await world.ask(conversation, answer)
        assert statuses(result) == ["pending", "pending", "applied"]
        assert (result["pending"], result["passed"]) == (2, 1)
        rows = result["edit_results"]
        assert [bool(row["protected"]) for row in rows] == [True, True, False]
        assert "hooks folder" in rows[0]["message"]
        assert len(world.model.requests) == 1
        assert not mark.exists()
        assert not (folder.root / ".githooks").exists()
        assert world.text("a.txt") == "one\nTWO\nthree\n"


async def test_the_script_of_a_filter_waits(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    files: dict[str, str | bytes] = {
        "tools/strip.py": "import sys\n",
        ".gitattributes": "*.py filter=strip\n",
    }
    async with editing(tmp_path, files) as world:
        world.folder.git("config", "filter.strip.clean", "python3 tools/strip.py")
        conversation = await world.conversation("tools/strip.py")
        evil = f"open({str(mark)!r}, 'w')\n"
        answer = edit("tools/strip.py", "import sys\n", evil) + edit("tools/sys.py", "", evil)
        result = await world.ask(conversation, answer)
        assert statuses(result) == ["pending", "pending"]
        assert "'filter.strip.clean'" in result["edit_results"][0]["message"]
        assert not mark.exists()
        assert world.text("tools/strip.py") == "import sys\n"


async def test_what_waits_is_not_asked_for_again_but_what_failed_is(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        first = edit("conftest.py", "", "one\n") + edit("conftest.py", "zwei\n", "2\n") + MISSED
        again = edit("conftest.py", "one\n", "1\n") + edit("a.txt", "two\n", "2\n")
        result = await world.ask(conversation, first, again)
        assert statuses(result) == ["pending", "failed", "failed", "pending", "applied"]
        assert not (world.folder.root / "conftest.py").exists()
        asked = world.model.requests[1].messages[-1]
        assert "conftest.py" in str(asked)
        assert "acceptance" not in str(world.model.requests[1].messages)
        await world.decider.accept(conversation, "r1", [0])
        turn = await world.decider.accept(conversation, "r1", [3])
        assert turn.edits.results[3]["status"] == "applied"
        assert world.text("conftest.py") == "1\n"


async def test_outside_the_panel_cards_say_what_is_protected(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        aside = await world.book.open(ConversationKey(ADA, "cells"))
        await world.book.select(aside, ["a.txt"])
        result = await world.ask(aside, GOOD + edit(".envrc", "", "evil\n"))
        assert statuses(result) == ["pending", "pending"]
        assert [bool(row["protected"]) for row in result["edit_results"]] == [False, True]


async def test_a_second_answer_that_builds_on_what_waits_waits_with_it(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A, "conftest.py": A}) as world:
        conversation = await world.conversation("a.txt", "conftest.py")
        first = "conftest.py\n🟧🟧🟧 RENAME\nplain.py\n🟩🟩🟩 END\n\n" + MISSED
        again = edit("plain.py", "one\n", "1\n") + edit("a.txt", "two\n", "2\n")
        result = await world.ask(conversation, first, again)
        assert statuses(result) == ["pending", "failed", "pending", "applied"]
        assert len(world.model.requests) == 2
        await world.decider.accept(conversation, "r1", [0])
        turn = await world.decider.accept(conversation, "r1", ())
        assert [row["status"] for row in turn.edits.results][2] == "applied"
        assert world.text("plain.py") == "1\ntwo\nthree\n"
