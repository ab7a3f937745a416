"""What a caller says of a call beside its arguments; all of it is untrusted.

The epoch that it knows (seed 003), the key of a call that may be repeated, the time limit (seed
004), the token for progress (LSP, MCP).
"""

from typing import Final

from jupyter_ac.errors import InvalidParams
from jupyter_ac.rpc.answer_styles import AnswerStyle
from jupyter_ac.rpc.connection import Call
from jupyter_ac.rpc.messages import Params
from jupyter_ac.rpc.methods import Method

PLANNER_LIMIT_S: Final = 30.0
"""Of a call on a connection with seed 004's profile, unless its method has its own."""

MAX_LIMIT_S: Final = 24 * 3600.0


def repeat_member(call: Call) -> object:
    """Return the member `idempotency_key` of a message or of its `options`."""
    found = call.message.get("idempotency_key")
    return _option(call.params, "idempotency_key") if found is None else found


def _option(params: object, name: str) -> object:
    options = params.get("options") if isinstance(params, dict) else None
    return options.get(name) if isinstance(options, dict) else None


def time_limit_s(method: Method, call: Call) -> float | None:
    """Return the longest time without a report: the caller's, the method's or the profile's.

    Raises:
        InvalidParams: the caller's is no number of milliseconds.
    """
    default = PLANNER_LIMIT_S if call.style is AnswerStyle.PLANNER else None
    limit_s = method.rules.time_limit_s or default
    given = _option(call.params, "timeout_ms")
    if given is None or limit_s is None:
        return limit_s
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise InvalidParams("options.timeout_ms must be a number of milliseconds")
    limit_s = given / 1000
    if not 0 < limit_s <= MAX_LIMIT_S:
        raise InvalidParams("options.timeout_ms must be more than 0 and at most a day")
    return limit_s


def progress_token(params: object) -> object:
    """Return the token of LSP (`workDoneToken`) or MCP (`_meta.progressToken`); None if neither."""
    if not isinstance(params, dict):
        return None
    meta = params.get("_meta")
    return meta.get("progressToken") if isinstance(meta, dict) else None


def epoch_of(method: Method, call: Call, *, is_positional: bool) -> int | None:
    """Return the epoch that a caller knows: a member, or one more argument than there are.

    Args:
        method: the method that is called.
        call: of it.
        is_positional: jrpc-oo: the caller can't add members.

    Raises:
        InvalidParams: it is no whole number.
    """
    params, epoch = call.params, call.message.get("epoch")
    args = params.get("args") if is_positional and isinstance(params, dict) else None
    if isinstance(args, list) and method.accepted is not None and len(args) > method.accepted:
        epoch = args[method.accepted] if epoch is None else epoch
    if epoch is not None and (not isinstance(epoch, int) or isinstance(epoch, bool)):
        raise InvalidParams("epoch must be a whole number")
    return epoch


def argument(method: Method, params: Params, name: str) -> object:
    """Return an argument before the arguments are checked; None if it isn't given."""
    given: object = params
    if isinstance(given, dict) and isinstance(given.get("args"), list):
        given = given["args"]
    if isinstance(given, dict):
        return given.get(name)
    names = list(method.signature.parameters)
    at = names.index(name) if name in names else -1
    return given[at] if isinstance(given, list) and 0 <= at < len(given) else None
