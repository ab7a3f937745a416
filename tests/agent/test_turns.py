"""Whole turns of an agent: from the model's calls to files, the log, and the next question."""

import asyncio
import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from jupyter_ac.agent.limits import RunLimits
from jupyter_ac.agent.tool import Right
from jupyter_ac.answer_rows import CompletionResult
from jupyter_ac.chat.edit_blocks.blocks import EditBlock
from jupyter_ac.chat.edits.apply_options import Applied, ApplyOptions
from jupyter_ac.chat.records import UNANSWERED, TurnState
from jupyter_ac.chat.tool_calls import ToolCall
from jupyter_ac.errors import ProviderUnavailable
from jupyter_ac.models.choice import ModelChoice
from tests.agent.acting import (
    GOOD,
    READ,
    ActingWorld,
    acting,
    calling,
    require_whole,
    run_of,
)
from tests.agent.runs import MadeUpTool, call
from tests.chat.edited import Reply, edit, result_of


async def test_a_run_reads_edits_and_goes_on_until_it_is_done(tmp_path: Path) -> None:
    async with acting(tmp_path) as world:
        conversation = await world.edits.conversation()
        replies: list[Reply | str] = [
            calling(READ),
            calling(ToolCall("r2", "read_file", READ.arguments), text=GOOD),
        ]
        result = await world.edits.ask(conversation, *replies, "All is done.", mode="agent")
        run = run_of(result)
        assert (run["state"], run["used"]["steps"]) == ("done", 3)
        assert world.edits.text("a.txt") == "ONE\ntwo\n"
        assert run["files_changed"] == ["a.txt"]
        assert conversation.selection == ()
        assert "with the edits that you have made since" in world.sent()[-2]["content"]
        require_whole(world.sent())
        assert run["steps"][-1] == len(result["response"].encode("utf-16-le")) // 2


async def test_the_next_question_begins_with_the_last_request(tmp_path: Path) -> None:
    async with acting(tmp_path) as world:
        conversation = await world.edits.conversation()
        replies: list[Reply | str] = [
            calling(READ, text="I look."),
            calling(call("nope", call_id="n1")),
            "So.",
        ]
        await world.edits.ask(conversation, *replies, mode="agent")
        before = world.sent()
        await world.edits.ask(conversation, "And so on.", number=2)
        after = world.sent()
        assert after[: len(before) - 1] == before[:-1]
        assert after[len(before)] == {"role": "assistant", "content": "So."}
        assert world.requests[-1].tools == world.requests[0].tools != ()
        require_whole(after)


async def stopped_in(
    world: ActingWorld, *replies: Reply | str, working: MadeUpTool | None = None
) -> CompletionResult:
    """Stop a run when the model has begun its last reply, and a tool its work."""
    conversation = await world.edits.conversation()
    follower = world.edits.start(conversation, *replies, mode="agent")
    async with asyncio.timeout(90):
        while len(world.requests) < len(replies) or (working and not working.contexts):
            await asyncio.sleep(0.001)
    world.edits.turns.stop(conversation, "r1")
    return await result_of(follower)


async def test_a_run_stopped_before_an_answer_leaves_a_log_that_can_be_sent(
    tmp_path: Path,
) -> None:
    async with acting(tmp_path) as world:
        result = await stopped_in(world, calling(READ), Reply("", hold=asyncio.Event()))
        assert (result["cancelled"], result["run"]["state"]) == (True, "stopped")
        before = world.sent()
        conversation = await world.edits.conversation()
        await world.edits.ask(conversation, "Of course.", number=2)
        after = world.sent()
        assert after[: len(before) - 1] == before[:-1]
        assert after[len(before)] == {"role": "assistant", "content": UNANSWERED}
        require_whole(after)


async def test_a_run_that_fails_leaves_a_log_that_can_be_sent(tmp_path: Path) -> None:
    async with acting(tmp_path) as world:
        conversation = await world.edits.conversation()
        gone = Reply("", error=ProviderUnavailable("It went away."))
        result = await world.edits.ask(conversation, calling(READ), gone, mode="agent")
        assert result["error_info"]["message"] == "It went away."
        assert result["run"]["state"] == "failed"
        await world.edits.ask(conversation, "Of course.", number=2, mode="agent")
        require_whole(world.sent())
        assert any(message["role"] == "tool" for message in world.sent())


