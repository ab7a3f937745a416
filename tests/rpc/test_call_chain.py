"""The chain around a call through whole peers: order of the checks, states, epochs, limits."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest

from jupyter_ac.errors import NotFound
from jupyter_ac.rpc.call_metrics import CallMetrics
from jupyter_ac.rpc.context import Caller, Remote
from jupyter_ac.rpc.dialect import BY_METHOD, EPOCH, JRPC_OO, JSONRPC2, PLANNER, WireDialect
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.dispatch import CallGuards
from jupyter_ac.rpc.methods import Access, CallRules, MethodTable, Namespace, method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.repeated_calls import RepeatedCalls
from jupyter_ac.rpc.running_call import current_call
from jupyter_ac.rpc.signatures import SignatureVerifier, sign
from jupyter_ac.rpc.target_states import TargetStates
from jupyter_ac.rpc.token_bucket import RateLimiter
from tests.rpc.pairs import Wire, running

CONNECTED = ("connected", "inspecting")


class Browser:
    """Methods with the rules of seed 003, whose work the test controls."""

    def __init__(self) -> None:
        self.begun = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.error: Exception | None = None

    @method(Access.EXECUTE, rules=CallRules(trigger="start_connect", changes_state=True))
    async def connect(self, page: int = 0) -> dict[str, object]:
        """Connect to a page."""
        self.begun += 1
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        target = current_call().target
        assert target is not None
        target.fire("connect_success")
        return {"connected": True, "page": page}

    @method(Access.READ, rules=CallRules(requires_state=CONNECTED))
    async def network(self, limit: int = 50) -> dict[str, object]:
        """List requests."""
        return {"requests": [], "limit": limit}

    @method(Access.WRITE, rules=CallRules(requires_state=CONNECTED, changes_state=True))
    async def clear(self, target: str = "") -> dict[str, object]:
        """Forget what was recorded."""
        return {"cleared": [target]}

    @method(Access.READ)
    async def status(self) -> dict[str, object]:
        """Return the state."""
        return {}


class Work:
    """Methods of other kinds."""

    def __init__(self) -> None:
        self.done = 0

    @method(Access.READ, rules=CallRules(is_billed=True))
    async def ask(self, text: str) -> str:
        """Cost money."""
        self.done += 1
        return text

    @method(Access.READ)
    def add(self, one: int, two: int = 1) -> int:
        """Be plain."""
        self.done += 1
        return one + two

    @method(Access.READ, rules=CallRules(time_limit_s=0.05))
    async def sleep(self, steps: int = 0, options: dict[str, object] | None = None) -> str:
        """Report now and then, then wait for ever."""
        del options
        for step in range(steps):
            current_call().report({"kind": "report", "percentage": step})
        await asyncio.Event().wait()
        return ""


def methods(browser: Browser, work: Work) -> MethodTable:
    return MethodTable(Namespace("", browser), Namespace("Browser", browser), Namespace("T", work))


@dataclass(frozen=True)
class Answer:
    """An answer, taken apart; what it doesn't have is None."""

    message: dict[str, object]
    id: object
    result: object
    epoch: object
    error: dict[str, object]
    code: object
    data: dict[str, object]

    @classmethod
    def of(cls, message: object) -> "Answer":
        assert isinstance(message, dict)
        error = message.get("error") or {}
        return cls(
            message,
            message.get("id"),
            message.get("result"),
            message.get("epoch"),
            error,
            error.get("code"),
            error.get("data") or {},
        )


class World:
    """A peer with all guards, and raw frames to it."""

    def __init__(self, profile: WireDialect, guards: CallGuards, remote: Remote) -> None:
        self.browser, self.work = Browser(), Work()
        self.targets = guards.targets or TargetStates()
        ours, theirs = direct_pair()
        self.wire = Wire(theirs)
        self.peer = Peer(
            ours,
            methods(self.browser, self.work),
            profile=profile,
            guards=replace(guards, targets=self.targets),
            remote=remote,
        )
        self.profile = profile

    async def ask(self, name: str, params: object = None, **members: object) -> Answer:
        message = {"jsonrpc": "2.0", "id": 1, "method": name, **members}
        if params is not None:
            message["params"] = params
        return Answer.of(await self.wire.ask(message))

    async def next(self) -> Answer:
        return Answer.of(await self.wire.receive())


@asynccontextmanager
async def world(
    profile: WireDialect = BY_METHOD,
    guards: CallGuards | None = None,
    remote: Remote | None = None,
) -> AsyncIterator[World]:
    made = World(profile, guards or CallGuards(), remote or Remote())
    async with running(made.peer):
        if profile is JRPC_OO:
            await made.wire.receive()
        yield made


