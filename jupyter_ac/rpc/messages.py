"""The five kinds of JSON-RPC messages as values, and their parser.

Pure: takes decoded JSON and returns values; differences between dialects are parameters. A call
keeps its whole message: the specification doesn't forbid further members, and seeds 003 and 004
have `epoch` and `auth`.
"""

from dataclasses import dataclass, field
from typing import Final, TypeAlias, TypeGuard

from jupyter_ac.errors import InvalidRequest, ProtocolError

VERSION: Final = "2.0"

MessageId: TypeAlias = str | int | float | None
"""As sent by the other side: `3`, `3.0` and `"3"` are three ids."""

Params: TypeAlias = list[object] | dict[str, object] | None
"""None if the message has none."""


STANDARD_SENTENCES: Final = {
    -32700: "Parse error",
    -32600: "Invalid Request",
    -32601: "Method not found",
    -32602: "Invalid params",
}
"""The specification's words for its codes."""


@dataclass(frozen=True, slots=True)
class ErrorObject:
    """The `error` member of an answer; seed 003 has strings as codes.

    Attributes:
        code: see `errors` and `answer_styles`.
        message: for the user.
        data: further members; None for none.
        kind: the error's type in every form of answers, for counts and the log; isn't sent.
    """

    code: int | str
    message: str
    data: object = None
    kind: str = field(default="", compare=False)

    def to_wire(self) -> dict[str, object]:
        """Return the JSON object; `data` is omitted if it is None."""
        shape: dict[str, object] = {"code": self.code, "message": self.message}
        if self.data is not None:
            shape["data"] = self.data
        return shape


@dataclass(frozen=True, slots=True)
class Request:
    """A call that requires an answer with `id`; `message` is the whole of it."""

    method: str
    params: Params
    id: MessageId
    message: dict[str, object] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Notification:
    """A call that is never answered; `message` is the whole of it."""

    method: str
    params: Params
    message: dict[str, object] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Success:
    """The answer to an outgoing call."""

    id: MessageId
    result: object


@dataclass(frozen=True, slots=True)
class Failure:
    """The error answer to an outgoing call."""

    id: MessageId
    error: ErrorObject


@dataclass(frozen=True, slots=True)
class Invalid:
    """An invalid message; to be answered with `error` and `id` (null if it cannot be read)."""

    id: MessageId
    error: ProtocolError = field(compare=False)


Message: TypeAlias = Request | Notification | Success | Failure | Invalid


def parse_message(value: object, *, jrpc_oo: bool) -> Message:
    """Classify a decoded value; never raises.

    Args:
        value: one decoded value; not a batch.
        jrpc_oo: read it like that library: a null id is no id, null params are none, and an answer
            may have neither result nor error (a method that returned nothing).
    """
    if not isinstance(value, dict):
        return _invalid(None, "a message must be an object")
    given_id = value.get("id")
    call_id = given_id if _is_id(given_id) else None
    if "method" in value:
        return _parse_call(value, call_id, jrpc_oo=jrpc_oo)
    answer = _parse_answer(value, call_id, jrpc_oo=jrpc_oo)
    return answer or _invalid(call_id, "the member 'method' is missing")


def _parse_call(
    value: dict[str, object], call_id: MessageId, *, jrpc_oo: bool
) -> Request | Notification | Invalid:
    method, params = value["method"], value.get("params")
    if call_id is None and value.get("id") is not None:
        return _invalid(None, "the member 'id' must be a string, a number or null")
    if value.get("jsonrpc") != VERSION:
        return _invalid(call_id, "the member 'jsonrpc' must be the string \"2.0\"")
    if not isinstance(method, str):
        return _invalid(call_id, "the member 'method' must be a string")
    may_be_none = jrpc_oo or "params" not in value
    if not (isinstance(params, list | dict) or (params is None and may_be_none)):
        return _invalid(call_id, "the member 'params' must be an array or an object")
    is_notification = "id" not in value or (call_id is None and jrpc_oo)
    if is_notification:
        return Notification(method, params, value)
    return Request(method, params, call_id, value)


def _invalid(call_id: MessageId, why: str) -> Invalid:
    return Invalid(call_id, InvalidRequest(why))


def _is_id(value: object) -> TypeGuard[MessageId]:
    return value is None or (isinstance(value, str | int | float) and not isinstance(value, bool))


def _parse_answer(
    value: dict[str, object], call_id: MessageId, *, jrpc_oo: bool
) -> Success | Failure | None:
    error = value.get("error")
    if error is not None:
        return Failure(call_id, _parse_error(error))
    if "result" in value:
        return Success(call_id, value["result"])
    is_void = jrpc_oo and "id" in value and "params" not in value
    if is_void or "error" in value:
        return Success(call_id, None)
    return None


def _parse_error(error: object) -> ErrorObject:
    if not isinstance(error, dict):
        return ErrorObject(0, error if isinstance(error, str) else "error")
    code = error.get("code")
    message = error.get("message")
    return ErrorObject(
        code if isinstance(code, int) else 0,
        message if isinstance(message, str) else "error",
        error.get("data"),
    )
