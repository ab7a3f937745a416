"""Lines that lose, delay and break: every call ends, and what was acknowledged stays."""

import asyncio
import hashlib
import random
from pathlib import Path

import pytest

from jupyter_ac.errors import ConnectionClosed, RemoteError, TimedOut
from tests.contract.contract import contract
from tests.contract.doors import Client, Door
from tests.contract.wires import Faults, FaultyWire
from tests.services.llm.pages import objects

CALL_S = 30.0
LOST_CALL_S = 1.5
CALLS = 40
CUTS = 4
seeds = pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.soak)])


@seeds
@contract
async def test_a_lossy_line_ends_every_call_and_undoes_nothing(door: Door, seed: int) -> None:
    contents = {f"lossy{seed}-{n}.txt": f"{n} " * 500 for n in range(CALLS)}
    request_id = f"lossy-{seed}"
    limit_s = CALL_S if door.repairs else LOST_CALL_S
    async with door.open("lossy", Faults(0.15, 0.02, seed)) as page:
        if door.repairs:
            await page.ready()
        calls = {
            name: asyncio.create_task(page.repo("create_file", name, text, timeout_s=limit_s))
            for name, text in contents.items()
        }
        asking = asyncio.create_task(
            page.peer.call("LLMService.chat_streaming", request_id, "Lossy?", timeout_s=limit_s)
        )
        async with asyncio.timeout(CALL_S + 20):
            await asyncio.wait({*calls.values(), asking})
        if isinstance(page.wire, FaultyWire):
            assert page.wire.lost > 0
        else:
            assert [call.exception() for call in (*calls.values(), asking)] == [None] * (CALLS + 1)
            await page.until(lambda page: bool(page.named("streamComplete")))
            assert page.streamed() == (await page.completion())["response"]
    for name, call in calls.items():
        path = door.folder.root / name
        if call.exception() is None:
            assert path.read_text() == contents[name]
        else:
            assert isinstance(call.exception(), TimedOut)
            assert not path.exists() or path.read_text() == contents[name]
    async with door.open("lossy") as page:
        await at_rest(page)
        if asking.exception() is None:
            assert asking.result() == {"status": "started"}
            await require_kept(page, request_id)


async def at_rest(page: Client) -> None:
    """Wait until no answer is being made."""
    async with asyncio.timeout(60):
        while (await page.ask("get_current_state"))["streaming_active"]:
            await asyncio.sleep(0.05)


async def require_kept(page: Client, request_id: str) -> None:
    """The question is in the history, and its answer is whole or says why it isn't."""
    messages = objects((await page.ask("get_current_state"))["messages"])
    question, answer = (m for m in messages if m["request_id"] == request_id)
    assert question["content"] == "Lossy?"
    assert answer["state"] == "done" or answer["error"]
    attached = await page.ask("attach_stream", request_id)
    assert (attached["done"], attached["text"]) == (True, answer["content"])


@contract
async def test_a_line_that_breaks_at_any_moment_loses_nothing_acknowledged(door: Door) -> None:
    chance = random.Random(7)
    target = door.folder.root / "breaking.txt"
    target.write_text(whole(0))
    acknowledged = 0
    for _ in range(CUTS):
        async with door.open("breaking") as page:
            writing = asyncio.create_task(write_on(page, target, acknowledged + 1))
            await asyncio.sleep(chance.uniform(0.02, 0.3))
            page.wire.cut()
            acknowledged = max(acknowledged, await asyncio.wait_for(writing, 30))
        found = target.read_text()  # once: the write under way may still come
        number = int(found.split()[0])
        assert found == whole(number), number
        assert number in {acknowledged, acknowledged + 1}
        acknowledged = number
    assert acknowledged > 0


async def write_on(page: Client, target: Path, number: int) -> int:
    """Write higher and higher numbers until the line breaks; give the last acknowledged one.

    Each over the one before, so that a write that was under way when an earlier line broke can't
    undo what came later.
    """
    while True:
        over = hashlib.sha256(whole(number - 1).encode()).hexdigest()
        try:
            await page.repo("write_file", "breaking.txt", whole(number), over)
        except ConnectionClosed:
            return number - 1
        except RemoteError as error:
            if error.remote_type != "conflict":
                raise
            assert target.read_text() == whole(number), number  # that write has come first
        number += 1


def whole(number: int) -> str:
    return f"{number} " * 2000


@contract
async def test_a_page_that_never_answers_delays_no_turn(door: Door) -> None:
    async with door.open("silent") as silent:
        await silent.ready()
        sending = silent.wire.send

        def send_no_answers(frame: str, *, newest_key: str | None = None) -> None:
            if '"method"' in frame:
                sending(frame, newest_key=newest_key)

        object.__setattr__(silent.wire, "send", send_no_answers)
        result = await silent.say("silent-1", "Are you there?")
        assert "error" not in result
        assert silent.streamed() == result["response"]
