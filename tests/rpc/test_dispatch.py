"""The execution of calls, up to their outcome."""

import asyncio
import logging
from typing import NotRequired

import pytest

from jupyter_ac.errors import (
    Busy,
    Conflict,
    ConnectionClosed,
    InvalidParams,
    NotFound,
    ProviderRateLimit,
    RemoteError,
)
from jupyter_ac.ids import ClientId, Identity
from jupyter_ac.rpc.answer_styles import AnswerStyle
from jupyter_ac.rpc.connection import Call
from jupyter_ac.rpc.context import Caller
from jupyter_ac.rpc.dialect import JRPC_OO, JSONRPC2, WireDialect
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.dispatch import Authorize, CallGuards, Dispatch
from jupyter_ac.rpc.messages import ErrorObject, Params
from jupyter_ac.rpc.methods import Access, Method, MethodTable, Namespace, Refusal, method
from jupyter_ac.rpc.peer import Peer
from tests.rpc.pairs import WAIT_S, table


class DispatchClient:
    """A dispatch, and what it answered."""

    def __init__(
        self,
        methods: dict[str, Method],
        *,
        profile: WireDialect = JRPC_OO,
        authorize: Authorize | None = None,
    ) -> None:
        self.caller = Caller(Identity("ann"), ClientId(""), Peer(direct_pair()[0], {}))
        self.dispatch = Dispatch(methods, self.caller, profile, CallGuards(authorize))
        self.style = profile.style or AnswerStyle.STANDARD
        self.outcomes: list[object] = []
        self.waited = 0

    async def outcome(self, method: str, params: Params = None) -> object:
        waits = self.dispatch.start(
            Call(method, params, 1, is_answered=True, style=self.style), self._answered
        )
        if waits is not None:
            self.waited += 1
            async with asyncio.timeout(WAIT_S):
                await asyncio.create_task(waits)
        return self.outcomes.pop()

    async def error(self, method: str, params: Params = None) -> ErrorObject:
        outcome = await self.outcome(method, params)
        assert isinstance(outcome, ErrorObject)
        return outcome

    def _answered(self, _call: Call, outcome: object) -> None:
        self.outcomes.append(outcome)


class Limit(Refusal):
    """Refused, with a number."""

    most: NotRequired[int]


class Refusing:
    """Methods that refuse."""

    @method(Access.READ, refusal=Limit, refused=(Conflict, InvalidParams))
    async def limited(self, what: str) -> str:
        match what:
            case "conflict":
                raise Conflict("Too many.", {"most": 3, "secret": 1})
            case "argument":
                raise InvalidParams("No such thing.")
            case "fault":
                raise InvalidParams("what must be a word.").as_fault()
            case "other":
                raise NotFound("It is gone.")
        return what

    @method(Access.READ, refusal=Refusal)
    def plain(self) -> str:
        raise Busy("Later.")


async def test_an_error_that_a_method_refuses_with_is_its_result() -> None:
    client = DispatchClient({**MethodTable(Namespace("T", Refusing()))})
    assert await client.outcome("T.limited", ["x"]) == "x"
    assert await client.outcome("T.limited", ["conflict"]) == {"error": "Too many.", "most": 3}
    assert await client.outcome("T.limited", ["argument"]) == {"error": "No such thing."}
    assert await client.outcome("T.plain") == {"error": "Later."}


async def test_other_errors_and_faults_of_the_call_stay_errors() -> None:
    client = DispatchClient({**MethodTable(Namespace("T", Refusing()))}, authorize=lambda *_: True)
    assert (await client.error("T.limited", ["other"])).data == {"type": "not_found"}
    assert (await client.error("T.limited", ["fault"])).code == -32602
    assert (await client.error("T.limited", [5])).code == -32602
    denied = DispatchClient({**MethodTable(Namespace("T", Refusing()))}, authorize=lambda *_: False)
    assert (await denied.error("T.plain")).data == {"type": "access_denied"}


