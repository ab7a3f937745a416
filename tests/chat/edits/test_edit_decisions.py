"""The user's word on edits: accept, reject, correct, take back."""

import asyncio
from pathlib import Path

import pytest

from jupyter_ac.chat.edits.edit_decisions import undo_offer
from jupyter_ac.errors import AcError, Busy, Conflict, InvalidParams, NotFound
from jupyter_ac.ids import RepoPath
from jupyter_ac.settings.app import EditSettings
from tests.chat.edited import Reply, edit, editing, editing_again, result_of

A = "one\ntwo\nthree\n"
ANSWER = edit("a.txt", "one\n", "1\n") + edit("a.txt", "three\n", "3\n") + edit("b.txt", "", "b\n")
REVIEW = EditSettings(review=True)


def states(rows: object) -> list[str]:
    assert isinstance(rows, list | tuple)
    return [row["status"] for row in rows]


async def test_accepting_all_applies_all(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        world.settings = REVIEW
        conversation = await world.conversation("a.txt")
        await world.ask(conversation, ANSWER)
        turn = await world.decider.accept(conversation, "r1", ())
        assert states(turn.edits.results) == ["applied"] * 3
        assert (world.text("a.txt"), world.text("b.txt")) == ("1\ntwo\n3\n", "b\n")
        assert turn.edits.modified == ("a.txt", "b.txt")
        assert conversation.selection == ("a.txt", "b.txt")
        change = world.decider.change(conversation, turn)
        assert change["can_undo"]
        assert undo_offer(conversation.session) == {
            "request_id": "r1",
            "files": ["a.txt", "b.txt"],
        }


async def test_blocks_are_accepted_and_rejected_one_by_one_in_any_order(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        world.settings = REVIEW
        conversation = await world.conversation("a.txt")
        await world.ask(conversation, ANSWER)
        await world.decider.accept(conversation, "r1", [1])
        assert world.text("a.txt") == "one\ntwo\n3\n"
        turn = await world.decider.reject(conversation, "r1", [0])
        assert states(turn.edits.results) == ["rejected", "applied", "pending"]
        turn = await world.decider.reject(conversation, "r1", ())
        assert states(turn.edits.results) == ["rejected", "applied", "rejected"]
        with pytest.raises(Conflict):
            await world.decider.accept(conversation, "r1", ())
        with pytest.raises(InvalidParams):
            await world.decider.accept(conversation, "r1", [7])
        with pytest.raises(NotFound):
            await world.decider.reject(conversation, "r9", ())


async def test_a_block_that_needs_the_one_before_it_waits_on(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        world.settings = REVIEW
        conversation = await world.conversation("a.txt")
        move = "a.txt\n🟧🟧🟧 RENAME\nb.txt\n🟩🟩🟩 END\n"
        await world.ask(conversation, move + edit("b.txt", "one\n", "1\n"))
        turn = await world.decider.accept(conversation, "r1", [1])
        assert states(turn.edits.results) == ["pending", "pending"]
        assert "'b.txt'" in turn.edits.results[1]["message"]
        await world.decider.accept(conversation, "r1", [0])
        turn = await world.decider.accept(conversation, "r1", [1])
        assert states(turn.edits.results) == ["applied", "applied"]
        assert world.text("b.txt") == "1\ntwo\nthree\n"


async def test_during_a_review_nothing_is_accepted_or_taken_back(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        world.settings = REVIEW
        conversation = await world.conversation("a.txt")
        await world.ask(conversation, ANSWER)
        await world.decider.accept(conversation, "r1", [0])
        world.is_reviewing = True
        with pytest.raises(Conflict, match="review"):
            await world.decider.accept(conversation, "r1", ())
        with pytest.raises(Conflict, match="review"):
            await world.undo(conversation)
        assert world.text("a.txt") == "1\ntwo\nthree\n"
        world.is_reviewing = False
        turn = await world.decider.accept(conversation, "r1", ())
        assert states(turn.edits.results) == ["applied"] * 3


async def test_pending_edits_survive_a_restart(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        world.settings = REVIEW
        conversation = await world.conversation("a.txt")
        await world.ask(conversation, "Näher 😀:\n" + ANSWER)
        folder = world.folder
    async with editing_again(folder, tmp_path) as world:
        conversation = await world.conversation()
        assert states(conversation.session.turns[0].edits.results) == ["pending"] * 3
        await world.decider.accept(conversation, "r1", ())
        assert world.text("a.txt") == "1\ntwo\n3\n"
    async with editing_again(folder, tmp_path) as world:
        conversation = await world.conversation()
        assert states(conversation.session.turns[0].edits.results) == ["applied"] * 3
        await world.undo(conversation)
        assert world.text("a.txt") == A
        assert not (folder.root / "b.txt").exists()


async def test_a_pending_path_with_blanks_is_found_again_without_its_file(tmp_path: Path) -> None:
    async with editing(tmp_path, {"my file": A}) as world:
        world.settings = REVIEW
        conversation = await world.conversation("my file")
        result = await world.ask(conversation, edit("my file", "two\n", "2\n"))
        assert states(result["edit_results"]) == ["pending"]
        (world.folder.root / "my file").unlink()
        turn = await world.decider.accept(conversation, "r1", ())
        assert states(turn.edits.results) == ["failed"]
        assert turn.edits.results[0]["error_type"] == "file_not_found"


async def test_a_block_accepted_after_the_file_changed_is_matched_anew(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        world.settings = REVIEW
        conversation = await world.conversation("a.txt")
        await world.ask(conversation, ANSWER)
        world.folder.write("a.txt", "zero\none\ntwo\n")
        turn = await world.decider.accept(conversation, "r1", ())
        assert states(turn.edits.results) == ["applied", "failed", "applied"]
        assert turn.edits.results[1]["error_type"] == "anchor_not_found"
        assert world.text("a.txt") == "zero\n1\ntwo\n"
        assert "- a.txt" in turn.edits.retry_prompt


async def test_a_file_with_unsaved_changes_stays_pending_when_it_is_accepted(
    tmp_path: Path,
) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        world.unsaved = [RepoPath("a.txt")]
        conversation = await world.conversation("a.txt")
        await world.ask(conversation, edit("a.txt", "two\n", "2\n"))
        turn = await world.decider.accept(conversation, "r1", ())
        assert states(turn.edits.results) == ["pending"]
        world.unsaved = ()
        turn = await world.decider.accept(conversation, "r1", ())
        assert states(turn.edits.results) == ["applied"]


async def test_a_shifted_block_is_applied_by_one_click_and_never_silently(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.py": "def f():\n    x = 1\n    return x\n"}) as world:
        world.settings = EditSettings(retries=0)
        conversation = await world.conversation("a.py")
        wrong = edit("a.py", "x = 1\nreturn x\n", "x = 2\nreturn x\n")
        result = await world.ask(conversation, wrong)
        (row,) = result["edit_results"]
        assert (row["status"], row["cause"], row["correctable"]) == ("failed", "indentation", True)
        assert "x = 1" in world.text("a.py")
        with pytest.raises(Conflict):
            await world.decider.accept(conversation, "r1", ())  # not without being named
        turn = await world.decider.accept(conversation, "r1", [0])
        assert world.text("a.py") == "def f():\n    x = 2\n    return x\n"
        assert turn.edits.results[0]["span"] == row["span"]
        assert states(turn.edits.results) == ["applied"]
        assert turn.edits.retry_prompt == ""


async def test_undo_takes_back_the_last_turn_then_the_one_before(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        await world.ask(conversation, edit("a.txt", "one\n", "1\n"))
        await world.ask(conversation, edit("a.txt", "two\n", "2\n"), number=2)
        await world.ask(conversation, "No edits.", number=3)
        last = undo_offer(conversation.session)
        assert last is not None
        with pytest.raises(Conflict, match="Other edits"):
            await world.undo(conversation, "another")
        turn, undone = await world.undo(conversation, last["request_id"])
        with pytest.raises(Conflict, match="Other edits"):
            await world.undo(conversation, last["request_id"])
        assert (turn.request_id, undone.files, world.text("a.txt")) == (
            "r2",
            ["a.txt"],
            "1\ntwo\nthree\n",
        )
        assert states(turn.edits.results) == ["undone"]
        assert not world.decider.change(conversation, turn)["can_undo"]
        assert world.decider.change(conversation, turn)["files_modified"] == []
        await world.undo(conversation)
        assert world.text("a.txt") == A
        with pytest.raises(NotFound):
            await world.undo(conversation)


async def test_undo_selects_again_what_is_back(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A, "c.txt": "c\n"}) as world:
        conversation = await world.conversation("a.txt", "c.txt")
        move = "a.txt\n🟧🟧🟧 RENAME\nb.txt\n🟩🟩🟩 END\n"
        result = await world.ask(
            conversation, move + "c.txt\n🟧🟧🟧 DELETE\n🟩🟩🟩 END\n" + edit("n.txt", "", "n\n")
        )
        assert result["files_created"] == ["n.txt"]
        assert set(conversation.selection) == {"b.txt", "n.txt"}
        await world.undo(conversation)
        assert conversation.selection == ("a.txt", "c.txt")


async def test_a_file_in_a_folder_waits_for_the_file_that_makes_room(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a": A}) as world:
        world.settings = REVIEW
        conversation = await world.conversation("a")
        answer = "a\n🟧🟧🟧 DELETE\n🟩🟩🟩 END\n" + edit("a/b.txt", "", "b\n")
        result = await world.ask(conversation, answer)
        assert states(result["edit_results"]) == ["pending", "pending"]
        turn = await world.decider.accept(conversation, "r1", [1])
        assert states(turn.edits.results) == ["pending", "pending"]
        turn = await world.decider.accept(conversation, "r1", ())
        assert states(turn.edits.results) == ["applied", "applied"]
        assert world.text("a/b.txt") == "b\n"


async def test_undo_is_refused_while_an_answer_is_made_and_after_a_change(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        await world.ask(conversation, edit("a.txt", "one\n", "1\n"))
        hold = asyncio.Event()
        follower = world.start(conversation, Reply("Hm.", hold=hold), number=2)
        with pytest.raises(Busy):
            await world.undo(conversation)
        hold.set()
        await result_of(follower)
        world.folder.write("a.txt", "somebody else's\n")
        with pytest.raises(AcError) as refusal:
            await world.undo(conversation)
        assert "a.txt" in refusal.value.message
        assert world.text("a.txt") == "somebody else's\n"
        assert undo_offer(conversation.session) is not None


GUARDED = edit("conftest.py", "one\n", "1\n") + edit("a.txt", "one\n", "1\n")
GUARDED_FILES: dict[str, str | bytes] = {"a.txt": A, "conftest.py": A}


async def test_accepting_all_leaves_out_what_runs_by_itself(tmp_path: Path) -> None:
    async with editing(tmp_path, GUARDED_FILES) as world:
        world.settings = REVIEW
        conversation = await world.conversation("a.txt", "conftest.py")
        await world.ask(conversation, GUARDED)
        turn = await world.decider.accept(conversation, "r1", ())
        assert states(turn.edits.results) == ["pending", "applied"]
        assert "pytest" in turn.edits.results[0]["protected"]
        with pytest.raises(Conflict, match="by itself"):
            await world.decider.accept(conversation, "r1", ())
        assert (world.text("a.txt"), world.text("conftest.py")) == ("1\ntwo\nthree\n", A)
        turn = await world.decider.accept(conversation, "r1", [0])
        assert states(turn.edits.results) == ["applied", "applied"]
        assert world.text("conftest.py") == "1\ntwo\nthree\n"


async def test_a_file_that_has_become_protected_waits_for_a_second_word(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A, "tools/run": A}) as world:
        world.settings = REVIEW
        conversation = await world.conversation("tools/run")
        await world.ask(conversation, edit("tools/run", "one\n", "1\n"))
        world.folder.git("config", "alias.go", "!tools/run")
        turn = await world.decider.accept(conversation, "r1", [0])
        (row,) = turn.edits.results
        assert (row["status"], row["protected"]) == ("pending", "git runs it as 'alias.go'")
        world.folder.git("config", "--unset", "alias.go")
        world.folder.git("config", "core.hooksPath", "tools")
        turn = await world.decider.accept(conversation, "r1", [0])
        assert states(turn.edits.results) == ["pending"]  # for another reason than the one shown
        turn = await world.decider.accept(conversation, "r1", [0])
        assert states(turn.edits.results) == ["applied"]


async def test_a_shifted_block_for_a_protected_file_must_be_named_as_well(tmp_path: Path) -> None:
    async with editing(tmp_path, {"conftest.py": "def f():\n    return 1\n"}) as world:
        world.settings = EditSettings(retries=0)
        conversation = await world.conversation("conftest.py")
        await world.ask(conversation, edit("conftest.py", "  return 1\n", "  return 2\n"))
        (row,) = conversation.session.turns[0].edits.results
        assert (row["status"], row["correctable"], bool(row["protected"])) == ("failed", True, True)
        turn = await world.decider.accept(conversation, "r1", [0])
        assert states(turn.edits.results) == ["applied"]


async def test_taking_back_asks_for_protected_files(tmp_path: Path) -> None:
    async with editing(tmp_path, GUARDED_FILES) as world:
        conversation = await world.conversation("a.txt", "conftest.py")
        await world.ask(conversation, GUARDED)
        await world.decider.accept(conversation, "r1", [0])
        turn, undone = await world.undo(conversation)
        assert list(undone.protected) == ["conftest.py"]
        assert states(turn.edits.results) == ["applied", "applied"]
        turn, undone = await world.undo(conversation, "r1", ["conftest.py"])
        assert states(turn.edits.results) == ["undone", "undone"]
        assert (world.text("a.txt"), world.text("conftest.py")) == (A, A)


async def test_an_edit_of_an_earlier_turn_is_taken_back_by_itself(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        await world.ask(conversation, edit("a.txt", "one\n", "1\n") + edit("n.txt", "", "n\n"))
        await world.ask(conversation, edit("a.txt", "three\n", "3\n"), number=2)
        turn, undone = await world.decider.undo(conversation, "r1", [0])
        assert (undone.reason, list(undone.blocks)) == ("", [0])
        assert states(turn.edits.results) == ["undone", "applied"]
        assert (turn.edits.modified, turn.edits.created) == (("n.txt",), ("n.txt",))
        assert world.text("a.txt") == "one\ntwo\n3\n"
        with pytest.raises(Conflict, match="not applied any more"):
            await world.decider.undo(conversation, "r1", [0, 1])
        with pytest.raises(InvalidParams):
            await world.decider.undo(conversation, "r1", [7])
        turn, _ = await world.decider.undo(conversation, "r1")
        assert states(turn.edits.results) == ["undone", "undone"]
        assert not (world.folder.root / "n.txt").exists()
        assert conversation.selection == ("a.txt",)
        folder = world.folder
    async with editing_again(folder, tmp_path) as world:
        conversation = await world.conversation()
        await world.decider.undo(conversation, "r2", [0])
        assert world.text("a.txt") == A


async def test_what_can_be_taken_back_is_offered_where_not_all_can(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A, "b.txt": A}) as world:
        conversation = await world.conversation("a.txt", "b.txt")
        await world.ask(conversation, edit("a.txt", "one\n", "1\n") + edit("b.txt", "one\n", "1\n"))
        world.folder.write("a.txt", "mine\n")
        turn, undone = await world.decider.undo(conversation, "r1")
        assert states(turn.edits.results) == ["applied", "applied"]
        assert "'a.txt'" in undone.reason
        assert list(undone.possible) == [1]
        turn, undone = await world.decider.undo(conversation, "r1", undone.possible)
        assert states(turn.edits.results) == ["applied", "undone"]
        assert (world.text("a.txt"), world.text("b.txt")) == ("mine\n", A)


async def test_an_edit_on_which_another_builds_is_offered_with_it(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        await world.ask(conversation, edit("a.txt", "one\n", "1\n") + edit("a.txt", "1\n", "uno\n"))
        _, undone = await world.decider.undo(conversation, "r1", [0])
        assert (undone.reason != "", list(undone.possible)) == (True, [0, 1])
        assert world.text("a.txt") == "uno\ntwo\nthree\n"


async def test_how_edits_stand_is_told_by_the_files(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A, "b.txt": A}) as world:
        conversation = await world.conversation("a.txt", "b.txt")
        await world.ask(
            conversation,
            *[edit("a.txt", "one\n", "1\n") + edit("b.txt", "one\n", "1\n") + edit("c", "", "c\n")],
        )
        await world.ask(conversation, "No edits.", number=2)

        async def told() -> list[tuple[str, bool]]:
            (row,) = await world.decider.standings(conversation, ["r1", "r2", "r9", "r1"])
            return [(each["standing"], each["can_undo"]) for each in row["edits"]]

        assert await told() == [("applied", True)] * 3
        world.folder.git("reset", "--hard", "--quiet")
        world.folder.write("b.txt", "mine\n")
        assert await told() == [("undone", False), ("changed", False), ("undone", False)]


async def test_nothing_is_taken_back_under_unsaved_changes(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        await world.ask(conversation, ANSWER)
        world.unsaved = [RepoPath("a.txt")]
        _, undone = await world.decider.undo(conversation, "r1")
        assert "unsaved changes" in undone.reason
        assert world.text("a.txt") == "1\ntwo\n3\n"
        world.unsaved = []
        _, undone = await world.decider.undo(conversation, "r1")
        assert (undone.reason, world.text("a.txt")) == ("", A)
