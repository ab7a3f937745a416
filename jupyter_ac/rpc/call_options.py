"""What a caller says of a call beside its arguments; all of it is untrusted.

The epoch that it knows (seed 003), the key of a call that may be repeated, the time limit (seed
004), the token for progress (MCP).
"""

from typing import Final

from jupyter_ac.errors import InvalidParams
from jupyter_ac.rpc.answer_styles import AnswerStyle
from jupyter_ac.rpc.connection import Call
from jupyter_ac.rpc.messages import Params
from jupyter_ac.rpc.methods import Method

PLANNER_LIMIT_S: Final = 30.0
"""Of a call on a connection with seed 004's profile, unless its method has its own."""

_META: Final = "_meta"

MAX_LIMIT_S: Final = 24 * 3600.0


def repeat_member(call: Call) -> object:
    """Return the member `idempotency_key` of a message or of its `options`."""
    found = call.message.get("idempotency_key")
    return _member(call.params, "options", "idempotency_key") if found is None else found


def _member(params: object, group: str, name: str) -> object:
    members = params.get(group) if isinstance(params, dict) else None
    return members.get(name) if isinstance(members, dict) else None


def time_limit_s(method: Method, call: Call) -> float | None:
    """Return the longest time without a report: the caller's, the method's or the profile's.

    Seed 004's callers say it as `options.timeout_ms`, for plans `constraints.time_limit_seconds`.

    Raises:
        InvalidParams: the caller's is no time, or longer than a day.
    """
    default = PLANNER_LIMIT_S if call.style is AnswerStyle.PLANNER else None
    limit_s = method.rules.time_limit_s or default
    if limit_s is None:
        return None
    for group, name, unit_s in _LIMIT_MEMBERS:
        given = _member(call.params, group, name)
        if given is not None:
            return _given_limit_s(given, f"{group}.{name}", unit_s)
    return limit_s


_LIMIT_MEMBERS: Final = (
    ("options", "timeout_ms", 0.001),
    ("constraints", "time_limit_seconds", 1.0),
)


def _given_limit_s(given: object, name: str, unit_s: float) -> float:
    limit_s = 0.0
    # Compared before it is multiplied: an integer may be too large for a float.
    if isinstance(given, int | float) and not isinstance(given, bool):
        limit_s = given * unit_s if 0 < given <= MAX_LIMIT_S / unit_s else 0.0
    if not 0 < limit_s <= MAX_LIMIT_S:
        raise InvalidParams(
            f"{name} must be a number above 0, and at most a day", {"path": f"$.{name}"}
        )
    return limit_s


def progress_token(params: object) -> object:
    """Return the token for progress that a caller gave as in MCP; None if it gave none."""
    return _member(params, _META, "progressToken")


def arguments(params: Params) -> Params:
    """Return the params without `_meta`, which MCP's callers add to the named arguments."""
    if isinstance(params, dict) and _META in params:
        return {name: value for name, value in params.items() if name != _META}
    return params


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