async def test_a_plain_function_answers_without_a_task() -> None:
    client = DispatchClient(table(double=lambda n: n * 2))
    assert await client.outcome("T.double", [4]) == 8
    assert client.waited == 0


async def test_a_coroutine_function_answers_from_a_task() -> None:
    async def double(n: int) -> int:
        await asyncio.sleep(0)
        return n * 2

    client = DispatchClient(table(double=double))
    assert await client.outcome("T.double", [4]) == 8
    assert client.waited == 1


async def test_an_unknown_method_is_method_not_found() -> None:
    client = DispatchClient({})
    error = await client.error("T.absent")
    assert (error.code, error.message) == (-32601, "there is no method T.absent")
    by_the_book = DispatchClient({}, profile=JSONRPC2)
    assert (await by_the_book.error("T.absent")).message == "Method not found"


async def test_names_are_told_apart_by_case() -> None:
    assert (await DispatchClient(table(double=lambda: 1)).error("t.double")).code == -32601


@pytest.mark.parametrize("name", ["_secret", "T._secret", "T.__init__", "T.__class__"])
async def test_private_names_are_refused_when_called(name: str) -> None:
    def reached() -> None:
        raise AssertionError

    client = DispatchClient({name: Method.of(name, reached, Access.READ)})
    assert (await client.error(name)).code == -32601


async def test_an_error_of_ours_goes_out_with_its_type_and_details() -> None:
    def busy() -> None:
        raise Busy("another answer is being written; stop it first", {"request_id": "r1"})

    def limited() -> None:
        raise ProviderRateLimit("slow down", 7.5)

    client = DispatchClient(table(busy=busy, limited=limited))
    assert await client.outcome("T.busy") == ErrorObject(
        -32000,
        "another answer is being written; stop it first",
        {"type": "busy", "request_id": "r1"},
    )
    error = await client.error("T.limited")
    assert error.data == {"type": "provider_rate_limit", "retry_after": 7.5}


async def test_any_other_exception_is_internal_and_only_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fails() -> None:
        raise RuntimeError("secret /home/me/key")

    client = DispatchClient(table(fails=fails, short=lambda: 1 / 0))
    with caplog.at_level(logging.ERROR):
        for name in ("T.fails", "T.short"):
            outcome = await client.outcome(name)
            assert isinstance(outcome, ErrorObject)
            assert isinstance(outcome.data, dict)
            assert outcome == ErrorObject(-32603, "internal error", outcome.data)
            assert set(outcome.data) == {"type", "error_id"}
            assert outcome.data["error_id"] in caplog.text
    assert "secret /home/me/key" in caplog.text
    assert "ZeroDivisionError" in caplog.text


async def test_a_type_error_inside_a_method_is_not_taken_for_wrong_arguments() -> None:
    def fails(text: str) -> None:
        raise TypeError(f"{text}() takes 0 positional arguments but 1 was given")

    client = DispatchClient(table(fails=fails))
    assert (await client.error("T.fails", ["x"])).code == -32603
    assert (await client.error("T.fails", [])).code == -32602


async def test_an_error_from_a_further_peer_keeps_its_type() -> None:
    def relays() -> None:
        raise RemoteError("no key", -32000, {"type": "provider_auth"})

    def fails() -> None:
        raise RemoteError("gone", -2)

    client = DispatchClient(table(relays=relays, fails=fails))
    assert await client.outcome("T.relays") == ErrorObject(
        -32000, "no key", {"type": "provider_auth"}
    )
    assert (await client.error("T.fails")).data == {"type": "internal"}


