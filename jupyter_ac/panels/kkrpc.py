"""kkrpc's messages in three forms: what a frame says, and the frames of calls and answers.

`SUPERJSON` and `JSON` are the forms of the npm package kkrpc 0.2, with and without superjson;
`COMPACT` is that of later versions, which uniview uses. kkrpc knows no notification: each call has
an answer. A call may also read or set a property, construct an object or pass a function; panels
have none of these, so that such a call is refused.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from jupyter_ac.errors import InvalidParams, ParseError
from jupyter_ac.panels.superjson import plain_value
from jupyter_ac.rpc.codec import SerialisationError, decode, encode

CALLBACK: Final = "__callback__"
"""kkrpc 0.2 takes an argument that begins so for a function of the other side."""

ARGUMENT: Final = "__kkrpc_next_arg__"
"""The member that marks arguments of the compact form: a `value`, or a `callback`."""

_MAX_ID_CHARS: Final = 200
_MAX_NAME_CHARS: Final = 200
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*")
_OPERATIONS: Final = frozenset({"get", "set", "new", "construct", "ref"})
_NO_FUNCTION: Final = "a function can't be an argument here"


class KkrpcForm(StrEnum):
    """A form of the messages."""

    SUPERJSON = "superjson"
    JSON = "json"
    COMPACT = "compact"


@dataclass(frozen=True, slots=True)
class Asked:
    """A call of the other side."""

    id: str
    method: str
    args: list[object]
    form: KkrpcForm


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to a call of ours.

    Attributes:
        id: of the call.
        result: None for a failure.
        error: what the other side says about its failure; None: there is none.
        kind: the name of the error.
    """

    id: str
    form: KkrpcForm
    result: object = None
    error: str | None = None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """A call of the other side that isn't carried out; to be answered with `reason`."""

    id: str
    reason: str
    form: KkrpcForm


@dataclass(frozen=True, slots=True)
class Stray:
    """Text between the messages, such as what a plugin prints; "" for a message without effect."""

    text: str


Message: TypeAlias = Asked | Answered | Refused | Stray


def read_message(frame: str | bytes) -> Message:
    """Return what a frame says; never raises."""
    try:
        value = decode(frame)
    except ParseError:
        return Stray(frame if isinstance(frame, str) else frame.decode(errors="replace"))
    if not isinstance(value, dict):
        return Stray(encode(value))
    if "t" in value:
        return _read(value, KkrpcForm.COMPACT, _compact_message)
    if "json" not in value:
        return _read(value, KkrpcForm.JSON, _named_message)
    message = value["json"]
    try:
        message = plain_value(value)
    except InvalidParams as error:
        return _unreadable(message, error)
    return _read(message, KkrpcForm.SUPERJSON, _named_message)


def call_frame(form: KkrpcForm, call_id: str, method: str, args: Sequence[object]) -> str:
    """Return the frame of a call.

    Raises:
        SerialisationError: the form takes an argument for something else than a text.
    """
    if form is KkrpcForm.COMPACT:
        wrapped = [{ARGUMENT: "value", "v": each} for each in args]
        return encode({"t": "q", "id": call_id, "op": "call", "p": method.split("."), "a": wrapped})
    if any(isinstance(each, str) and each.startswith(CALLBACK) for each in args):
        raise SerialisationError(f"kkrpc 0.2 can't send a text that begins with {CALLBACK}.")
    return _named_frame(form, {"id": call_id, "method": method, "args": args, "type": "request"})


def result_frame(form: KkrpcForm, call_id: str, result: object) -> str:
    """Return the frame that answers a call."""
    if form is KkrpcForm.COMPACT:
        return encode({"t": "r", "id": call_id, "v": result})
    return _answer_frame(form, call_id, {"result": result})


def error_frame(form: KkrpcForm, call_id: str, message: str, kind: str = "Error") -> str:
    """Return the frame that answers a call that failed.

    Args:
        form: of the frame.
        call_id: of the call.
        message: for the other side's log; not empty, which kkrpc 0.2 would take for success.
        kind: the name of the error; kkrpc 0.2 has no place for it.
    """
    if form is KkrpcForm.COMPACT:
        return encode({"t": "r", "id": call_id, "e": {"n": kind, "m": message}})
    return _answer_frame(form, call_id, {"error": message or kind})