async def test_a_page_is_connected_and_its_epoch_counted() -> None:
    async with world() as page:
        refused = await page.ask("network")
        assert refused.error == {
            "code": "INVALID_STATE",
            "message": "Method network requires state ['connected', 'inspecting'], "
            "current: disconnected",
            "data": {"current_state": "disconnected", "required_states": list(CONNECTED)},
        }
        assert refused.epoch == 0
        assert (await page.ask("connect", {"page": 3}, id="a")).message == {
            "jsonrpc": "2.0",
            "id": "a",
            "result": {"connected": True, "page": 3},
            "epoch": 1,
        }
        assert (await page.ask("network", {"limit": 2}, epoch=1)).result == {
            "requests": [],
            "limit": 2,
        }
        again = await page.ask("connect")
        assert again.data["required_states"] == ["disconnected"]


async def test_only_methods_that_change_the_state_refuse_an_earlier_epoch() -> None:
    async with world() as page:
        await page.ask("connect")
        assert (await page.ask("network", epoch=0)).result is not None
        stale = await page.ask("clear", epoch=0)
        assert stale.code == "STALE_EPOCH"
        assert stale.data == {"request_epoch": 0, "current_epoch": 1}
        assert (await page.ask("clear", epoch=1)).result is not None
        assert (await page.ask("clear")).result is not None
        for odd in ("1", 1.5, True, [1]):
            answer = await page.ask("clear", epoch=odd)
            assert answer.code == "INVALID_PARAMS"


async def test_a_wrong_state_is_said_before_a_stale_epoch() -> None:
    async with world() as page:
        answer = await page.ask("clear", epoch=7)
        assert answer.code == "INVALID_STATE"


async def test_of_fifty_that_race_one_wins() -> None:
    async with world() as page:
        page.browser.gate.clear()
        for number in range(50):
            page.wire.send({"jsonrpc": "2.0", "id": number, "method": "connect"})
        lost = [await page.next() for _ in range(49)]
        assert {str(each.data) for each in lost} == {
            str({"current_state": "connecting", "required_states": ["disconnected"]})
        }
        page.browser.gate.set()
        won = await page.next()
        assert won.epoch == 1
        assert page.browser.begun == 1


async def test_wrong_parameters_and_failures_leave_the_state_as_it_was() -> None:
    async with world() as page:
        wrong = await page.ask("connect", {"page": "three"})
        assert wrong.code == "INVALID_PARAMS"
        assert (page.targets.state, page.browser.begun) == ("disconnected", 0)
        for error in (NotFound("gone"), RuntimeError("oh"), OSError("ah")):
            page.browser.error = error
            assert (await page.ask("connect")).error
            assert page.targets.state == "disconnected"
        page.browser.error = None
        assert (await page.ask("connect")).epoch == 1


async def test_a_cancelled_connect_does_not_strand_its_target() -> None:
    async with world() as page:
        page.browser.gate.clear()
        page.wire.send({"jsonrpc": "2.0", "id": 9, "method": "connect"})
        while page.targets.state != "connecting":
            await asyncio.sleep(0)
        page.wire.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 9}})
        answer = await page.next()
        assert answer.code == "CANCELLED"
        assert page.targets.state == "disconnected"


async def test_each_target_has_its_own_state() -> None:
    async with world() as page:
        await page.ask("connect")
        page.targets.add("two")
        answer = await page.ask("clear", {"target": "two"})
        assert answer.data["current_state"] == "disconnected"
        assert (await page.ask("clear", {"target": ""})).result is not None
        assert (await page.ask("clear", {"target": "x"})).code == "INVALID_PARAMS"


async def test_jrpc_oo_passes_the_epoch_as_a_last_argument() -> None:
    async with world(JRPC_OO) as page:
        await page.ask("Browser.connect", {"args": []})
        assert (await page.ask("Browser.clear", {"args": ["", 1]})).result is not None
        stale = await page.ask("Browser.clear", {"args": ["", 0]})
        assert (stale.code, stale.data["type"]) == (-32000, "stale_epoch")
        assert stale.epoch is None


async def test_a_profile_fixes_the_form_of_all_answers() -> None:
    async with world(EPOCH) as page:
        assert (await page.ask("T.add", [1])).epoch == 0
        assert (await page.ask("nope")).code == "METHOD_NOT_FOUND"
    async with world(PLANNER) as page:
        assert (await page.ask("status")).result == {}
        assert (await page.ask("nope", epoch=3)).data["recovery_suggestions"]
    async with world(JSONRPC2) as page:
        assert (await page.ask("status", epoch=3)).epoch is None
        assert (await page.ask("connect", [1, 2])).code == -32602


