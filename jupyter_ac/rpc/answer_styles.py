"""The forms of an answer: JSON-RPC 2.0, jrpc-oo, and those of seeds 003 (epochs) and 004 (planner).

Seed 003 has strings as error codes and the member `epoch` in every answer. Seed 004 has integer
codes, some of its own, and `data` of `{type, details, recovery_suggestions}`. A connection has one
of the forms, or each call has the one of the seed that its method's name comes from.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from typing import Final, TypeVar

from jupyter_ac.errors import (
    AccessDenied,
    AcError,
    Busy,
    Cancelled,
    InvalidParams,
    InvalidRequest,
    InvalidState,
    MethodNotFound,
    NotConnected,
    NotFound,
    NotReady,
    ParseError,
    ProtocolError,
    ProviderAuth,
    ProviderError,
    ProviderRateLimit,
    RateLimited,
    SignatureRefused,
    StaleEpoch,
    TimedOut,
    UnreadableAnswer,
    Unsupported,
)
from jupyter_ac.rpc.messages import STANDARD_SENTENCES, VERSION, ErrorObject, MessageId

T = TypeVar("T")


class AnswerStyle(Enum):
    """The form of an answer."""

    PLAIN = "jrpc-oo"
    """An error has its own message."""

    STANDARD = "jsonrpc2"
    """An error has the specification's sentence, and its own message in `data.reason`."""

    EPOCH = "epoch"
    PLANNER = "planner"


_EPOCH_NAMES: Final = frozenset(
    [
        "connect",
        "disconnect",
        "pages",
        "status",
        "clear",
        "network",
        "request",
        "console",
        "cdp",
        "navigate",
        "reload",
        "back",
        "forward",
        "history",
        "page",
        "js",
    ]
)
_EPOCH_PREFIXES: Final = ("browser.", "fetch.", "filters.", "errors.")
_PLANNER_NAMES: Final = frozenset(
    [
        "execute_task",
        "create_plan",
        "validate_code",
        "update_context",
        "get_context",
        "run_plan",
        "pause_plan",
        "resume_plan",
        "cancel_plan",
        "get_plan",
        "list_plans",
        "update_task",
        "retry_task",
        "cancel_task",
    ]
)


def style_of(method: object, message: Mapping[str, object]) -> AnswerStyle:
    """Return the form in which a call is answered where the connection has none.

    Args:
        method: the call's name; untrusted.
        message: the whole call. One with a member `epoch` comes from a client of seed 003.
    """
    if not isinstance(method, str):
        return AnswerStyle.EPOCH if "epoch" in message else AnswerStyle.STANDARD
    if "epoch" in message or method in _EPOCH_NAMES or method.startswith(_EPOCH_PREFIXES):
        return AnswerStyle.EPOCH
    return AnswerStyle.PLANNER if method in _PLANNER_NAMES else AnswerStyle.STANDARD


def answer(
    style: AnswerStyle, call_id: MessageId, outcome: object, epoch: int = 0
) -> dict[str, object]:
    """Return the message that answers a call.

    Args:
        style: its form.
        call_id: of the call; None where it could not be read.
        outcome: the result, or an `ErrorObject`.
        epoch: the present one, for seed 003.
    """
    message: dict[str, object] = {"jsonrpc": VERSION, "id": call_id}
    if isinstance(outcome, ErrorObject):
        message["error"] = outcome.to_wire()
    else:
        message["result"] = outcome
    if style is AnswerStyle.EPOCH:
        message["epoch"] = epoch
    return message


def error_object(error: AcError, style: AnswerStyle) -> ErrorObject:
    """Convert an error to the form that a style has for it."""
    if style is AnswerStyle.EPOCH:
        return replace(_epoch_error(error), kind=error.type)
    if style is AnswerStyle.PLANNER:
        return replace(_planner_error(error), kind=error.type)
    data: dict[str, object] = {"type": error.type, **error.details}
    sentence = STANDARD_SENTENCES.get(error.code) if style is AnswerStyle.STANDARD else None
    if sentence is None:
        return ErrorObject(error.code, error.message, data, error.type)
    if error.message:
        data["reason"] = error.message
    return ErrorObject(error.code, sentence, data, error.type)


def internal_error(style: AnswerStyle, error_id: str) -> ErrorObject:
    """Return the error of a method that failed in a way that nobody has foreseen.

    Args:
        style: the form of the answer.
        error_id: finds the line in the log.
    """
    data: dict[str, object] = {"type": AcError.type, "error_id": error_id}
    if style is AnswerStyle.EPOCH:
        return ErrorObject(_INTERNAL, "internal error", data, AcError.type)
    if style is AnswerStyle.PLANNER:
        data |= {"details": "internal error", "recovery_suggestions": [_READ_LOG]}
        return ErrorObject(-32603, "Internal error", data, AcError.type)
    return ErrorObject(-32603, "internal error", data, AcError.type)


