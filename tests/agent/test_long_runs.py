"""Whole turns of an agent that nearly fill the model's window."""

from dataclasses import replace
from pathlib import Path

from jupyter_ac.chat.compaction.compactor import Compactor
from jupyter_ac.chat.last_request import last_request
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.tool_calls import ToolResult
from tests.agent.acting import ActingWorld, acting, calling, require_whole, run_of
from tests.agent.runs import MadeUpTool, call
from tests.chat.compaction.world import SUMMARY
from tests.chat.edited import Reply


def filling(world: ActingWorld) -> list[Reply]:
    """Give the model a small window, and return three steps whose results fill it."""
    info = replace(world.edits.model.info, max_input_tokens=16_000, max_output_tokens=2000)
    world.edits.model.info, world.edits.model.aside = info, SUMMARY
    world.edits.model.weighs = True
    return [calling(call(arguments=f'{{"path": "{n}"}}', call_id=f"n{n}")) for n in range(3)]


RESULTS = [ToolResult(f"{n}" * 14_000) for n in range(3)]


async def test_a_run_that_fills_the_window_goes_on_behind_a_summary(tmp_path: Path) -> None:
    async with acting(tmp_path, MadeUpTool(results=RESULTS)) as world:
        steps = filling(world)
        conversation = await world.edits.conversation()
        await world.edits.ask(conversation, "Hello.", number=1)
        result = await world.edits.ask(conversation, *steps, "All done.", number=2, mode="agent")
        run = run_of(result)
        assert (run["state"], len(run["calls"])) == ("done", 3)
        shortened = world.sent()
        assert "They spoke of gardens." in str(shortened)
        assert "Hello." not in str(shortened)
        assert "0000" not in str(shortened)
        assert "1111" not in str(shortened)
        assert "2222" in str(shortened)
        assert shortened[0] == world.sent(-2)[0]
        require_whole(shortened)
        assert any("sent as a summary" in notice for notice in result["notices"])
        await world.edits.ask(conversation, "Fine.", number=3)
        assert world.sent()[: len(shortened) - 1] == shortened[:-1]
        kept = await world.edits.history.session(conversation.session.session_id)
        assert kept is not None
        assert Session(kept).exchanges == conversation.session.exchanges
        assert [turn.run and len(turn.run.row["calls"]) for turn in kept.turns] == [None, 3, None]


async def test_a_run_is_shortened_as_often_as_it_fills_the_window(tmp_path: Path) -> None:
    results = [ToolResult(f"{n % 10}" * 14_000) for n in range(9)]
    async with acting(tmp_path, MadeUpTool(results=results)) as world:
        filling(world)
        steps = [calling(call(arguments=f'{{"path": "{n}"}}', call_id=f"n{n}")) for n in range(9)]
        conversation = await world.edits.conversation()
        result = await world.edits.ask(conversation, *steps, "All done.", mode="agent")
        assert (run_of(result)["state"], len(run_of(result)["calls"])) == ("done", 9)
        removals = conversation.session.log.removals
        assert len(removals) > 1
        assert {one.case for one in removals} == {"steps"}
        before, log = world.sent(), conversation.session.log
        require_whole(before)
        assert str(before).count("They spoke of gardens.") == 1
        assert log.sent_profile is not None
        last = last_request(conversation.session, log.sent_profile, world.runs.rules.toolbox.blocks)
        assert last is not None
        went_out = [list(request.messages) for request in world.requests]
        assert [prompt.messages() for prompt in last.prompts] == went_out
        await world.edits.ask(conversation, "Fine.", number=2)
        assert world.sent()[: len(before) - 1] == before[:-1]


async def test_a_run_that_cannot_be_summarized_sums_up_and_the_session_goes_on(
    tmp_path: Path,
) -> None:
    async with acting(tmp_path, MadeUpTool(results=RESULTS)) as world:
        edits, steps = world.edits, filling(world)
        edits.model.aside = "I can't."
        compactor = Compactor(edits.ports, edits.world.pages)
        conversation = await edits.conversation()
        result = await edits.ask(conversation, *steps, "So far.", mode="agent")
        run = run_of(result)
        assert (run["state"], len(run["calls"])) == ("limit", 3)
        assert "14,000 tokens" in run["reason"]
        await conversation.session.compaction.over()
        edits.model.aside = SUMMARY
        await compactor.compact_now(conversation)
        await conversation.session.compaction.over()
        await edits.ask(conversation, "Fine.", number=2, mode="agent")
        assert "They spoke of gardens." in str(world.sent())
        assert "1111" not in str(world.sent())
        require_whole(world.sent())
        await compactor.aclose()


async def test_without_compaction_a_run_that_fills_the_window_sums_up(tmp_path: Path) -> None:
    async with acting(tmp_path, MadeUpTool(results=RESULTS)) as world:
        edits, steps = world.edits, filling(world)
        switched = replace(edits.world.settings.history_compaction, enabled=False)
        edits.world.settings = replace(edits.world.settings, history_compaction=switched)
        conversation = await edits.conversation()
        result = await edits.ask(conversation, *steps, "So far.", mode="agent")
        assert run_of(result)["state"] == "limit"
        assert conversation.session.log.removals == ()
