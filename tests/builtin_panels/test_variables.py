import asyncio

import numpy as np
import pandas as pd
import pytest

from jupyter_ac.builtin_panels import variables
from jupyter_ac.builtin_panels.variables import (
    DESCRIBE,
    LAST_ERROR,
    LIST,
    bytes_of,
    kind_of,
    plugin,
)
from jupyter_ac.errors import Busy, NotFound, Unsupported
from jupyter_ac.inspection.variables import describe_variable, list_variables
from tests.builtin_panels.served_panels import MadeUpServices, ShownPanel, shown_panel

ERROR = {
    "type": "ZeroDivisionError",
    "message": "division by zero",
    "notes": ["look at x"],
    "frames": [
        {
            "kind": "cell",
            "file": "",
            "cell": 3,
            "line": 2,
            "function": "<module>",
            "source": "→ 1 / x",
            "locals": [],
            "locals_left_out": 0,
        }
    ],
    "frames_left_out": 0,
    "causes": ["KeyError: 'soil'"],
}


class Kernel:
    """The namespace of a kernel, described by the real inspection."""

    def __init__(self, **names: object) -> None:
        self.names: dict[object, object] = dict(names.items())
        self.services = MadeUpServices(
            {
                LIST: lambda: list_variables(self.names),
                DESCRIBE: lambda name: describe_variable(self.names, name, None),
                LAST_ERROR: None,
            }
        )


def rows(panel: ShownPanel) -> list[str]:
    """The names in the table."""
    table = panel.host.find(lambda node: "Variables" in str(node["props"].get("label")))
    found = table["props"]["rows"]
    assert isinstance(found, list)
    return [str(row[0]) for row in found if isinstance(row, list)]


@pytest.fixture(autouse=True)
def never_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variables, "REFRESH_S", 1e6)


async def test_variables_are_listed_narrowed_and_described() -> None:
    kernel = Kernel(
        df=pd.DataFrame({"soil": [1, 2], "kind": ["a", "b"]}),
        grid=np.zeros((20, 3)),
        note="some words",
        work=len,
        lib=np,
    )
    async with shown_panel(plugin, kernel.services) as panel:
        assert rows(panel) == ["df", "grid", "note"]
        assert "3 of 5 variables" in panel.host.text()
        await panel.choose("Kind", "all")
        assert len(rows(panel)) == 5
        await panel.type("Filter", "FRAME")
        assert rows(panel) == ["df"]
        await panel.fire("onRowClick", 0)
        await panel.until_text("pandas")
        head = panel.host.find(lambda node: "first rows" in str(node["props"].get("label")))
        assert head["props"]["columns"] == ["soil (int64)", "kind (str)"] or "soil" in str(
            head["props"]["columns"]
        )
        await panel.press("Close")
        assert "pandas" not in panel.host.text()
        await panel.type("Filter", "nothing such")
        assert "No variable is like that." in panel.host.text()


@pytest.mark.parametrize("at", [-1, 99, "0", None])
async def test_a_row_that_is_not_there_describes_nothing(at: object) -> None:
    kernel = Kernel(n=1)
    async with shown_panel(plugin, kernel.services) as panel:
        await panel.fire("onRowClick", at)
        assert kernel.services.called(DESCRIBE) == []


async def test_a_refresh_shows_what_is_now() -> None:
    kernel = Kernel(n=1)
    async with shown_panel(plugin, kernel.services) as panel:
        await panel.fire("onRowClick", 0)
        await panel.until(lambda: kernel.services.called(DESCRIBE))
        kernel.names |= {"n": 2, "m": 3}
        await panel.press("Refresh")
        await panel.until(lambda: rows(panel) == ["n", "m"])
        await panel.until(lambda: len(kernel.services.called(DESCRIBE)) == 2)
        del kernel.names["n"]
        await panel.press("Refresh")
        await panel.until(lambda: rows(panel) == ["m"])


async def test_it_refreshes_by_itself_unless_that_is_switched_off_or_nobody_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(variables, "REFRESH_S", 0.001)
    kernel = Kernel(n=1)
    async with shown_panel(plugin, kernel.services) as panel:
        kernel.names["m"] = 2
        await panel.until(lambda: rows(panel) == ["n", "m"])
        await panel.tick(is_on=False)
        asked = len(kernel.services.called(LIST))
        for _ in range(20):
            await asyncio.sleep(0.002)
        assert len(kernel.services.called(LIST)) <= asked + 1
        asked = len(kernel.services.called(LIST))
        panel.view.set_environment({"active": False})
        await panel.tick(is_on=True)
        for _ in range(20):
            await asyncio.sleep(0.002)
        assert len(kernel.services.called(LIST)) <= asked + 1
        panel.view.set_environment({"active": True})
        await panel.until(lambda: len(kernel.services.called(LIST)) > asked + 2)


@pytest.mark.parametrize(
    "problem",
    [
        Unsupported("Kernels are reached through a JupyterLab page; here is none."),
        NotFound("The notebook isn't open with a running kernel."),
        Busy("The kernel is busy with a cell."),
    ],
)
async def test_without_a_kernel_it_says_why_and_tries_again(problem: Exception) -> None:
    kernel = Kernel(n=1)
    list_them = kernel.services.answers[LIST]
    kernel.services.put(LIST, problem)
    async with shown_panel(plugin, kernel.services) as panel:
        assert str(problem) in panel.host.text()
        kernel.services.put(LIST, list_them)
        await panel.press("Try again")
        await panel.until(lambda: "variable" in panel.host.text())
        assert rows(panel) == ["n"]


async def test_a_kernel_without_variables_says_so() -> None:
    async with shown_panel(plugin, Kernel().services) as panel:
        assert "run a cell" in panel.host.text()


async def test_a_value_that_is_gone_says_so() -> None:
    kernel = Kernel(n=1)
    kernel.services.put(DESCRIBE, NotFound("There is no variable n."))
    async with shown_panel(plugin, kernel.services) as panel:
        await panel.fire("onRowClick", 0)
        await panel.until_text("There is no variable n.")


async def test_the_last_error_is_shown() -> None:
    kernel = Kernel(n=1)
    kernel.services.put(LAST_ERROR, ERROR)
    async with shown_panel(plugin, kernel.services) as panel:
        for words in ("ZeroDivisionError", "cell [3], line 2", "→ 1 / x", "look at x", "KeyError"):
            assert words in panel.host.text()


@pytest.mark.parametrize(
    ("size", "words"),
    [(1, "1 byte"), (999, "999 bytes"), (3_200, "3.2 kB"), (3_200_000, "3.2 MB"), (4e12, "4.0 TB")],
)
def test_sizes_are_words(size: float, words: str) -> None:
    assert bytes_of(int(size)) == words


def test_an_unknown_kind_is_all() -> None:
    assert [kind_of(value) for value in ("class", "x")] == ["class", "all"]