_INTERNAL: Final = "INTERNAL_ERROR"
_STRING_CODES: Final[Mapping[type[AcError], str]] = {
    InvalidRequest: "INVALID_REQUEST",
    MethodNotFound: "METHOD_NOT_FOUND",
    InvalidParams: "INVALID_PARAMS",
    InvalidState: "INVALID_STATE",
    StaleEpoch: "STALE_EPOCH",
    NotConnected: "NOT_CONNECTED",
    NotFound: "INVALID_PARAMS",
    AccessDenied: "ACCESS_DENIED",
    RateLimited: "RATE_LIMITED",
    SignatureRefused: "AUTHENTICATION_FAILED",
    TimedOut: "TIMEOUT",
    Cancelled: "CANCELLED",
}


def _epoch_error(error: AcError) -> ErrorObject:
    """Seed 003: strings as codes; what isn't JSON has no method and keeps JSON-RPC's number."""
    if isinstance(error, ParseError):
        return error_object(error, AnswerStyle.STANDARD)
    code = _looked_up(_STRING_CODES, error, _INTERNAL)
    data = dict(error.details)
    if code == _INTERNAL:
        data["type"] = error.type
    return ErrorObject(code, error.message, data or None)


_READ_LOG: Final = "Look for error_id in the log of the host."
_FAILED: Final = (-32000, "Execution failed", "EXECUTION_ERROR")
_UNAVAILABLE: Final = (-32001, "Resource unavailable", "UNAVAILABLE")
_LIMITED: Final = (-32002, "Rate limit exceeded", "RATE_LIMIT")
_PLANNER_CODES: Final[Mapping[type[AcError], tuple[int, str, str]]] = {
    TimedOut: (-32000, "Execution timeout", "TIMEOUT"),
    RateLimited: _LIMITED,
    ProviderRateLimit: _LIMITED,
    SignatureRefused: (-32003, "Authentication failed", "AUTHENTICATION"),
    ProviderAuth: (-32003, "Authentication failed", "PROVIDER_AUTH"),
    Cancelled: (-32800, "Request cancelled", "CANCELLED"),
    AccessDenied: (-32000, "Execution failed", "ACCESS_DENIED"),
    InvalidState: (-32010, "Invalid state", "INVALID_STATE"),
    StaleEpoch: (-32010, "Invalid state", "STALE_EPOCH"),
    NotReady: _UNAVAILABLE,
    Busy: _UNAVAILABLE,
    Unsupported: _UNAVAILABLE,
    ProviderError: _UNAVAILABLE,
    UnreadableAnswer: (-32000, "Execution failed", "PARSE_ERROR"),
}
_SUGGESTIONS: Final[Mapping[type[AcError], str]] = {
    TimedOut: "Ask for less, or allow more time in options.timeout_ms.",
    RateLimited: "Wait for data.retry_after_ms, then send the same request again.",
    SignatureRefused: "Sign the message with the host's key, a new nonce and the present time.",
    MethodNotFound: "Compare the name with the list of methods (rpc.discover).",
    InvalidParams: "Compare the params with the method's JSON schema.",
    InvalidState: "Wait for one of data.required_states.",
    StaleEpoch: "Read the state and call again with its epoch.",
    Busy: "Wait a moment, then send the same request again.",
    UnreadableAnswer: "Try again, say it in other words, or choose another model.",
}


def _planner_error(error: AcError) -> ErrorObject:
    """Seed 004: its table of codes; -32000 for all that fails in the work, `data.type` tells."""
    data: dict[str, object] = {**error.details, "details": error.message}
    suggestion = _looked_up(_SUGGESTIONS, error, "")
    data["recovery_suggestions"] = [suggestion] if suggestion else []
    sentence = STANDARD_SENTENCES.get(error.code)
    if sentence is not None or isinstance(error, ProtocolError):
        data["type"] = error.type.upper()
        return ErrorObject(error.code, sentence or error.message, data)
    code, message, data["type"] = _looked_up(_PLANNER_CODES, error, _FAILED)
    return ErrorObject(code, message, data)


def _looked_up(table: Mapping[type[AcError], T], error: AcError, default: T) -> T:
    """Find the entry for an error's class or the nearest class that it derives from."""
    return next((table[cls] for cls in type(error).__mro__ if cls in table), default)
