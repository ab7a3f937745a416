"""Carries out incoming calls: a chain of checks, then the method.

authentication → lookup → rate limit → access → state and epoch → parameters → transition → method.
The size of a frame is checked by the transport. A check that isn't switched on costs nothing. A
method that fails takes the transition back. No method runs, and nothing is changed, before all
checks have passed.

This is the only exception boundary: no exception of a method passes this module. An `AcError` is
sent with its code, message and `data.type`, an `OSError` as explained by `os_errors`, any other as
"internal error", with its text only in the log, under the `error_id` of the answer. An error that a
method declares as a refusal (`methods.Refusals`) is returned as its result.
"""

import asyncio
import inspect
import logging
import os
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final, TypeAlias

from jupyter_ac.errors import (
    AccessDenied,
    AcError,
    Cancelled,
    InvalidState,
    MethodNotFound,
    RateLimited,
    RemoteError,
    RequestCancelled,
    SignatureRefused,
    StaleEpoch,
    TimedOut,
)
from jupyter_ac.os_errors import explained_os_error
from jupyter_ac.rpc.answer_styles import error_object, internal_error
from jupyter_ac.rpc.call_log import CallLog, new_error_id
from jupyter_ac.rpc.call_metrics import CallMetrics
from jupyter_ac.rpc.call_options import (
    argument,
    arguments,
    epoch_of,
    progress_token,
    repeat_member,
    time_limit_s,
)
from jupyter_ac.rpc.connection import Call
from jupyter_ac.rpc.context import Caller
from jupyter_ac.rpc.dialect import Arguments, WireDialect
from jupyter_ac.rpc.messages import ErrorObject
from jupyter_ac.rpc.methods import Access, Method
from jupyter_ac.rpc.repeated_calls import RepeatedCalls, repeat_key
from jupyter_ac.rpc.running_call import RunningCall, set_current_call
from jupyter_ac.rpc.signatures import SignatureVerifier
from jupyter_ac.rpc.target_states import TargetMachine, TargetStates
from jupyter_ac.rpc.token_bucket import RateLimiter

_logger = logging.getLogger(__name__)

Authorize: TypeAlias = Callable[[Caller, Access], bool | Awaitable[bool]]
"""Decides whether a caller has an access right; if it isn't a coroutine plain calls stay fast."""

Answer: TypeAlias = Callable[[Call, object], None]
"""Callback with a call and its outcome: the result or an `ErrorObject`."""


@dataclass(frozen=True, slots=True)
class CallGuards:
    """The optional steps of the chain; None: left out.

    Attributes:
        authorize: called before each call, says whether the caller has the access right; the only
            step that connections of a host don't share.
        verifier: checks the signatures of messages.
        limiter: limits how often methods are called.
        repeated: answers calls that are sent again.
        targets: the states of debugged pages.
        metrics: counts calls.
        log: has one line for each call.
    """

    authorize: Authorize | None = None
    verifier: SignatureVerifier | None = None
    limiter: RateLimiter | None = None
    repeated: RepeatedCalls | None = None
    targets: TargetStates | None = None
    metrics: CallMetrics | None = None
    log: CallLog | None = None
    authorize_waits: bool = field(init=False)
    """Whether `authorize` is a coroutine function."""

    def __post_init__(self) -> None:
        waits = inspect.iscoroutinefunction(self.authorize)
        object.__setattr__(self, "authorize_waits", waits)

    def epoch(self) -> int:
        """Return the present epoch of the page that seed 003's clients see."""
        return 0 if self.targets is None else self.targets.epoch


NO_GUARDS: Final = CallGuards()

_LARGE_BYTES: Final = 64 * 1024


