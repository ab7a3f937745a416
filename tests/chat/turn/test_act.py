import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import pytest

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome
from jupyter_ac.chat.edits.edit_tracker import TrackedAnswer
from jupyter_ac.chat.ports import AgentRun, RunLimit, RunRequest, StepOutcome, TurnPorts
from jupyter_ac.chat.prompt.blocks import Block, Category
from jupyter_ac.chat.records import TurnState
from jupyter_ac.chat.run_record import RunRecord
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.tool_calls import ToolCall
from jupyter_ac.chat.turn.act import act
from jupyter_ac.chat.turn.pipeline import run
from jupyter_ac.chat.turn.turn import Question, Turn
from jupyter_ac.ids import ConversationKey, RepoPath
from jupyter_ac.models.client import CompletedAnswer, ModelInfo, Usage
from jupyter_ac.tool_rows import AgentMode
from tests.chat.memory import ADA, ScriptedModel, World, open_world
from tests.support.json_values import JsonValue

TOOLS = (Block(Category.TOOLS, '{"type":"function"}'),)
CALL = ToolCall("c1", "look", "{}")
AGAIN = ToolCall("c2", "look", '{"path":"a"}')


def answer(text: str, *calls: ToolCall, thought: str = "") -> CompletedAnswer:
    thinking = ({"type": "thinking", "thinking": thought, "signature": "s"},) if thought else ()
    ended = "tool_calls" if calls else "stop"
    return CompletedAnswer(text, ended, Usage(1, 1), calls=calls, thinking=thinking)


@dataclass
class ScriptedRun:
    """A run whose steps have these outcomes; the last is over."""

    outcomes: list[StepOutcome]
    may_edit: bool = True
    has_steps: bool = True
    seen: list[tuple[str, int]] = field(default_factory=list)

    def retried(self, _answer: CompletedAnswer) -> None:
        raise AssertionError

    def opening(self) -> Sequence[Block]:
        return [Block(Category.RUN, "[Run]\n")]

    async def edited(self, apply: Callable[[], Awaitable[None]]) -> None:
        await apply()

    async def in_context(self) -> Collection[RepoPath]:
        return ()

    async def decide(
        self, outcome: BlockOutcome, _text_end: int, _apply: Callable[[], Awaitable[BlockOutcome]]
    ) -> BlockOutcome:
        raise AssertionError(outcome)

    def refuse(self, limit: RunLimit) -> str:
        raise AssertionError(limit)

    async def close(self) -> None:
        self.seen.append(("closed", 0))

    async def step(
        self, given: CompletedAnswer, _tracked: TrackedAnswer, text_end: int
    ) -> StepOutcome:
        self.seen.append((given.text, text_end))
        return self.outcomes.pop(0)

    def record(self, _state: TurnState | None = None) -> RunRecord | None:
        return None


@dataclass
class ScriptedAgent:
    """Begins one run in each mode but `ask`."""

    run: ScriptedRun
    begun: list[RunRequest] = field(default_factory=list)

    def tools(
        self, _session: Session, mode: AgentMode, _info: ModelInfo | None
    ) -> tuple[Block, ...]:
        return TOOLS if mode != "ask" else ()

    async def begin(self, request: RunRequest) -> AgentRun | None:
        self.begun.append(request)
        return self.run if request.mode != "ask" else None


def world_of(*script: CompletedAnswer, outcomes: Sequence[StepOutcome]) -> tuple[World, TurnPorts]:
    world = open_world()
    world.model = ScriptedModel(script=script)
    return world, replace(world.ports(), agent=ScriptedAgent(ScriptedRun(list(outcomes))))


def asked(mode: AgentMode = "agent") -> Turn:
    conversation = Conversation(ConversationKey(ADA))
    return Turn.of(conversation, Question("1-a", "Why?", agent=mode))


def messages(world: World) -> list[JsonValue]:
    return [dict(message) for message in world.model.requests[-1].messages]


OVER = StepOutcome(is_over=True)


