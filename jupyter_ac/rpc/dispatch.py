"""Executes incoming calls: lookup, binding, access check, run.

This is the only exception boundary: no exception of a method passes this module. An `AcError` is
sent with its code, message and `data.type`, an `OSError` as explained by `os_errors`, any other as
"internal error", with its text only in the log. An error that a method declares as a
refusal (`methods.Refusals`) is returned as its result.
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
"""Decides whether a caller has an access right; if it isn't a coroutine plain calls stay fast."""

Answer: TypeAlias = Callable[[Call, object], None]
"""Callback with a call and its outcome: the result or an `ErrorObject`."""


class Dispatch:
    """Runs the calls of one connection.

    Args:
        methods: the method table.
        caller: the other end.
        profile: the dialect, for binding and errors.
        authorize: called before each call; None allows everything.
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
        """Run a call to its end if it doesn't wait, otherwise return the coroutine that runs it.

        Args:
            call: from the connection.
            answer: callback for the outcome, called once at the end.
        """
        served = self._serve(call, answer)
        method = self._methods.get(call.method)
        if self._authorize_waits or (method is not None and method.is_async):
            return served
        try:
            served.send(None)
        except StopIteration:
            return None
        # Only the authorizer can have waited: the method has not run, so the call may be restarted.
        served.close()
        self._authorize_waits = True
        return self._serve(call, answer)

    async def allows(self, access: Access) -> bool:
        """Return whether the caller has an access right beyond the running method's own."""
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
    """Return the subject of a system error: a file name without its folders."""
    name = error.filename
    if not isinstance(name, str | bytes) or not name:
        return "Something that this needs"
    return repr(Path(os.fsdecode(name)).name)


def _is_being_cancelled() -> bool:
    """Distinguish the connection's own cancellation from one raised inside the method."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