class Dispatch:
    """Runs the calls of one connection.

    Args:
        methods: the method table.
        caller: the other end.
        profile: the dialect, for binding and errors.
        guards: the optional steps.
    """

    def __init__(
        self,
        methods: Mapping[str, Method],
        caller: Caller,
        profile: WireDialect,
        guards: CallGuards = NO_GUARDS,
    ) -> None:
        self._methods = methods
        self._caller = caller
        self._profile = profile
        self._authorize = guards.authorize
        self._authorize_waits = guards.authorize_waits
        self._guards = guards
        self._is_recorded = guards.metrics is not None or guards.log is not None
        self._name = (str(caller.identity), str(caller.client))
        self._verifier = guards.verifier if caller.signs else None

    def start(self, call: Call, answer: Answer) -> Coroutine[None, None, None] | None:
        """Run a call to its end if it doesn't wait, otherwise return the coroutine that runs it.

        Args:
            call: from the connection.
            answer: callback for the outcome, called once at the end.
        """
        served = self._serve(call, answer)
        method = self._methods.get(call.method)
        waits = self._authorize_waits or self._verifier is not None or self._is_keyed(call)
        if waits or (method is not None and method.is_async):
            return served
        try:
            served.send(None)
        except StopIteration:
            return None
        # Only the authorizer can have waited: the method has not run, so the call may be restarted.
        served.close()
        self._authorize_waits = True
        return self._serve(call, answer)

    def _is_keyed(self, call: Call) -> bool:
        return self._guards.repeated is not None and repeat_member(call) is not None

    async def allows(self, access: Access) -> bool:
        """Return whether the caller has an access right beyond the running method's own."""
        if self._authorize is None:
            return True
        allowed = self._authorize(self._caller, access)
        return allowed if isinstance(allowed, bool) else await allowed

    async def _serve(self, call: Call, answer: Answer) -> None:
        if not self._is_recorded:
            answer(call, await self._outcome(call))
            return
        begun_s = perf_counter()
        outcome = await self._outcome(call)
        self._record(call, outcome, perf_counter() - begun_s)
        answer(call, outcome)

    def note_fault(self, kind: str) -> None:
        """Count what came and is no call.

        Args:
            kind: the type of the error that answers it.
        """
        if self._guards.metrics is not None:
            self._guards.metrics.record("", kind, 0)
        if self._guards.log is not None:
            self._guards.log.finished("", None, 0, ErrorObject(0, "", kind=kind))

    def may_cancel(self, order: Call) -> bool:
        """Return whether an order to cancel a call is to be followed: it is signed if calls are."""
        if self._verifier is None:
            return True
        try:
            self._verifier.verify(order.message)
        except SignatureRefused:
            return False
        return True

    def _record(self, call: Call, outcome: object, seconds: float) -> None:
        error = outcome if isinstance(outcome, ErrorObject) else None
        method = self._methods.get(call.method)
        if self._guards.metrics is not None:
            name = "" if method is None else method.key
            status = "success" if error is None else error.kind
            self._guards.metrics.record(name, status, seconds)
        if self._guards.log is not None:
            self._guards.log.finished(call.method, call.id, seconds, error)

    async def _outcome(self, call: Call) -> object:
        try:
            return await self._run(call)
        except asyncio.CancelledError:
            return self._shape(call, _cancellation(call))
        except AcError as error:
            return self._shape(call, error)
        except OSError as error:
            _logger.exception("%s failed", call.method)
            return self._shape(call, explained_os_error(error, _subject(error)))
        except Exception:
            error_id = new_error_id()
            _logger.exception("%s failed (error_id %s)", call.method, error_id)
            return internal_error(call.style, error_id)

    async def _run(self, call: Call) -> object:
        guards = self._guards
        if self._verifier is not None:
            await _verify(self._verifier, call)
        method = self._find(call.method)
        if guards.limiter is not None:
            self._limit(guards.limiter, method)
        if self._authorize is not None or method.needs_login:
            await self._check(method)
        key = None if guards.repeated is None else repeat_member(call)
        if key is None or guards.repeated is None:
            return await self._carry_out(method, call)
        repeat = repeat_key(self._name, method.key, key)
        if guards.metrics is not None and guards.repeated.knows(repeat):
            guards.metrics.count_retry(method.key)
        work = partial(self._carry_out, method, call)
        try:
            return await guards.repeated.run(repeat, call.params, work)
        except asyncio.CancelledError:
            # What the caller cancels ends; what only loses its connection goes on for the next one.
            if call.is_cancelled:
                guards.repeated.cancel(repeat)
            raise

    def _limit(self, limiter: RateLimiter, method: Method) -> None:
        try:
            limiter.take(self._name, method.key, is_billed=method.rules.is_billed)
        except RateLimited:
            if self._guards.metrics is not None:
                self._guards.metrics.count_limited(method.key)
            raise

    async def _carry_out(self, method: Method, call: Call) -> object:
        if method.rules.has_target:
            return await self._move(method, call)
        bound = self._profile.bind(method, arguments(call.params))
        try:
            return await self._call(method, call, bound, None)
        except AcError as error:
            refused = method.refusals.answer(error) if method.refusals is not None else None
            if refused is None:
                raise
            return refused

    async def _move(self, method: Method, call: Call) -> object:
        """Call a method whose target has a state: checks and transition are one step."""
        rules, targets = method.rules, self._guards.targets
        if targets is None:
            raise InvalidState(method.name, "disconnected", rules.requires_state)
        epoch = epoch_of(method, call, is_positional=self._profile.jrpc_oo)
        target = targets.of(argument(method, call.params, "target"))
        if rules.requires_state and target.state not in rules.requires_state:
            raise InvalidState(method.name, target.state, rules.requires_state)
        if rules.changes_state and epoch is not None and epoch != target.epoch:
            raise StaleEpoch(epoch, target.epoch)
        bound = self._profile.bind(method, arguments(call.params))
        if not rules.trigger:
            return await self._call(method, call, bound, target)
        before = target.state
        moves = target.fire(rules.trigger, method.name)
        try:
            return await self._call(method, call, bound, target)
        except BaseException:
            target.revert(moves, before)
            raise

    async def _call(
        self, method: Method, call: Call, bound: Arguments, target: TargetMachine | None
    ) -> object:
        args, named = bound
        if not method.is_async:
            return method.handler(*args, **named)
        running = RunningCall(
            call.id,
            self._caller.peer.notify,
            progress_token(call.params),
            # jrpc-oo's clients know neither LSP nor MCP.
            reads_progress=call.is_answered and not self._profile.jrpc_oo,
            target=target,
            metrics=self._guards.metrics,
        )
        set_current_call(running)
        running.limit_s = time_limit_s(method, call)
        result = method.handler(*args, **named)
        if not isinstance(result, Awaitable):
            return result
        if running.limit_s is None:
            return await result
        try:
            async with asyncio.timeout(running.limit_s) as running.timeout:
                return await result
        except TimeoutError as error:
            if running.timeout is None or not running.timeout.expired():
                raise
            raise TimedOut(
                f"{method.name} was stopped: nothing came of it for {running.limit_s:g} s."
            ) from error

    def _find(self, name: str) -> Method:
        method = self._methods.get(name)
        if method is None or name.rpartition(".")[2].startswith("_"):
            raise MethodNotFound(f"there is no method {name[:100]}")
        return method

    async def _check(self, method: Method) -> None:
        if method.needs_login and not self._caller.has_login:
            raise AccessDenied(
                f"{method.name} is not available without a token, because any page of this machine "
                "could call it; start the server without --no-token."
            )
        if self._authorize is None:
            return
        allowed = self._authorize(self._caller, method.access)
        if not isinstance(allowed, bool):
            allowed = await allowed
        if not allowed:
            raise AccessDenied(
                f"{method.name} needs {method.access} access; ask whoever runs this server for it"
            )

    def _shape(self, call: Call, error: AcError) -> ErrorObject:
        if isinstance(error, RemoteError):
            kind = error.remote_type or error.type
            return ErrorObject(error.code, error.message, {"type": kind, **error.details}, kind)
        return error_object(error, call.style)


async def _verify(verifier: SignatureVerifier, call: Call) -> None:
    """Check a signature; that of a large message takes long, so a thread does it."""
    if call.size_bytes < _LARGE_BYTES:
        verifier.verify(call.message)
    else:
        await asyncio.to_thread(verifier.verify, call.message)


def _cancellation(call: Call) -> Cancelled:
    """Return the error of a call that was cancelled, unless its connection is what ends."""
    task = asyncio.current_task()
    if task is None:
        return Cancelled(f"{call.method} was cancelled")
    if call.is_cancelled:
        task.uncancel()
    if task.cancelling() > 0:
        raise asyncio.CancelledError
    if call.is_cancelled:
        return RequestCancelled(f"{call.method} was cancelled by its caller")
    return Cancelled(f"{call.method} was cancelled")


def _subject(error: OSError) -> str:
    """Return the subject of a system error: a file name without its folders."""
    name = error.filename
    if not isinstance(name, str | bytes) or not name:
        return "Something that this needs"
    return repr(Path(os.fsdecode(name)).name)