async def test_results_are_the_next_message_of_the_same_turn() -> None:
    first = StepOutcome([(CALL, "seen"), (AGAIN, "")], "Left: 3 steps.")
    script = answer("I look.", CALL, AGAIN, thought="Hm."), answer("So 😀.")
    world, ports = world_of(*script, outcomes=[first, OVER])
    turn = asked()
    await run(turn, ports)
    system, question, called, *results, left = messages(world)
    assert (system["role"], question["role"]) == ("system", "user")
    assert [part["text"] for part in question["content"]][:2] == ["[Run]\n", "Why?"]
    assert called["content"] == "I look."
    assert [one["id"] for one in called["tool_calls"]] == ["c1", "c2"]
    assert called["thinking_blocks"] == [{"type": "thinking", "thinking": "Hm.", "signature": "s"}]
    assert results == [
        {"role": "tool", "tool_call_id": "c1", "content": "seen"},
        {"role": "tool", "tool_call_id": "c2", "content": "(nothing)"},
    ]
    text = left["content"] if isinstance(left["content"], str) else left["content"][0]["text"]
    assert text == "Left: 3 steps."
    assert turn.context.stream.text == "I look.\n\nSo 😀."
    assert isinstance(turn.run, ScriptedRun)
    assert turn.run.seen == [("I look.", 7), ("So 😀.", 15)]
    assert [list(request.tools) for request in world.model.requests] == [[{"type": "function"}]] * 2


async def test_each_request_begins_with_the_one_before() -> None:
    steps = [StepOutcome([(CALL, "seen")], f"Left: {left}.") for left in (3, 2, 1)]
    world, ports = world_of(answer("Look.", CALL), outcomes=[*steps, OVER])
    await run(asked(), ports)
    sent = [list(request.messages) for request in world.model.requests]
    assert len(sent) == 4
    for before, after in pairwise(sent):
        assert after[: len(before) - 1] == before[:-1]


async def test_a_call_in_the_text_gets_its_result_in_a_frame() -> None:
    written = ToolCall("", "look", "{}")
    outcomes = [StepOutcome([(written, "seen")], "Left: 1."), OVER]
    world, ports = world_of(answer("🟦🟦🟦 CALL look"), answer("So."), outcomes=outcomes)
    await run(asked(), ports)
    called, results = messages(world)[-2:]
    assert called == {"role": "assistant", "content": "🟦🟦🟦 CALL look"}
    texts = [part["text"] for part in results["content"]]
    assert texts[:2] == ["Result of look\n```\nseen\n```\n", "Left: 1."]


async def test_pictures_come_with_the_results_only_once() -> None:
    outcomes = [
        StepOutcome([(CALL, "seen")], "Left: 2.", images=["shot.png"]),
        StepOutcome([(CALL, "seen")], "Left: 1."),
        OVER,
    ]
    world, ports = world_of(answer("Look.", CALL), outcomes=outcomes)
    await run(asked(), ports)
    pictures = [str(request.messages).count("image_file") for request in world.model.requests]
    assert pictures == [0, 1, 0]
    assert str(Path("/images/shot.png")) in str(world.model.requests[1].messages[-1])


@pytest.mark.parametrize(
    ("said", "whole"),
    [("So.", "So.\n\nThat is all."), ("", "That is all."), (" ", " That is all.")],
)
async def test_a_text_of_ours_stands_behind_the_answer(said: str, whole: str) -> None:
    outcome = StepOutcome(is_over=True, text="That is all.")
    _, ports = world_of(answer(said, CALL), outcomes=[outcome])
    turn = asked()
    await run(turn, ports)
    assert turn.context.stream.text == whole
    assert turn.answers.tracker.answers[-1].end == len(whole)


async def test_a_plain_question_has_no_steps() -> None:
    world, ports = world_of(answer("So.", CALL), outcomes=[])
    turn = asked("ask")
    await run(turn, ports)
    assert turn.run is None
    assert len(world.model.requests) == 1
    assert list(world.model.requests[0].tools) == []


async def test_the_run_knows_its_turn_and_the_log() -> None:
    _, ports = world_of(answer("So."), outcomes=[OVER])
    turn = asked("plan")
    await run(turn, ports)
    assert isinstance(ports.agent, ScriptedAgent)
    (request,) = ports.agent.begun
    assert (request.turn_id, request.request_id) == (turn.record.turn_id, "1-a")
    assert (request.mode, list(request.log)) == ("plan", [])
    assert request.stream is turn.context.stream


@pytest.mark.parametrize("is_stopped", [True, False])
async def test_nothing_is_called_after_a_stop(*, is_stopped: bool) -> None:
    _, ports = world_of(answer("So.", CALL), outcomes=[OVER, OVER])
    turn = asked()
    await run(turn, ports)
    stream = turn.context.stream
    stream.stopped, stream.interrupted = is_stopped, not is_stopped
    with pytest.raises(asyncio.CancelledError):
        await act(turn, ports)
