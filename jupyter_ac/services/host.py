"""Wire methods about the host itself: its methods, and what it counts of their calls."""

from collections.abc import Callable, Mapping
from typing import TypedDict

from jupyter_ac.errors import NotReady
from jupyter_ac.rpc.call_metrics import CallMetrics, MetricsSummary
from jupyter_ac.rpc.methods import Access, Method, method


class MethodRow(TypedDict):
    """What a method asks of its caller.

    Attributes:
        access: the right that a caller needs: read, write or execute.
        requires_state: the states of the target in which it may be called; empty for any.
        trigger: the transition of the target that a call begins, or "".
        changes_state: whether a call for an earlier epoch of the target is refused.
        is_billed: whether calls cost money, so that their number is limited.
    """

    access: str
    requires_state: list[str]
    trigger: str
    changes_state: bool
    is_billed: bool


class MethodList(TypedDict):
    """All methods of the host.

    Attributes:
        methods: by name.
    """

    methods: dict[str, MethodRow]


class DiscoveryMethods:
    """Methods about methods.

    Args:
        table: returns all methods.
    """

    def __init__(self, table: Callable[[], Mapping[str, Method]]) -> None:
        self._table = table

    @method(Access.READ)
    def discover(self) -> MethodList:
        """List the methods of this host, with what they ask of their caller."""
        return MethodList(methods={name: _row(found) for name, found in self._table().items()})


class MetricsMethods:
    """Methods about the calls of this host.

    Args:
        metrics: of the host; None: nothing is counted.
    """

    def __init__(self, metrics: CallMetrics | None) -> None:
        self._metrics = metrics

    @method(Access.READ)
    def get_metrics(self) -> MetricsSummary:
        """Return what was counted of calls, bytes, tokens and money since the host began."""
        if self._metrics is None:
            raise NotReady("This host counts nothing.")
        return self._metrics.summary()


def _row(found: Method) -> MethodRow:
    rules = found.rules
    return MethodRow(
        access=found.access.value,
        requires_state=list(rules.requires_state),
        trigger=rules.trigger,
        changes_state=rules.changes_state,
        is_billed=rules.is_billed,
    )
