import asyncio
from pathlib import Path

from jupyter_ac.agent.mcp_servers.server_questions import TOOL, ServerQuestions
from jupyter_ac.agent.tool import Question
from tests.agent.runs import LIMITS, RunWorld, run_world

QUESTION = Question("run db", why="It starts.", argv=("run", "db"), prefix=("run", "db"))


def questions_of(world: RunWorld) -> ServerQuestions:
    parts = world.parts
    return ServerQuestions(world.request(), world.approvals, LIMITS, parts.publish)


async def test_a_question_is_a_call_that_waits_and_then_has_its_answer(tmp_path: Path) -> None:
    world = await run_world(tmp_path)
    questions = questions_of(world)
    asking = asyncio.create_task(questions.ask("db: run db", QUESTION))
    assert await world.decide(allow=True) == "run db"
    assert await asking == "once"
    assert [row["status"] for row in world.rows()] == ["waiting", "done"]
    (row,) = questions.rows
    assert (row["tool"], row["step"], row["title"]) == (TOOL, 1, "db: run db")
    assert questions.row()["calls"] == [row]
    assert world.told[0]["run"]["state"] == "running"


async def test_a_refusal_and_a_failure_say_why(tmp_path: Path) -> None:
    world = await run_world(tmp_path)
    questions = questions_of(world)
    asking = asyncio.create_task(questions.ask("db: run db", QUESTION))
    await world.decide(allow=False, text="not this one")
    assert await asking is None
    questions.failed("web: run web", "It has ended.")
    refused, failed = questions.rows
    assert (refused["status"], failed["status"]) == ("refused", "failed")
    assert "not this one" in refused["reason"]
    assert failed["reason"] == "It has ended."
    assert refused["call_id"] != failed["call_id"]


async def test_without_a_front_end_it_is_refused(tmp_path: Path) -> None:
    world = await run_world(tmp_path)
    world.is_watched = False
    assert await questions_of(world).ask("db: run db", QUESTION) is None
