from acp.helpers import start_tool_call, text_block, tool_content, update_agent_message_text
from acp.helpers import update_tool_call as news
from acp.schema import AgentMessageChunk, Cost, ImageContentBlock, ToolCallUpdate, UsageUpdate

from jupyter_ac.agent.limits import RunLimits
from jupyter_ac.ids import RequestId
from jupyter_ac.planner.acp_agents.agent_run import MAX_CALLS, MAX_NEWS, MAX_TEXT, AgentRun
from jupyter_ac.tool_rows import ToolUpdate

LIMITS = RunLimits(max_steps=25, max_tokens=400_000, max_usd=1.0, max_minutes=15)


def run_of(said: list[str], told: list[ToolUpdate]) -> AgentRun:
    return AgentRun(RequestId("r"), "agent", LIMITS, said.append, told.append)


def cost(amount: float, currency: str = "USD") -> UsageUpdate:
    made = Cost(amount=amount, currency=currency)
    return UsageUpdate(session_update="usage_update", used=1, size=2, cost=made)


def test_the_last_words_are_those_after_the_last_call() -> None:
    said: list[str] = []
    run = run_of(said, [])
    run.begin()
    run.said(update_agent_message_text("I look."))
    run.changed(start_tool_call("c", "Look"))
    run.said(update_agent_message_text(" Done"))
    run.changed(news("c", status="completed"))
    run.said(update_agent_message_text("."))
    picture = ImageContentBlock(type="image", data="", mime_type="image/png")
    run.said(AgentMessageChunk(session_update="agent_message_chunk", content=picture))
    assert run.words == "Done."
    assert said == ["I look.", " Done", "."]
    run.begin()
    assert run.words == ""


def test_only_so_much_is_kept_and_told() -> None:
    said: list[str] = []
    told: list[ToolUpdate] = []
    run = run_of(said, told)
    for _ in range(3):
        run.said(update_agent_message_text("x" * (MAX_TEXT // 2)))
    assert sum(map(len, said)) == MAX_TEXT
    for number in range(MAX_CALLS + 10):
        run.changed(start_tool_call(f"c{number}", "a"))
    for number in range(MAX_NEWS):
        run.changed(news("c0", title=f"b{number}"))
    assert len(told) == MAX_NEWS
    assert {each["call"]["call_id"] for each in told} == {f"c{n}" for n in range(MAX_CALLS)}


def test_a_call_is_told_as_it_changes() -> None:
    told: list[ToolUpdate] = []
    run = run_of([], told)
    run.begin()
    run.changed(start_tool_call("c", "Read\x1b it", kind="read", raw_input={"path": "a"}))
    run.changed(news("c", status="in_progress"))
    run.changed(news("c", status="in_progress"))
    content = [tool_content(text_block("y" * 5000))]
    run.changed(news("c", status="completed", content=content))
    rows = [each["call"] for each in told]
    assert [row["status"] for row in rows] == ["running", "done"]
    assert (rows[0]["tool"], rows[0]["title"]) == ("read", "Read it")
    assert (rows[0]["arguments"], rows[0]["step"]) == ('{"path": "a"}', 1)
    assert (len(rows[1]["result"]), rows[1]["left_out"]) == (4000, 1000)


def test_a_call_that_waits_for_the_user_does_not_run() -> None:
    told: list[ToolUpdate] = []
    run = run_of([], told)
    run.changed(ToolCallUpdate(tool_call_id="c", title="Ask"))
    run.report("c", status="waiting")
    run.changed(news("c", status="in_progress", title="Asked"))
    assert told[-1]["call"]["status"] == "waiting"
    run.report("unknown", status="done")
    run.ended("stopped", "Enough.")
    assert [each["call"]["status"] for each in told[2:] if "call" in each] == [
        "waiting",
        "cancelled",
    ]
    assert (told[-1]["run"]["state"], told[-1]["run"]["reason"]) == ("stopped", "Enough.")


def test_tokens_and_costs_are_those_of_each_prompt() -> None:
    run = run_of([], [])
    assert run.answered(0) == (0, 0.0)
    assert run.budget.used()["usd"] is None
    run.spent(cost(0.25))
    run.spent(cost(9.0, "EUR"))
    assert run.answered(100) == (100, 0.25)
    run.spent(cost(0.75))
    run.spent(cost(0.5))
    assert run.answered(150) == (50, 0.5)
    assert not run.is_too_costly
    run.spent(cost(1.5))
    assert run.is_too_costly