async def test_a_stop_while_a_tool_works_ends_it_and_its_call_is_not_sent(tmp_path: Path) -> None:
    tool = MadeUpTool(held=asyncio.Event())
    async with acting(tmp_path, tool) as world:
        result = await stopped_in(world, calling(READ), calling(call()), working=tool)
        assert [row["status"] for row in result["run"]["calls"]] == ["done", "cancelled"]
        conversation = await world.edits.conversation()
        await world.edits.ask(conversation, "Of course.", number=2)
        require_whole(world.sent())


async def test_a_stop_while_edits_are_applied_runs_no_further_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = MadeUpTool("act", Right.EXECUTE)
    async with acting(tmp_path, tool) as world:
        conversation = await world.edits.conversation("a.txt")
        apply = world.edits.applier.apply

        async def stopped_meanwhile(
            blocks: Sequence[EditBlock], options: ApplyOptions, batch: str
        ) -> Applied:
            world.edits.turns.stop(conversation, "r1")
            await asyncio.sleep(0)
            return await apply(blocks, options, batch)

        monkeypatch.setattr(world.edits.applier, "apply", stopped_meanwhile)
        result = await world.edits.ask(conversation, calling(call("act"), text=GOOD), mode="agent")
        assert tool.contexts == []
        assert (result["cancelled"], result["run"]["state"]) == (True, "stopped")
        assert world.edits.text("a.txt") == "ONE\ntwo\n"
        assert result["run"]["files_changed"] == ["a.txt"]
        assert [row["status"] for row in result["edit_results"]] == ["applied"]


@pytest.mark.parametrize(
    "broken",
    [
        call("read_file", '{"path": ', "b1"),
        call("read_file", "[]", "b2"),
        call("", "", "b3"),
        call("no/such tool!", "{}", "b/4"),
        call("read_file", '{"path": "../../etc/passwd"}', "b5"),
        call("read_file", '{"path": ".git/config"}', "b6"),
        call("x" * 5000, "{" * 5000, "b7"),
    ],
    ids=lambda one: one.call_id,
)
async def test_a_call_that_means_nothing_is_answered_and_can_be_sent_again(
    tmp_path: Path, broken: ToolCall
) -> None:
    async with acting(tmp_path) as world:
        conversation = await world.edits.conversation()
        result = await world.edits.ask(conversation, calling(broken), "I see.", mode="agent")
        assert [row["status"] for row in run_of(result)["calls"]] == ["failed"]
        await world.edits.ask(conversation, "Fine.", number=2)
        messages = world.sent()
        require_whole(messages)
        (made,) = [one for message in messages for one in message.get("tool_calls", [])]
        assert made["id"] == broken.call_id
        assert isinstance(json.loads(made["function"]["arguments"]), dict)


async def test_an_answer_of_a_model_that_goes_round_in_circles_ends(tmp_path: Path) -> None:
    async with acting(tmp_path) as world:
        conversation = await world.edits.conversation()
        again = [calling(call("nope", call_id=f"n{number}")) for number in range(9)]
        result = await world.edits.ask(conversation, *again, mode="agent")
        assert run_of(result)["state"] == "repeated"
        assert len(world.requests) == 3
        assert "3 times in a row" in result["response"]
        await world.edits.ask(conversation, "Fine.", number=2)
        require_whole(world.sent())


async def test_a_run_that_never_ends_keeps_its_steps(tmp_path: Path) -> None:
    tool = MadeUpTool()
    async with acting(tmp_path, tool) as world:
        world.limits = RunLimits(4, 400_000, 100.0, 15)
        conversation = await world.edits.conversation()
        steps = [calling(call(arguments=f'{{"path": "{n}"}}', call_id=f"n{n}")) for n in range(9)]
        result = await world.edits.ask(conversation, *steps, mode="agent")
        run = run_of(result)
        assert (run["state"], len(world.requests), len(tool.contexts)) == ("limit", 4, 3)
        assert "4 steps" in run["reason"] or "its limits" in run["reason"]
        assert "This was the last step: sum up" in str(world.sent()[-1]["content"])
        await world.edits.ask(conversation, "Fine.", number=2)
        require_whole(world.sent())


