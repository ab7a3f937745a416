"""The dialects of the protocol: how arguments are bound to parameters, and the form of answers.

`JSONRPC2` is the strict specification, `EPOCH` and `PLANNER` the same with the answers of seeds 003
and 004; `BY_METHOD` chooses among these three by each call's name. `JRPC_OO` is the dialect of the
JavaScript library of that name: arguments in `{"args": […]}`, surplus ones dropped, a null id for a
notification, answers without a result, each item of an array answered in its own frame, and a
handshake with `system.listComponents`.
"""

from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import InvalidParams
from jupyter_ac.rpc.answer_styles import AnswerStyle
from jupyter_ac.rpc.messages import Params
from jupyter_ac.rpc.methods import Method

LIST_COMPONENTS: Final = "system.listComponents"

Arguments = tuple[list[object], dict[str, object]]
"""Positional and named arguments."""


@dataclass(frozen=True, slots=True)
class WireDialect:
    """A dialect; compare with `is`.

    Attributes:
        name: for logs and messages.
        jrpc_oo: False for JSON-RPC 2.0.
        style: the form of its answers; None: each call's own.
    """

    name: str
    jrpc_oo: bool
    style: AnswerStyle | None

    def pack(self, args: tuple[object, ...]) -> Params:
        """Encode the arguments of an outgoing call."""
        return {"args": list(args)} if self.jrpc_oo else list(args)

    def pack_named(self, params: dict[str, object]) -> Params:
        """Encode the named arguments of an outgoing notification; jrpc-oo has no names."""
        return {"args": [params]} if self.jrpc_oo else params

    def bind(self, method: Method, params: Params) -> Arguments:
        """Bind received arguments to a method's parameters.

        Raises:
            InvalidParams: too few, too many, unknown, or in the wrong form; its `path` is as in
                `parameters`, of the first surplus argument its place, such as `$[2]`.
        """
        if params is None:
            positional: object = []
        elif isinstance(params, list):
            positional = params
        elif self.jrpc_oo:
            positional = params.get("args") if params else []
        else:
            return [], method.parameters.by_name(params)
        if not isinstance(positional, list):
            raise InvalidParams(
                'arguments must be an array: "params": {"args": [...]}',
                {"path": "$.args" if isinstance(params, dict) and "args" in params else "$"},
            )
        return _bind_positional(method, positional, lenient=self.jrpc_oo), {}


def _bind_positional(method: Method, args: list[object], *, lenient: bool) -> list[object]:
    count = len(args)
    if method.accepted is not None and count > method.accepted:
        if not lenient:
            raise InvalidParams(
                f"{method.name} takes at most {method.accepted} arguments, {count} were given",
                {"path": f"$[{method.accepted}]"},
            )
        args = args[: method.accepted]
    if count < method.required:
        missing = list(method.signature.parameters)[count : method.required]
        raise InvalidParams(f"{method.name} also needs {', '.join(missing)}", {"path": "$"})
    return method.parameters.by_position(args, lenient=lenient)


JSONRPC2: Final = WireDialect("jsonrpc2", jrpc_oo=False, style=AnswerStyle.STANDARD)
EPOCH: Final = WireDialect("epoch", jrpc_oo=False, style=AnswerStyle.EPOCH)
PLANNER: Final = WireDialect("planner", jrpc_oo=False, style=AnswerStyle.PLANNER)
BY_METHOD: Final = WireDialect("by method", jrpc_oo=False, style=None)
JRPC_OO: Final = WireDialect("jrpc-oo", jrpc_oo=True, style=AnswerStyle.PLAIN)

PROFILES: Final = {each.name: each for each in (JSONRPC2, EPOCH, PLANNER, JRPC_OO)}
"""What `?profile=` of an address may say."""
