"""From a call of theirs to its outcome: look up, bind, check access, run.

The one exception boundary: nothing that a method raises passes this module. An `AcError` goes out
with its code, message and `data.type`, what the operating system refuses as `os_errors` explains
it, anything else as "internal error", its text in the log only. An error that a method answers as a
refusal (`methods.Refusals`) is its result.
"""

import asyncio
import inspect
import logging
import os
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from jupyter_ac.errors import AccessDenied, AcError, Cancelled, MethodNotFound, RemoteError
from jupyter_ac.os_errors import explained_os_error
from jupyter_ac.rpc.connection import Call
from jupyter_ac.rpc.context import Caller
from jupyter_ac.rpc.dialect import WireDialect
from jupyter_ac.rpc.messages import ErrorObject, error_object
from jupyter_ac.rpc.methods import Access, Method

_logger = logging.getLogger(__name__)

Authorize: TypeAlias = Callable[[Caller, Access], bool | Awaitable[bool]]
"""Says whether a caller may do this; one that answers without waiting keeps plain calls fast."""

Answer: TypeAlias = Callable[[Call, object], None]
"""Takes a call and its outcome: the result or an `ErrorObject`."""


class Dispatch:
    """Runs the calls of one connection.

    Args:
        methods: what is on the wire.
        caller: the other end.
        profile: how arguments are bound and errors worded.
        authorize: asked before each call; None: everything is allowed.
    """

    def __init__(
        self,
        methods: Mapping[str, Method],
        caller: Caller,
        profile: WireDialect,
        authorize: Authorize | None,
    ) -> None:
        self._methods = methods
        self._caller = caller
        self._profile = profile
        self._authorize = authorize
        self._authorize_waits = inspect.iscoroutinefunction(authorize)

    def start(self, call: Call, answer: Answer) -> Coroutine[None, None, None] | None:
        """Run a call to its end if nothing in it waits, else give the coroutine that runs it.

        Args:
            call: from the connection.
            answer: called with the outcome, once, at the end.
        """
        served = self._serve(call, answer)
        method = self._methods.get(call.method)
        if self._authorize_waits or (method is not None and method.is_async):
            return served
        try:
            served.send(None)
        except StopIteration:
            return None
        # Only the authorizer can have waited: nothing has run yet, so the call may start afresh.
        served.close()
        self._authorize_waits = True
        return self._serve(call, answer)

    async def allows(self, access: Access) -> bool:
        """Say whether the caller may do this, beyond what the running method already asked for."""
        if self._authorize is None:
            return True
        allowed = self._authorize(self._caller, access)
        return allowed if isinstance(allowed, bool) else await allowed

    async def _serve(self, call: Call, answer: Answer) -> None:
        answer(call, await self._outcome(call))

    async def _outcome(self, call: Call) -> object:
        try:
            return await self._run(call)
        except asyncio.CancelledError:
            if _is_being_cancelled():
                raise
            return self._shape(Cancelled(f"{call.method} was cancelled"))
        except AcError as error:
            return self._shape(error)
        except OSError as error:
            _logger.exception("%s failed", call.method)
            return self._shape(explained_os_error(error, _subject(error)))
        except Exception:
            _logger.exception("%s failed", call.method)
            return ErrorObject(-32603, "internal error", {"type": "internal"})

    async def _run(self, call: Call) -> object:
        method = self._find(call.method)
        args, named = self._profile.bind(method, call.params)
        if self._authorize is not None:
            await self._check(self._authorize, method)
        try:
            return await _call(method, args, named)
        except AcError as error:
            refused = method.refusals.answer(error) if method.refusals is not None else None
            if refused is None:
                raise
            return refused

    def _find(self, name: str) -> Method:
        method = self._methods.get(name)
        if method is None or name.rpartition(".")[2].startswith("_"):
            raise MethodNotFound(f"there is no method {name[:100]}")
        return method

    async def _check(self, authorize: Authorize, method: Method) -> None:
        allowed = authorize(self._caller, method.access)
        if not isinstance(allowed, bool):
            allowed = await allowed
        if not allowed:
            raise AccessDenied(
                f"{method.name} needs {method.access} access; ask whoever runs this server for it"
            )

    def _shape(self, error: AcError) -> ErrorObject:
        if isinstance(error, RemoteError):
            data = {"type": error.remote_type or error.type, **error.details}
            return ErrorObject(error.code, error.message, data)
        return error_object(error, standard=not self._profile.jrpc_oo)


async def _call(method: Method, args: Sequence[object], named: Mapping[str, object]) -> object:
    result = method.handler(*args, **named)
    if method.is_async and isinstance(result, Awaitable):
        return await result
    return result


def _subject(error: OSError) -> str:
    """Return what an error of the system is about: a file's name, without the folders above."""
    name = error.filename
    if not isinstance(name, str | bytes) or not name:
        return "Something that this needs"
    return repr(Path(os.fsdecode(name)).name)


def _is_being_cancelled() -> bool:
    """Tell the connection's own cancellation from one that the method itself ran into."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