async def test_a_batch_has_the_form_of_each_call() -> None:
    async with world() as page:
        answers = await page.wire.ask(
            [
                {"jsonrpc": "2.0", "id": 1, "method": "T.add", "params": [1]},
                {"jsonrpc": "2.0", "id": 2, "method": "status"},
                {"jsonrpc": "2.0", "id": 3, "method": "execute_task"},
                {"jsonrpc": "2.0", "id": 4, "method": "T.nope"},
                {"jsonrpc": "1.0", "id": 5, "method": "browser.clear"},
                {"jsonrpc": "2.0", "method": "status"},
            ]
        )
        assert isinstance(answers, list)
        by_id = {each["id"]: Answer.of(each) for each in answers}
        assert len(by_id) == 5
        assert by_id[1].result == 2
        assert by_id[2].epoch == 0
        assert "recovery_suggestions" in by_id[3].data
        assert by_id[4].code == -32601
        assert (by_id[5].code, by_id[5].epoch) == ("INVALID_REQUEST", 0)


async def test_signatures_come_first_and_are_used_once() -> None:
    key = b"k" * 32
    guards = CallGuards(verifier=SignatureVerifier(key, required=True))
    async with world(guards=guards) as page:
        message: dict[str, object] = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "T.add",
            "params": [1],
        }
        unsigned = Answer.of(await page.wire.ask(message))
        assert unsigned.error == {
            "code": -32003,
            "message": "Authentication failed",
            "data": {"type": "signature"},
        }
        assert (await page.ask("nope")).code == -32003
        signed = {**message, "auth": sign(key, message, int(time.time()), "n")}
        assert await page.wire.ask(signed) == {"jsonrpc": "2.0", "id": 1, "result": 2}
        again = Answer.of(await page.wire.ask(signed))
        assert again.code == -32003
        large = {**message, "params": [1], "padding": "x" * 100_000}
        large["auth"] = sign(key, large, int(time.time()), "m")
        assert await page.wire.ask(large) == {"jsonrpc": "2.0", "id": 1, "result": 2}
        assert page.work.done == 2
        order = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 5}}
        page.browser.gate.clear()
        connect: dict[str, object] = {"jsonrpc": "2.0", "id": 5, "method": "connect"}
        connect["auth"] = sign(key, connect, int(time.time()), "o")
        page.wire.send(connect)
        page.wire.send(order)
        page.wire.send({**order, "auth": sign(key, order, int(time.time()), "p")})
        assert (await page.next()).code == "CANCELLED"
    for signs in (True, False):
        async with world(JRPC_OO, guards, Remote(signs=signs)) as page:
            answer = await page.ask("T.add", {"args": [1]})
            assert answer.code == (-32003 if signs else None)


async def test_what_costs_money_is_limited_and_counted() -> None:
    metrics = CallMetrics(["T.ask", "T.add"])
    limiter = RateLimiter({"T.add": 2}, clock=lambda: 0.0)
    async with world(guards=CallGuards(limiter=limiter, metrics=metrics)) as page:
        for _ in range(60):
            assert (await page.ask("T.ask", ["x"])).result == "x"
        limited = await page.ask("T.ask", ["x"])
        assert limited.code == -32002
        assert limited.data["retry_after_ms"] == 1000
        assert page.work.done == 60
        # Wrong parameters count as well, and the limit is said first.
        assert [(await page.ask("T.add", ["x"])).code for _ in range(3)] == [
            -32602,
            -32602,
            -32002,
        ]
    counted = {row["method"]: row for row in metrics.summary()["methods"]}
    assert (counted["T.ask"]["success"], counted["T.ask"]["rate_limited"]) == (60, 1)
    assert metrics.summary()["bytes_in"] > 0
    assert metrics.summary()["errors"]["rate_limited"] == 2


async def test_a_repeated_call_is_done_once() -> None:
    metrics = CallMetrics(["T.ask"])
    guards = CallGuards(repeated=RepeatedCalls(), metrics=metrics)
    async with world(guards=guards) as page:
        for _ in range(3):
            assert (await page.ask("T.ask", ["x"], idempotency_key="k")).result == "x"
        assert page.work.done == 1
        assert (await page.ask("T.ask", ["y"], idempotency_key="l")).result == "y"
        assert (await page.ask("T.ask", ["y"], idempotency_key=5)).code == -32602
    assert metrics.summary()["methods"][0]["retries"] == 2


async def test_a_keyed_call_outlives_its_connection() -> None:
    guards = CallGuards(repeated=RepeatedCalls())
    browser, work = Browser(), Work()
    browser.gate.clear()
    table, targets = methods(browser, work), TargetStates()
    message = {"jsonrpc": "2.0", "id": 1, "method": "connect", "idempotency_key": "k"}
    for attempt in range(2):
        ours, theirs = direct_pair()
        wire = Wire(theirs)
        peer = Peer(ours, table, profile=BY_METHOD, guards=replace(guards, targets=targets))
        async with running(peer):
            wire.send(message)
            while targets.state != "connecting" and not attempt:
                await asyncio.sleep(0)
            if attempt:
                browser.gate.set()
                answer = Answer.of(await wire.receive())
                assert (answer.result, answer.epoch) == ({"connected": True, "page": 0}, 1)
    assert browser.begun == 1


