"""Streams of text, progress and time limits of a running call, the same at every door."""

import asyncio
from itertools import count

import pytest

from jupyter_ac.errors import Conflict, NotReady
from jupyter_ac.rpc.call_metrics import CallMetrics
from jupyter_ac.rpc.dialect import JRPC_OO
from jupyter_ac.rpc.dispatch import CallGuards
from jupyter_ac.rpc.methods import Access, Method, MethodTable, Namespace, method
from jupyter_ac.rpc.running_call import current_call
from jupyter_ac.rpc.text_streams import StreamReceiver
from tests.rpc.pairs import wired
from tests.rpc.stream_doors import DOORS, WAIT_S, Door, Json, Tap

at_each_door = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)

TEXT = [f"part {number} żółw\n" for number in range(200)]


LIMIT_MS, STEP_S, STEPS = 30_000, 20.0, 4


class Clock:
    """The time of the running loop, which can be put forward."""

    def __init__(self) -> None:
        self.late_s = 0.0
        self._time = asyncio.get_running_loop().time

    def time(self) -> float:
        return self._time() + self.late_s


class Writer:
    """A model that writes."""

    def __init__(self) -> None:
        self.goes_on = asyncio.Event()
        self.clock = Clock()

    @method(Access.EXECUTE)
    async def write(self, pause_s: float = 0.0) -> Json:
        async with current_call().stream() as stream:
            for part in TEXT:
                stream.write(part)
                await asyncio.sleep(pause_s)
        return {"text": "".join(TEXT)}

    @method(Access.EXECUTE)
    async def write_two(self) -> Json:
        call = current_call()
        async with call.stream() as one, call.stream() as two:
            for part in TEXT:
                one.write(part)
                two.write(part.upper())
        return {}

    @method(Access.EXECUTE)
    async def fail(self) -> None:
        async with current_call().stream() as stream:
            stream.write("as far as ")
            stream.write("this")
            raise Conflict("The model has gone.")

    @method(Access.EXECUTE)
    async def hang(self) -> None:
        async with current_call().stream() as stream:
            stream.write("begun")
            await self.goes_on.wait()

    @method(Access.EXECUTE)
    async def work(self, how: str, options: dict[str, object]) -> str:
        """Take more than twice as long as the limit, with a sign of life in between or without."""
        del options
        call = current_call()
        async with call.stream() as stream:
            for step in range(STEPS):
                self.clock.late_s += STEP_S
                # What is due by now is carried out.
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                if how == "part":
                    stream.write(".")
                elif how == "report":
                    call.report({"kind": "report", "percentage": step})
        return "done"


def methods(writer: Writer | None = None) -> dict[str, Method]:
    return dict(MethodTable(Namespace("W", writer or Writer())))


_IDS = count(1)


def call(name: str, **params: object) -> Json:
    return {"jsonrpc": "2.0", "id": next(_IDS), "method": f"W.{name}", "params": params}


def params_of(seen: list[Json], name: str) -> list[Json]:
    found = [message["params"] for message in seen if message["method"] == name]
    return [each for each in found if isinstance(each, dict)]


def received(seen: list[Json]) -> list[str]:
    """The whole texts of the streams, as the receiver puts them together."""
    receiver, texts = StreamReceiver(), list[str]()
    for message in seen:
        params = message["params"]
        assert isinstance(params, dict)
        match message["method"]:
            case "stream_start":
                receiver.start(params)
            case "stream_data":
                receiver.data(params)
            case "stream_end":
                texts.append(receiver.end(params))
    return texts


@at_each_door
@pytest.mark.parametrize("pause_s", [0.0, 0.001])
async def test_the_parts_are_the_text_of_the_result(door: Door, pause_s: float) -> None:
    async with door(methods(), CallGuards()) as tap:
        order = call("write", pause_s=pause_s)
        tap.send(order)
        seen, answer = await tap.until_answered()
        assert answer["result"] == {"text": "".join(TEXT)}
        assert received(seen) == ["".join(TEXT)]
        (start,), (end,) = params_of(seen, "stream_start"), params_of(seen, "stream_end")
        data = params_of(seen, "stream_data")
        assert start["task_id"] == order["id"]
        assert [each["sequence"] for each in data] == list(range(1, len(data) + 1))
        assert end == {"stream_id": start["stream_id"], "total_chunks": len(data), "status": "ok"}
        assert len(data) < len(TEXT)


@at_each_door
async def test_two_streams_of_one_call_are_kept_apart(door: Door) -> None:
    async with door(methods(), CallGuards()) as tap:
        tap.send(call("write_two"))
        seen, _ = await tap.until_answered()
        text = "".join(TEXT)
        assert sorted(received(seen)) == sorted([text, text.upper()])


@at_each_door
async def test_a_lost_part_is_noticed(door: Door) -> None:
    async with door(methods(), CallGuards()) as tap:
        tap.send(call("write"))
        seen, _ = await tap.until_answered()
        places = [at for at, each in enumerate(seen) if each["method"] == "stream_data"]
        assert len(places) > 2
        for lost in places:
            with pytest.raises(Conflict, match="is missing"):
                received(seen[:lost] + seen[lost + 1 :])


