"""Which answers a frame is owed: the rules of JSON-RPC and of jrpc-oo, written a second time."""

from jupyter_ac.errors import ParseError
from jupyter_ac.rpc.answer_styles import AnswerStyle
from jupyter_ac.rpc.codec import decode
from jupyter_ac.rpc.connection import BATCH_LIMIT, PLANNER_BYTES
from jupyter_ac.rpc.dialect import WireDialect


def owed_ids(frame: bytes, profile: WireDialect) -> list[str]:
    """Return the ids of the answers that a frame must get, as `repr`, sorted."""
    if profile.style is AnswerStyle.PLANNER and len(frame) > PLANNER_BYTES:
        return ["None"]
    try:
        value = decode(frame)
    except ParseError:
        return ["None"]
    if not isinstance(value, list):
        return _owed(value, jrpc_oo=profile.jrpc_oo)
    if len(value) > BATCH_LIMIT or not (value or profile.jrpc_oo):
        return ["None"]
    return sorted(each for item in value for each in _owed(item, jrpc_oo=profile.jrpc_oo))


def _owed(value: object, *, jrpc_oo: bool) -> list[str]:
    if not isinstance(value, dict):
        return ["None"]
    has_id, given = "id" in value, value.get("id")
    is_readable = given is None or type(given) in {str, int, float}
    call_id = repr(given) if is_readable else "None"
    if "method" not in value:
        return [] if _is_answer(value, jrpc_oo=jrpc_oo) else [call_id]
    params = value.get("params")
    has_params = "params" in value and not (jrpc_oo and params is None)
    is_valid = (
        is_readable
        and value.get("jsonrpc") == "2.0"
        and isinstance(value["method"], str)
        and (not has_params or isinstance(params, list | dict))
    )
    wants_none = not has_id or (jrpc_oo and given is None)
    return [] if is_valid and wants_none else [call_id]


def _is_answer(value: dict[str, object], *, jrpc_oo: bool) -> bool:
    if "result" in value or "error" in value:
        return True
    return jrpc_oo and "id" in value and "params" not in value
