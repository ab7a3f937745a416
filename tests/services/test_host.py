"""The methods about the host."""

import pytest

from jupyter_ac.errors import NotReady
from jupyter_ac.rpc.call_metrics import CallMetrics
from jupyter_ac.rpc.methods import BILLED, Access, CallRules, MethodTable, Namespace, method
from jupyter_ac.services.host import DiscoveryMethods, MetricsMethods


class Part:
    """Methods with rules."""

    @method(
        Access.EXECUTE, rules=CallRules(("connected",), trigger="start_inspect", changes_state=True)
    )
    async def inspect(self) -> None:
        """Have all of them."""

    @method(Access.WRITE, rules=BILLED)
    async def ask(self) -> None:
        """Cost money."""


def test_each_method_says_what_it_asks_of_its_caller() -> None:
    table = MethodTable(Namespace("", Part()), Namespace("T", Part(), aliases=("U",)))
    found = DiscoveryMethods(lambda: table).discover()["methods"]
    assert set(found) == {"inspect", "ask", "T.inspect", "T.ask", "U.inspect", "U.ask"}
    assert found["inspect"] == {
        "access": "execute",
        "requires_state": ["connected"],
        "trigger": "start_inspect",
        "changes_state": True,
        "is_billed": False,
    }
    assert found["U.ask"]["is_billed"] is True


def test_metrics_are_the_hosts() -> None:
    metrics = CallMetrics(["T.ask"])
    metrics.record("T.ask", "success", 0.1)
    assert MetricsMethods(metrics).get_metrics()["methods"][0]["success"] == 1
    with pytest.raises(NotReady):
        MetricsMethods(None).get_metrics()
