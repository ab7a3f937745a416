"""`log` and `report_error`, and that they need a panel."""

import asyncio
from typing import TYPE_CHECKING, cast

import pytest

from jupyter_ac.errors import PanelError
from jupyter_ac.panels import component, html, log, report_error, use_effect
from tests.panels.shown import shown, until

if TYPE_CHECKING:
    from jupyter_ac.panels.current_panel import LogLevel


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


async def test_lines_and_errors_may_come_from_another_thread() -> None:
    def work() -> None:
        log("from a thread", {"a": 1})
        report_error(ValueError("caught"))

    @component
    def app() -> object:
        async def click() -> None:
            await asyncio.to_thread(work)

        return html.button({"on_click": click})

    async with shown(app) as one:
        await one.fire("onClick")
        await until(lambda: bool(one.host.errors))
        assert one.host.logs == [("log", ["from a thread", {"a": 1}])]
        assert one.host.errors == ["ValueError: caught"]


async def test_a_level_that_hosts_do_not_know_is_an_error() -> None:
    @component
    def app() -> object:
        return html.button({"on_click": lambda: log("x", level=cast("LogLevel", "warning"))})

    async with shown(app) as one:
        await one.fire("onClick")
        assert one.host.logs == []
        assert "'warning' is no level of a log" in one.host.errors[0]