async def test_access_is_asked_before_the_method_runs() -> None:
    ran: list[str] = []
    asked: list[tuple[str, Access]] = []

    def authorize(caller: Caller, access: Access) -> bool:
        asked.append((caller.identity, access))
        return access is Access.READ

    methods = {
        f"T.{access}": Method.of(f"T.{access}", lambda: ran.append("ran"), access)
        for access in Access
    }
    client = DispatchClient(methods, authorize=authorize)
    assert await client.outcome("T.read") is None
    for name in ("T.write", "T.execute"):
        error = await client.error(name)
        assert (error.code, error.data) == (-32000, {"type": "access_denied"})
        assert name in error.message
    assert ran == ["ran"]
    assert asked == [("ann", Access.READ), ("ann", Access.WRITE), ("ann", Access.EXECUTE)]
    assert client.waited == 0


async def test_an_authorizer_may_be_a_coroutine_function() -> None:
    async def authorize(_caller: Caller, access: Access) -> bool:
        await asyncio.sleep(0)
        return access is Access.READ

    methods = table(f=lambda: 1) | {"T.g": Method.of("T.g", lambda: 2, Access.WRITE)}
    client = DispatchClient(methods, authorize=authorize)
    assert await client.outcome("T.f") == 1
    assert (await client.error("T.g")).data == {"type": "access_denied"}


async def test_an_authorizer_that_turns_out_to_wait_lets_a_method_run_once() -> None:
    ran: list[int] = []

    async def decide() -> bool:
        await asyncio.sleep(0)
        return True

    def authorize(_caller: Caller, _access: Access) -> asyncio.Future[bool]:
        return asyncio.ensure_future(decide())

    client = DispatchClient(table(f=lambda: ran.append(1)), authorize=authorize)
    for _ in range(2):
        assert await client.outcome("T.f") is None
    assert ran == [1, 1]
    assert client.waited == 2


async def test_a_method_may_ask_for_more_than_its_own_level() -> None:
    async def later(_caller: Caller, access: Access) -> bool:
        await asyncio.sleep(0)
        return access is not Access.EXECUTE

    def at_once(_caller: Caller, access: Access) -> bool:
        return access is not Access.EXECUTE

    for authorize in (later, at_once):
        dispatch = DispatchClient(table(f=lambda: 1), authorize=authorize).dispatch
        assert await dispatch.allows(Access.WRITE)
        assert not await dispatch.allows(Access.EXECUTE)
    assert await DispatchClient(table(f=lambda: 1)).dispatch.allows(Access.EXECUTE)


async def test_an_authorizer_that_fails_denies() -> None:
    def authorize(_caller: Caller, _access: Access) -> bool:
        raise RuntimeError("no directory service")

    client = DispatchClient(table(f=lambda: 1), authorize=authorize)
    assert (await client.error("T.f")).message == "internal error"


async def test_work_that_was_cancelled_inside_a_method_is_answered_as_cancelled() -> None:
    async def stops() -> None:
        inner = asyncio.create_task(asyncio.sleep(60))
        inner.cancel()
        await inner

    def stops_plainly() -> None:
        raise asyncio.CancelledError

    client = DispatchClient(table(stops=stops, stops_plainly=stops_plainly))
    for name in ("T.stops", "T.stops_plainly"):
        assert (await client.error(name)).data == {"type": "cancelled"}


async def test_the_connections_own_cancellation_is_not_answered() -> None:
    started = asyncio.Event()

    async def hangs() -> None:
        started.set()
        await asyncio.Event().wait()

    client = DispatchClient(table(hangs=hangs))
    task = asyncio.create_task(client.outcome("T.hangs"))
    await started.wait()
    waits = next(other for other in asyncio.all_tasks() if "_serve" in repr(other.get_coro()))
    waits.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert client.outcomes == []


@pytest.mark.parametrize("error", [NotFound("x"), ConnectionClosed()])
async def test_every_error_carries_a_type(error: Exception) -> None:
    def fails() -> None:
        raise error

    outcome = await DispatchClient(table(fails=fails)).error("T.fails")
    assert isinstance(outcome.data, dict)
    assert outcome.data["type"] in {"not_found", "closed"}