@at_each_door
async def test_an_error_ends_the_stream(door: Door) -> None:
    async with door(methods(), CallGuards()) as tap:
        tap.send(call("fail"))
        seen, answer = await tap.until_answered()
        assert received(seen) == ["as far as this"]
        assert params_of(seen, "stream_end")[0]["status"] == "error"
        error = answer["error"]
        assert isinstance(error, dict)
        assert (error["code"], error["data"]["details"]) == (-32000, "The model has gone.")


async def _cancelled(tap: Tap, order: Json) -> tuple[list[Json], Json]:
    tap.send(order)
    start = await tap.until("stream_start")
    assert start["task_id"] == order["id"]
    data = await tap.until("stream_data")
    assert data["chunk"] == "begun"
    tap.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": order["id"]}})
    return await tap.until_answered()


@pytest.mark.parametrize("door", [DOORS[name] for name in ("memory", "lines", "socket")])
async def test_a_cancelled_call_ends_its_stream(door: Door) -> None:
    async with door(methods(), CallGuards()) as tap:
        seen, answer = await _cancelled(tap, call("hang"))
        (end,) = params_of(seen, "stream_end")
        assert (end["status"], end["total_chunks"]) == ("cancelled", 1)
        error = answer["error"]
        assert isinstance(error, dict)
        assert error["code"] == -32800


async def test_a_call_of_a_post_is_cancelled_from_the_same_array() -> None:
    async with DOORS["post"](methods(), CallGuards()) as tap:
        order = call("hang")
        cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": order["id"]}}
        tap.send([order, cancel])
        seen, answer = await tap.until_answered()
        assert params_of(seen, "stream_end")[0]["status"] == "cancelled"
        error = answer["error"]
        assert isinstance(error, dict)
        assert error["code"] == -32800


@at_each_door
async def test_a_call_that_gives_no_sign_of_life_is_stopped(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = Writer()
    async with door(methods(writer), CallGuards()) as tap:
        monkeypatch.setattr(asyncio.get_running_loop(), "time", writer.clock.time)
        tap.send(call("work", how="nothing", options={"timeout_ms": LIMIT_MS}))
        seen, answer = await tap.until_answered()
        error = answer["error"]
        assert isinstance(error, dict)
        assert (error["code"], error["data"]["type"]) == (-32000, "TIMEOUT")
        assert params_of(seen, "stream_end")[0]["status"] == "error"


@at_each_door
@pytest.mark.parametrize("how", ["part", "report"])
async def test_a_sign_of_life_starts_the_limit_anew(
    door: Door, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = Writer()
    async with door(methods(writer), CallGuards()) as tap:
        monkeypatch.setattr(asyncio.get_running_loop(), "time", writer.clock.time)
        tap.send(call("work", how=how, options={"timeout_ms": LIMIT_MS}))
        seen, answer = await tap.until_answered()
        assert answer["result"] == "done"
        if how == "part":
            assert received(seen) == ["." * STEPS]
        else:
            reports = params_of(seen, "$/progress")
            assert [each["value"] for each in reports] == [
                {"kind": "report", "percentage": step} for step in range(STEPS)
            ]


@pytest.mark.parametrize("given", ["soon", True, 0, -1, 86_400_001, [1]])
async def test_a_time_limit_is_a_number(given: object) -> None:
    async with DOORS["memory"](methods(), CallGuards()) as tap:
        tap.send(call("work", how="", options={"timeout_ms": given}))
        _, answer = await tap.until_answered()
        error = answer["error"]
        assert isinstance(error, dict)
        assert error["code"] == -32602


@at_each_door
async def test_open_streams_are_counted(door: Door) -> None:
    writer, metrics = Writer(), CallMetrics()
    async with door(methods(writer), CallGuards(metrics=metrics)) as tap:
        tap.send(call("hang"))
        await tap.until("stream_data")
        assert metrics.streams_open == 1
        writer.goes_on.set()
        await tap.until_answered()
        assert metrics.streams_open == 0


async def test_jrpc_oo_gets_the_params_of_a_stream_as_an_argument() -> None:
    async with wired(methods(), profile=JRPC_OO) as (_, wire):
        wire.send({"jsonrpc": "2.0", "id": 7, "method": "W.write", "params": {"args": []}})
        seen: list[Json] = []
        while True:
            message = await wire.receive()
            assert isinstance(message, dict)
            if "method" not in message:
                break
            (params,) = message["params"]["args"]
            seen.append({**message, "params": params})
        assert received(seen) == ["".join(TEXT)]
        assert params_of(seen, "stream_start")[0]["task_id"] == 7


async def test_a_stream_ends_with_its_connection() -> None:
    metrics = CallMetrics()
    async with DOORS["memory"](methods(), CallGuards(metrics=metrics)) as tap:
        tap.send(call("hang"))
        await tap.until("stream_data")
    async with asyncio.timeout(WAIT_S):
        while metrics.streams_open:
            await asyncio.sleep(0.005)


def test_outside_of_a_call_there_is_none() -> None:
    with pytest.raises(NotReady):
        current_call()
