"""`log`, and that it needs a panel."""

import pytest

from jupyter_ac.errors import PanelError
from jupyter_ac.panels import component, html, log, use_effect
from tests.panels.shown import shown


async def test_lines_reach_the_host_from_all_of_a_panels_code() -> None:
    class Odd:
        def __repr__(self) -> str:
            return "an odd one"

    async def click() -> None:
        log("clicked", {"a": [1]}, level="info")

    @component
    def app() -> object:
        log("runs")
        use_effect(lambda: log(Odd(), level="warn"), ())
        return html.p({"on_click": click})

    async with shown(app) as one:
        await one.fire("onClick")
        assert one.host.logs == [
            ("log", ["runs"]),
            ("warn", ["an odd one"]),
            ("info", ["clicked", {"a": [1]}]),
        ]


def test_there_is_no_log_elsewhere() -> None:
    with pytest.raises(PanelError, match="in the code of a panel only"):
        log("lost")
