"""HTTP over a line that loses, delays and breaks: every call ends, none is done twice.

The calls are made by the product's client, whose own attempts count; who still has no answer calls
again with the same key.
"""

import asyncio
import hashlib
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from functools import partial

import pytest

from jupyter_ac.errors import ConnectionClosed, RemoteError, TimedOut
from jupyter_ac.http_client import HttpClient, state_feed
from tests.contract.contract import contract
from tests.contract.doors import Door, HostEnvironment, StandaloneDoor
from tests.contract.http_wire import HttpWire, http_wire
from tests.contract.wires import Faults
from tests.services.llm.pages import objects
from tests.support.event_source import following
from tests.support.model_process import BackgroundLoop
from tests.support.repositories import make_repository

LOST_CALL_S = 1.0
LONGEST_S = 30.0
CALLS = 40
WRITES = 20
CHANGES = 20
LOSSY = Faults(drop=0.04, delay_s=0.02)
BREAKING = Faults(cut=0.15, delay_s=0.02)
BOTH = Faults(drop=0.02, delay_s=0.02, cut=0.1)
FILES: list[set[str]] = [set(), {"a.py"}, {"b.py"}, {"a.py", "b.py"}]
LAST = 3
faulty = pytest.mark.parametrize(
    "faults", [LOSSY, BREAKING, BOTH], ids=["lossy", "breaking", "both"]
)


