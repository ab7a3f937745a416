"""The client with a real edge behind it: epochs, repeated calls, states, what may be called."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from jupyter_ac.errors import (
    AccessDenied,
    AcError,
    Busy,
    Conflict,
    ConnectionClosed,
    RemoteError,
    TimedOut,
)
from jupyter_ac.http_client import HttpClient
from jupyter_ac.rpc.dispatch import CallGuards
from jupyter_ac.rpc.repeated_calls import RepeatedCalls
from jupyter_ac.rpc.signatures import SignatureVerifier
from tests.http_client.edge_methods import PARTS, Edge, edge
from tests.support.edge_server import LOSE_ANSWER, LOSE_REQUEST, WAIT_S

STATE = {"connectionState": "disconnected", "epoch": 0}


@asynccontextmanager
async def calling(hmac_key: bytes | None = None) -> AsyncIterator[tuple[Edge, HttpClient]]:
    """A client that doesn't follow the state."""
    async with edge() as found:
        client = found.client(hmac_key=hmac_key)
        yield found, client
        await client.aclose()


async def until(is_true: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not is_true():
            await asyncio.sleep(0.005)


async def test_a_call_gives_its_result_and_shows_the_token() -> None:
    async with calling() as (found, client):
        assert await client.call("Work.add", {"number": 3}) == 3
        assert await client.call("Work.add", [4]) == 7
        assert found.server.headers[0]["Authorization"] == "token t"
        assert "epoch" not in found.server.sent[0]


async def test_an_error_has_its_code_and_its_data() -> None:
    async with calling() as (found, client):
        with pytest.raises(RemoteError, match="It has changed") as caught:
            await client.call("Work.fail")
        assert caught.value.remote_code == -32000
        assert caught.value.data == {"type": "conflict", "path": "a.py"}
        with pytest.raises(RemoteError) as caught:
            await client.call("clear", {"url": "u"})
        assert caught.value.remote_code == "INVALID_STATE"
        assert len(found.server.sent) == 2


async def test_the_epoch_of_each_answer_is_taken_and_sent() -> None:
    async with calling() as (found, client):
        await client.call("connect")
        assert client.epoch == 1
        assert await client.call("clear", {"url": "u"}) == "u"
        assert [each.get("epoch") for each in found.server.sent] == [None, 1]


async def test_the_epoch_of_an_error_is_taken_too() -> None:
    async with calling() as (found, client):
        found.server.targets.page.fire("start_connect")
        found.server.targets.page.fire("connect_success")
        with pytest.raises(RemoteError, match="requires state"):
            await client.call("connect")
        assert client.epoch == 1


async def test_a_stale_call_is_sent_once_more_at_once() -> None:
    async with calling() as (found, client):
        await client.call("connect")
        for trigger in ("force_disconnect", "start_connect", "connect_success"):
            found.server.targets.page.fire(trigger)
        assert await client.call("clear", {"url": "u"}) == "u"
        assert [each.get("epoch") for each in found.server.sent] == [None, 1, 2]
        assert client.epoch == 2
        assert found.waits.seconds == []


async def test_what_acts_in_a_page_is_not_done_in_the_next_one() -> None:
    async with calling() as (found, client):
        await client.call("connect")
        for trigger in ("force_disconnect", "start_connect", "connect_success"):
            found.server.targets.page.fire(trigger)
        with pytest.raises(RemoteError) as caught:
            await client.call("js", {"code": "1"})
        assert caught.value.remote_code == "STALE_EPOCH"
        assert [each.get("epoch") for each in found.server.sent] == [None, 1]


async def test_a_stale_call_for_another_target_gets_that_ones_epoch() -> None:
    async with calling() as (found, client):
        await client.call("connect")
        other = found.server.targets.add("other")
        for _ in range(3):
            for trigger in ("force_disconnect", "start_connect", "connect_success"):
                other.fire(trigger)
        params = {"url": "u", "target": "other"}
        assert await client.call("clear", params) == "u"
        assert [each.get("epoch") for each in found.server.sent] == [None, 1, 3]
        assert client.epoch == 1


async def test_a_call_that_stays_stale_fails() -> None:
    async with calling() as (found, client):
        await client.call("connect")
        target = found.server.targets.page
        reconnect = ("force_disconnect", "start_connect", "connect_success")
        sent = found.server.sent

        class Restless(list[dict[str, object]]):
            """The page is connected anew before each call."""

            def append(self, message: dict[str, object]) -> None:
                sent.append(message)
                for trigger in reconnect:
                    target.fire(trigger)

        found.server.sent = Restless()
        with pytest.raises(RemoteError) as caught:
            await client.call("clear", {"url": "u"})
        assert caught.value.remote_code == "STALE_EPOCH"
        assert len(sent) == 3


@pytest.mark.parametrize(
    "plan", [LOSE_REQUEST, LOSE_ANSWER, (503, {}), (429, {"Retry-After": "2"}), (502, {})]
)
async def test_a_call_that_got_lost_is_sent_again_and_done_once(
    plan: str | tuple[int, dict[str, str]],
) -> None:
    async with calling() as (found, client):
        found.server.plans.append(plan)
        assert await client.call("Work.add") == 1
        assert found.work.count == 1
        keys = {each["idempotency_key"] for each in found.server.sent}
        assert len(found.server.sent) == 2
        assert len(keys) == 1
        assert found.waits.seconds == [2.5 if plan == (429, {"Retry-After": "2"}) else 0.5]


async def test_a_call_is_tried_three_times() -> None:
    async with calling() as (found, client):
        found.server.plans.extend([LOSE_REQUEST] * 9)
        with pytest.raises(ConnectionClosed, match=r"Work\.add"):
            await client.call("Work.add")
        assert len(found.server.sent) == 3
        assert found.waits.seconds == [0.5, 1.0]


async def test_an_answer_that_may_pass_is_asked_for_again() -> None:
    async with calling() as (found, client):
        with pytest.raises(RemoteError, match="Another one runs") as caught:
            await client.call("Work.busy")
        assert caught.value.remote_type == "busy"
        assert found.work.count == 3


async def test_a_refusal_is_not_tried_again() -> None:
    async with calling() as (found, client):
        found.server.plans.append((403, {}))
        with pytest.raises(AccessDenied, match="as planned"):
            await client.call("Work.add")
        assert len(found.server.sent) == 1


async def test_a_pause_that_is_too_long_is_left_to_the_caller() -> None:
    async with calling() as (found, client):
        found.server.plans.append((429, {"Retry-After": "3600"}))
        with pytest.raises(Busy):
            await client.call("Work.add")
        assert found.waits.seconds == []


async def test_calls_with_the_same_key_are_done_once() -> None:
    async with calling() as (found, client):
        for _ in range(2):
            assert await client.call("Work.add", idempotency_key="k") == 1
        assert await client.call("Work.add") == 2
        assert [each["idempotency_key"] == "k" for each in found.server.sent] == [True, True, False]


async def test_a_call_without_an_answer_fails_after_its_time() -> None:
    async with calling() as (found, client):
        with pytest.raises(TimedOut, match=r"Work\.wait"):
            await client.call("Work.wait", timeout_s=0.05)
        assert found.waits.seconds == []


async def test_calls_are_signed_anew_each_time() -> None:
    key = b"k" * 32
    verifier = SignatureVerifier(key, required=True)
    guards = CallGuards(verifier=verifier, repeated=RepeatedCalls())
    async with edge(guards=guards) as found:
        found.server.plans.append(LOSE_ANSWER)
        client = found.client(hmac_key=key)
        assert await client.call("Work.add") == 1
        assert await client.call("Work.add") == 2
        await client.aclose()
        stranger = found.client(hmac_key=b"x" * 32)
        with pytest.raises(RemoteError, match="Authentication failed"):
            await stranger.call("Work.add")
        await stranger.aclose()


async def test_what_may_be_called_depends_on_the_state() -> None:
    async with edge() as found:
        found.server.state = STATE
        async with found.client() as client:
            assert client.state == STATE
            assert client.can_call("Work.read")
            assert not client.can_call("clear")
            assert not client.can_call("Work.unknown")
            assert client.canCall("Work.read")
            found.server.tell({"connectionState": "connected", "epoch": 4})
            await until(lambda: client.can_call("clear"))
            assert client.epoch == 4


async def test_reading_methods_have_no_key() -> None:
    async with edge() as found:
        found.server.state = STATE
        async with found.client() as client:
            await client.call("Work.read")
            await client.call("Work.add")
        keys = {str(each["method"]): "idempotency_key" in each for each in found.server.sent}
        assert keys == {"rpc.discover": False, "Work.read": False, "Work.add": True}


async def test_a_host_that_tells_nothing_of_itself_can_be_called() -> None:
    async with edge(discovers=False) as found:
        found.server.refusals.append(404)
        async with found.client() as client:
            assert (client.state, client.can_call("Work.read")) == ({}, False)
            assert await client.call("Work.read") == 0


async def test_a_host_that_cannot_be_reached_is_an_error() -> None:
    async with edge() as found:
        client = found.client()
    with pytest.raises(ConnectionClosed):
        await client.connect()
    await client.aclose()
    assert found.waits.seconds == [0.5, 1.0]


async def test_states_are_told_until_one_has_enough() -> None:
    async with edge() as found:
        found.server.state = STATE
        async with found.client() as client:
            seen: list[object] = []
            broken: list[object] = []

            def fails(state: object) -> None:
                broken.append(state)
                raise ValueError

            client.on("state", fails)
            end = client.on("state", seen.append)
            found.server.tell({"connectionState": "connecting", "epoch": 0})
            await until(lambda: bool(seen))
            end()
            end()
            found.server.tell({"connectionState": "connected", "epoch": 1})
            await until(lambda: client.epoch == 1)
            assert seen == [{"connectionState": "connecting", "epoch": 0}]
            assert len(broken) == 2


async def test_after_a_restart_the_state_is_followed_again() -> None:
    async with edge() as found:
        found.server.state = {"connectionState": "connected", "epoch": 9}
        async with found.client() as client:
            assert client.epoch == 9
            found.server.state = None
            found.server.break_streams()
            await found.server.opened(2)
            await until(lambda: client.epoch == 0)
            await client.call("Work.read")
            assert "epoch" not in found.server.sent[-1]
            found.server.tell(STATE)
            await until(lambda: client.state == STATE)


async def test_a_refused_stream_of_states_is_told() -> None:
    async with edge() as found:
        found.server.refusals.extend([503, 403])
        client = found.client()
        errors: list[AcError] = []
        client.on("error", errors.append)
        await client.connect()
        await until(lambda: bool(errors))
        assert isinstance(errors[0], AccessDenied)
        assert await client.call("Work.read") == 0
        await client.aclose()


async def test_the_parts_of_a_text_come_as_they_are_written() -> None:
    async with calling() as (_, client):
        reports: list[dict[str, object]] = []
        client.on("progress", reports.append)
        call = client.stream("Work.write")
        with pytest.raises(Conflict):
            _ = call.result
        parts = [part async for part in call]
        assert parts == list(PARTS)
        assert call.result == {"text": "".join(parts)}
        assert [each["value"] for each in reports] == [{"kind": "begin"}]


async def test_the_exchange_ends_when_nobody_reads_on() -> None:
    async with calling() as (found, client):
        async for part in client.stream("Work.write", {"how": "hang"}):
            assert part == PARTS[0]
            break
        assert await client.call("Work.read") == found.work.count