async def test_a_plan_changes_nothing(tmp_path: Path) -> None:
    tool = MadeUpTool("act", Right.EXECUTE)
    async with acting(tmp_path, tool) as world:
        conversation = await world.edits.conversation()
        first = calling(READ, call("act", call_id="a1"), text=GOOD)
        result = await world.edits.ask(conversation, first, GOOD + "I propose.", mode="plan")
        run = run_of(result)
        assert [row["status"] for row in run["calls"]] == ["done", "refused"]
        assert (run["state"], run["can_undo"], tool.contexts) == ("done", False, [])
        assert world.edits.text("a.txt") == "one\ntwo\n"
        assert {row["status"] for row in result["edit_results"]} == {"skipped"}


async def test_a_plain_question_after_a_run_is_as_without_one(tmp_path: Path) -> None:
    async with acting(tmp_path) as world:
        conversation = await world.edits.conversation()
        await world.edits.ask(conversation, calling(READ), "So.", mode="agent")
        missed = edit("a.txt", "zwei\n", "2\n")
        made = edit("new.txt", "", "fresh\n")
        await world.edits.conversation("a.txt")
        result = await world.edits.ask(conversation, missed + made, GOOD, number=2)
        assert [row["status"] for row in result["edit_results"]] == ["failed", "applied", "applied"]
        assert "run" not in result
        assert conversation.selection == ("a.txt", "new.txt")
        replies: list[Reply | str] = [missed, calling(READ, text="Hm."), "No."]
        await world.edits.ask(conversation, *replies, number=3)
        record = conversation.session.turns[-1].run
        assert record is not None
        assert [len(step.calls) for step in record.steps] == [0, 1, 0]
        await world.edits.ask(conversation, "Fine.", number=4)
        require_whole(world.sent())
        refused = [message for message in world.sent() if message["role"] == "tool"][-1]
        assert "switched off" in refused["content"]


async def test_what_a_command_changes_is_undone_and_the_users_later_change_stays(
    tmp_path: Path,
) -> None:
    async with acting(tmp_path) as world:
        conversation = await world.edits.conversation()
        script = "open('a.txt', 'a').write('more'); open('c', 'w')"
        line = shlex.join([sys.executable, "-c", script])
        command = call("run_command", json.dumps({"command": line}), "c1")
        follower = world.edits.start(conversation, calling(command), "Done.", mode="agent")
        assert await world.decide(allow=True) == line
        run = run_of(await result_of(follower))
        assert run["files_changed"] == ["a.txt", "c"]
        (world.edits.folder.root / "a.txt").write_text("mine\n")
        undone = await world.undo().undo(conversation, run["run_id"], 1)
        assert (list(undone.restored), [one.path for one in undone.kept]) == (["c"], ["a.txt"])
        assert world.edits.text("a.txt") == "mine\n"


async def test_another_family_of_models_gets_no_foreign_signatures(tmp_path: Path) -> None:
    signed = {"type": "thinking", "thinking": "Hm.", "signature": "c2k="}
    async with acting(tmp_path) as world:
        conversation = await world.edits.conversation()
        world.edits.world.choice = ModelChoice("anthropic/claude-opus-5", "flag")
        await world.edits.ask(
            conversation, Reply("", calls=(READ,), thinking=(signed,)), "So.", mode="agent"
        )
        answered = [message for message in world.sent() if message.get("tool_calls")]
        assert [one["thinking_blocks"] for one in answered] == [[signed]]
        world.edits.world.choice = ModelChoice("gemini/gemini-3-pro", "flag")
        await world.edits.ask(conversation, "Fine.", number=2)
        assert "thinking_blocks" not in str(world.sent())
        require_whole(world.sent())
        world.edits.world.choice = ModelChoice("bedrock/anthropic.claude-opus-5", "flag")
        await world.edits.ask(conversation, "Fine.", number=3)
        answered = [message for message in world.sent() if message.get("tool_calls")]
        assert [one["thinking_blocks"] for one in answered] == [[signed]]


async def test_a_run_in_the_history_is_as_it_was(tmp_path: Path) -> None:
    async with acting(tmp_path) as world:
        conversation = await world.edits.conversation()
        await world.edits.ask(conversation, calling(READ, text=GOOD), "Done.", mode="agent")
        turn = conversation.session.turns[-1]
        assert turn.state is TurnState.DONE
        kept = await world.edits.history.session(conversation.session.session_id)
        assert kept is not None
        assert kept.turns[-1].run == turn.run
        assert kept.turns[-1].exchanges() == turn.exchanges()