def _answer_frame(form: KkrpcForm, call_id: str, args: Mapping[str, object]) -> str:
    return _named_frame(form, {"id": call_id, "method": "", "args": args, "type": "response"})


def _named_frame(form: KkrpcForm, message: dict[str, object]) -> str:
    message["version"] = form.value
    return encode({"json": message} if form is KkrpcForm.SUPERJSON else message)


_Reader: TypeAlias = Callable[[str, dict[str, object], KkrpcForm], Message]


def _read(value: object, form: KkrpcForm, reader: _Reader) -> Message:
    call_id = _readable_id(value)
    if call_id is None or not isinstance(value, dict):
        return Stray("")
    try:
        return reader(call_id, value, form)
    except InvalidParams as error:
        return Refused(call_id, error.message, form)


def _named_message(call_id: str, value: dict[str, object], form: KkrpcForm) -> Message:
    kind, args = value.get("type"), value.get("args")
    if kind == "response":
        return _named_answer(call_id, args, form)
    if isinstance(kind, str) and kind in _OPERATIONS:
        raise _not_a_call(kind)
    if kind != "request":
        return Stray("")
    if not isinstance(args, list):
        raise InvalidParams("args must be an array")
    has_function = any(isinstance(each, str) and each.startswith(CALLBACK) for each in args)
    if has_function or value.get("callbackIds"):
        raise InvalidParams(_NO_FUNCTION)
    return Asked(call_id, _checked_name(value.get("method")), args, form)


def _named_answer(call_id: str, args: object, form: KkrpcForm) -> Answered:
    outcome = args if isinstance(args, dict) else {}
    error = outcome.get("error")
    if isinstance(error, dict):
        return _failed(call_id, form, error.get("message"), error.get("name"))
    if error:
        return _failed(call_id, form, error)
    return Answered(call_id, form, outcome.get("result"))


def _compact_message(call_id: str, value: dict[str, object], form: KkrpcForm) -> Message:
    if value["t"] == "r":
        error = value.get("e")
        if isinstance(error, dict):
            return _failed(call_id, form, error.get("m"), error.get("n"))
        return Answered(call_id, form, value.get("v"))
    if value["t"] != "q":
        return Stray("")
    operation, path, args = value.get("op"), value.get("p"), value.get("a", [])
    if operation != "call":
        raise _not_a_call(operation)
    if not (isinstance(path, list) and all(isinstance(each, str) for each in path)):
        raise InvalidParams("p must be an array of names")
    if not isinstance(args, list):
        raise InvalidParams("a must be an array")
    return Asked(call_id, _checked_name(".".join(path)), [_argument(each) for each in args], form)


def _argument(value: object) -> object:
    mark = value.get(ARGUMENT) if isinstance(value, dict) else None
    if mark == "callback":
        raise InvalidParams(_NO_FUNCTION)
    return value.get("v") if isinstance(value, dict) and mark == "value" else value


def _checked_name(method: object) -> str:
    if not isinstance(method, str):
        raise InvalidParams("the name of a method must be a text")
    if len(method) > _MAX_NAME_CHARS or not _NAME.fullmatch(method):
        raise InvalidParams(f"there is no method {method[:100]}")
    return method


def _not_a_call(operation: object) -> InvalidParams:
    name = operation if isinstance(operation, str) else "nothing"
    return InvalidParams(f"only methods can be called here, not {name[:20]}")


def _failed(call_id: str, form: KkrpcForm, message: object, kind: object = "") -> Answered:
    text = message if isinstance(message, str) and message else "the call failed"
    return Answered(call_id, form, None, text, kind if isinstance(kind, str) else "")


def _unreadable(message: object, error: InvalidParams) -> Message:
    call_id = _readable_id(message)
    if call_id is None or not isinstance(message, dict):
        return Stray("")
    if message.get("type") == "response":
        return _failed(call_id, KkrpcForm.SUPERJSON, error.message, error.type)
    return Refused(call_id, error.message, KkrpcForm.SUPERJSON)


def _readable_id(message: object) -> str | None:
    """Return the id of a message; None: it has none by which it could be answered."""
    call_id = message.get("id") if isinstance(message, dict) else None
    is_id = isinstance(call_id, str) and 0 < len(call_id) <= _MAX_ID_CHARS
    return call_id if isinstance(call_id, str) and is_id else None
