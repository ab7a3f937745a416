"""The two dialects of the protocol: how arguments are encoded and bound to parameters.

`JSONRPC2` is the strict specification. `JRPC_OO` is the dialect of the JavaScript library of that
name: arguments in `{"args": […]}`, surplus ones dropped, a null id for a notification, answers
without a result, each item of an array answered in its own frame, and a handshake with
`system.listComponents`.
"""

from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import InvalidParams
from jupyter_ac.rpc.messages import Params
from jupyter_ac.rpc.methods import Method

LIST_COMPONENTS: Final = "system.listComponents"

Arguments = tuple[list[object], dict[str, object]]
"""Positional and named arguments."""


@dataclass(frozen=True, slots=True)
class WireDialect:
    """A dialect; there are two, compare with `is`.

    Attributes:
        name: for logs and messages.
        jrpc_oo: False for JSON-RPC 2.0.
    """

    name: str
    jrpc_oo: bool

    def pack(self, args: tuple[object, ...]) -> Params:
        """Encode the arguments of an outgoing call."""
        return {"args": list(args)} if self.jrpc_oo else list(args)

    def bind(self, method: Method, params: Params) -> Arguments:
        """Bind received arguments to a method's parameters.

        Raises:
            InvalidParams: too few, too many, unknown, or in the wrong form.
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
            raise InvalidParams('arguments must be an array: "params": {"args": [...]}')
        return _bind_positional(method, positional, lenient=self.jrpc_oo), {}


def _bind_positional(method: Method, args: list[object], *, lenient: bool) -> list[object]:
    count = len(args)
    if method.accepted is not None and count > method.accepted:
        if not lenient:
            raise InvalidParams(
                f"{method.name} takes at most {method.accepted} arguments, {count} were given"
            )
        args = args[: method.accepted]
    if count < method.required:
        missing = list(method.signature.parameters)[count : method.required]
        raise InvalidParams(f"{method.name} also needs {', '.join(missing)}")
    return method.parameters.by_position(args, lenient=lenient)


JSONRPC2: Final = WireDialect("jsonrpc2", jrpc_oo=False)
JRPC_OO: Final = WireDialect("jrpc-oo", jrpc_oo=True)