@pytest.fixture(scope="module")
def door(
    background: BackgroundLoop,
    host_environment: HostEnvironment,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[StandaloneDoor]:
    """Only this door answers HTTP's requests of clients without a login."""
    place = tmp_path_factory.mktemp("http")
    folder = make_repository(place / "garden", {"a.py": "print(1)\n", "b.py": "print(2)\n"})
    opened = StandaloneDoor(background, folder, host_environment(place / "home"))
    opened.run(opened.start())
    yield opened
    opened.run(opened.aclose())


@asynccontextmanager
async def wire_to(door: Door, faults: Faults) -> AsyncIterator[tuple[HttpWire, HttpClient]]:
    """A faulty line to the door's server, and a client on it that isn't connected."""
    assert isinstance(door, StandaloneDoor)
    assert door.server.port is not None
    async with http_wire(door.server.port, faults) as wire:
        client = wire.client(door.server.token, LOST_CALL_S)
        try:
            yield wire, client
        finally:
            await client.aclose()


async def acknowledged(client: HttpClient, key: str, method: str, **params: object) -> object:
    """Call with one key until there is an answer; nothing else than the line may fail."""
    limit_s = LOST_CALL_S
    while True:
        try:
            return await client.call(method, params, timeout_s=limit_s, idempotency_key=key)
        except TimedOut:
            limit_s = min(limit_s * 1.3, LONGEST_S)  # who is slow gets more time
        except ConnectionClosed:
            pass


@faulty
@contract
async def test_each_call_is_done_once_however_often_it_is_sent(door: Door, faults: Faults) -> None:
    contents = {f"once-{faults.drop}-{faults.cut}-{n}.txt": f"{n} " * 500 for n in range(CALLS)}
    async with wire_to(door, faults) as (wire, client):
        calls = [
            # Done a second time, it would fail: the file is there.
            acknowledged(client, path, "Repo.create_file", path=path, content=text)
            for path, text in contents.items()
        ]
        await asyncio.gather(*calls)
        assert (wire.lost > 0, wire.broken > 0) == (faults.drop > 0, faults.cut > 0)
    for path, text in contents.items():
        assert (door.folder.root / path).read_text() == text


@faulty
@contract
async def test_what_was_acknowledged_stays_and_is_overwritten_by_no_late_call(
    door: Door, faults: Faults
) -> None:
    target = door.folder.root / "breaking.txt"
    target.write_text(whole(0))
    chance = random.Random(7)
    async with wire_to(door, faults) as (wire, client):
        for number in range(1, WRITES):
            cutting = asyncio.get_running_loop().call_later(chance.uniform(0, 0.1), wire.cut)
            over = hashlib.sha256(whole(number - 1).encode()).hexdigest()
            params = {"path": "breaking.txt", "content": whole(number), "expected_hash": over}
            key = f"write-{faults.drop}-{faults.cut}-{number}"
            await acknowledged(client, key, "Repo.write_file", **params)
            cutting.cancel()
            assert target.read_text() == whole(number), number


@faulty
@contract
async def test_every_pending_call_ends(door: Door, faults: Faults) -> None:
    """Without a key of the caller, whole or as a stream: with an answer, or because of the line."""
    async with wire_to(door, faults) as (_, client):

        async def stream() -> object:
            call = client.stream("Repo.get_file_content", {"path": "a.py"})
            assert [part async for part in call] == []
            return call.result

        reading = [client.call("Repo.get_file_content", {"path": "a.py"}) for _ in range(CALLS)]
        found = await asyncio.gather(
            *reading, *(stream() for _ in range(CALLS)), return_exceptions=True
        )
    answers = [each for each in found if not isinstance(each, BaseException)]
    failures = [each for each in found if isinstance(each, BaseException)]
    assert set(answers) <= {"print(1)\n"}  # on a busy machine the time may be up for all of them
    assert failures
    assert {type(each) for each in failures} <= {TimedOut, ConnectionClosed}


@faulty
@contract
async def test_a_question_is_asked_once_and_its_answer_is_kept(door: Door, faults: Faults) -> None:
    request_id = f"once-{faults.drop}-{faults.cut}"
    async with wire_to(door, faults) as (_, client):
        asked = {"request_id": request_id, "message": "Lossy?"}
        for _ in range(3):
            result = await acknowledged(client, request_id, "LLMService.chat_streaming", **asked)
            assert result == {"status": "started"}
        async with asyncio.timeout(60):
            while (state := await present_state(client))["streaming_active"]:
                await asyncio.sleep(0.05)
    question, answer = (
        each for each in objects(state["messages"]) if each["request_id"] == request_id
    )
    assert question["content"] == "Lossy?"
    assert answer["state"] == "done" or answer["error"]


async def present_state(client: HttpClient) -> dict[str, object]:
    """Read the state, as often as it takes."""
    while True:
        try:
            found = await client.call("LLMService.get_current_state")
        except (TimedOut, ConnectionClosed):
            continue
        assert isinstance(found, dict)
        return found


@faulty
@contract
async def test_the_client_learns_the_newest_state(door: Door, faults: Faults) -> None:
    with pytest.MonkeyPatch.context() as patch:
        # Instead of 90 s: silence is noticed by its length only.
        patch.setattr(state_feed, "SILENT_S", 1.0)
        async with wire_to(door, faults) as (wire, client):
            seen: list[int] = []
            client.on("state", lambda state: seen.append(state["revision"]))
            while not client.state:
                try:
                    await client.connect()
                except (TimedOut, ConnectionClosed):
                    continue
                break
            for number in range(CHANGES):
                await select(client, f"states-{faults.drop}-{faults.cut}-{number}", number % 3)
                if number % 5 == 0:
                    wire.cut()
            await select(client, f"states-{faults.drop}-{faults.cut}-last", LAST)
            async with asyncio.timeout(60):
                while selected(client.state) != FILES[LAST]:
                    await asyncio.sleep(0.01)
            assert seen == sorted(seen)


@contract
async def test_changes_of_the_state_that_a_broken_line_missed_come_by_the_last_id(
    door: Door,
) -> None:
    """Each frame has only what has changed; put together they are the whole state."""
    assert isinstance(door, StandaloneDoor)
    assert door.server.port is not None
    path = f"/events?token={door.server.token}"
    async with wire_to(door, Faults(cut=0.1, delay_s=0.01)) as (wire, client):
        follower = Follower(wire.port, f"{path}&delta=1")
        following_it = asyncio.create_task(follower.run())
        await select(client, "deltas-first", LAST)
        for number in range(CHANGES):
            await select(client, f"deltas-{number}", number % 3)
            if number % 5 == 0:
                more = follower.connections + 1
                wire.cut()
                await follower.until(partial(follower.has_connected, more))
        await select(client, "deltas-last", LAST)
        await follower.until(lambda: selected(follower.state) == FILES[LAST])
        following_it.cancel()
        await asyncio.wait({following_it})
    async with following(door.server.port, path) as source:
        entire = await source.event()
    assert follower.state | {"delta": True} == entire | {"delta": True}


class Follower:
    """Follows changes of the state, and takes up again where the line broke."""

    def __init__(self, port: int, path: str) -> None:
        self.state: dict[str, object] = {}
        self.connections = 0
        self._port = port
        self._path = path
        self._came = asyncio.Event()

    async def run(self) -> None:
        last_id = ""
        while True:
            resuming = [f"Last-Event-ID: {last_id}"] if last_id else []
            with suppress(EOFError, ConnectionError):
                async with following(self._port, self._path, *resuming) as source:
                    assert source.status == 200
                    self.connections += 1
                    self._came.set()
                    while True:
                        self.state |= await source.event()
                        last_id = source.last_id
                        self._came.set()

    def has_connected(self, times: int) -> bool:
        return self.connections >= times

    async def until(self, is_true: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not is_true():
                self._came.clear()
                await self._came.wait()


async def select(client: HttpClient, key: str, number: int) -> None:
    """Tick the files of a number."""
    files = sorted(FILES[number])
    await acknowledged(client, key, "LLMService.set_selected_files", files=files)


def selected(state: dict[str, object]) -> set[str] | None:
    """The ticked files of a state; None before the first one."""
    conversation = state.get("conversation")
    return set(conversation["selected_files"]) if isinstance(conversation, dict) else None


@contract
async def test_a_call_that_failed_at_the_host_says_so_through_a_broken_line(door: Door) -> None:
    async with wire_to(door, BREAKING) as (_, client):
        with pytest.raises(RemoteError) as caught:
            await acknowledged(client, "missing", "Repo.get_file_content", path="missing.py")
        assert caught.value.remote_type == "not_found"


def whole(number: int) -> str:
    return f"{number} " * 500