async def test_what_is_no_call_is_counted_too() -> None:
    metrics = CallMetrics(["T.add"])
    async with world(guards=CallGuards(metrics=metrics)) as page:
        for frame in ("{", "[]", "5", '{"jsonrpc":"1.0","method":"T.add","id":1}'):
            await page.wire.ask(frame)
        await page.ask("network")
    summary = metrics.summary()
    assert summary["errors"] == {"parse_error": 1, "invalid_request": 3, "invalid_state": 1}
    assert summary["bytes_out"] > 100


async def test_without_a_login_what_needs_one_is_refused() -> None:
    browser = Browser()
    table = MethodTable(Namespace("Browser", browser, needs_login=True))
    for has_login in (True, False):
        ours, theirs = direct_pair()
        wire = Wire(theirs)
        remote = Remote(has_login=has_login)
        async with running(Peer(ours, table, profile=JSONRPC2, remote=remote)):
            message = {"jsonrpc": "2.0", "id": 1, "method": "Browser.status"}
            answer = Answer.of(await wire.ask(message))
            assert (answer.result == {}) is has_login
            if not has_login:
                assert answer.data["type"] == "access_denied"
                assert "--no-token" in str(answer.error["message"])


async def test_access_comes_before_parameters_and_state() -> None:
    def authorize(_caller: Caller, access: Access) -> bool:
        return access is Access.READ

    async with world(guards=CallGuards(authorize=authorize)) as page:
        for params in ({"page": "x"}, {}):
            answer = await page.ask("connect", params)
            assert answer.code == "ACCESS_DENIED"
        assert page.targets.state == "disconnected"


async def test_a_call_is_stopped_when_nothing_comes_of_it() -> None:
    async with world() as page:
        answer = await page.ask("T.sleep")
        assert answer.data["type"] == "timeout"
        answer = await page.ask("T.sleep", {"options": {"timeout_ms": 1}})
        assert "0.001 s" in str(answer.error["message"])
        for odd in (0, -1, "5", True, 1e12, [1]):
            answer = await page.ask("T.sleep", {"options": {"timeout_ms": odd}})
            assert answer.code == -32602, odd


async def test_progress_is_reported_under_the_id_or_the_given_token() -> None:
    async with world() as page:
        page.wire.send({"jsonrpc": "2.0", "id": 7, "method": "T.sleep", "params": [1]})
        assert await page.wire.receive() == {
            "jsonrpc": "2.0",
            "method": "$/progress",
            "params": {"token": 7, "value": {"kind": "report", "percentage": 0}},
        }
        await page.wire.receive()


@pytest.mark.parametrize("profile", [JSONRPC2, JRPC_OO], ids=lambda profile: profile.name)
async def test_a_call_is_cancelled_by_its_id(profile: WireDialect) -> None:
    async with world(profile) as page:
        page.browser.gate.clear()
        name = "Browser.connect"
        for call_id in (5, "5"):
            page.wire.send({"jsonrpc": "2.0", "id": call_id, "method": name, "params": {}})
            await asyncio.sleep(0)
            page.targets.page.fire("force_disconnect")
        params: object = {"args": [{"id": "5"}]} if profile is JRPC_OO else {"id": "5"}
        page.wire.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": params})
        answer = await page.next()
        assert (answer.id, answer.code) == ("5", -32800)
        page.browser.error = NotFound("x")
        page.browser.gate.set()
        other = await page.next()
        assert other.id == 5
        # What is unknown or odd is ignored.
        odd: object
        for odd in ({"id": 77}, {}, [], {"id": [5]}, {"id": None}):
            page.wire.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": odd})
        assert (await page.ask("Browser.status", {})).result is not None


async def test_the_meta_member_of_mcp_is_no_argument() -> None:
    async with world() as page:
        assert (await page.ask("T.add", {"one": 1, "_meta": {"progressToken": "t"}})).result == 2
        params = {"steps": 1, "_meta": {"progressToken": "t"}}
        page.wire.send({"jsonrpc": "2.0", "id": 7, "method": "T.sleep", "params": params})
        told = await page.wire.receive()
        assert isinstance(told, dict)
        assert told["params"]["token"] == "t"
        await page.next()


async def test_clients_of_jrpc_oo_get_no_progress() -> None:
    async with world(JRPC_OO) as page:
        answer = await page.ask("T.sleep", {"args": [1]})
        assert answer.data["type"] == "timeout"
