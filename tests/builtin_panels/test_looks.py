import pytest

from jupyter_ac.builtin_panels.looks import (
    bar,
    button,
    choice,
    path_text,
    plural,
    problem,
    search_field,
    section,
)
from jupyter_ac.panels import component, html
from tests.panels.shown import shown


def test_numbers_have_their_word() -> None:
    assert [plural(count, "test") for count in (0, 1, 2000)] == ["0 tests", "1 test", "2,000 tests"]


@pytest.mark.parametrize(("share", "width"), [(-1.0, "0.0%"), (0.5, "50.0%"), (7.0, "100.0%")])
def test_a_bar_stays_in_its_place(share: float, width: str) -> None:
    inner = bar(share).children.items[0]
    assert width in str(getattr(inner, "props", None))


async def test_parts_are_labelled_and_can_be_used() -> None:
    pressed: list[object] = []

    @component
    def app() -> object:
        return section(
            "Part",
            problem("It is broken.", lambda: pressed.append("again")),
            button("Go", lambda: pressed.append("go"), title="Go there", is_pressed=True),
            choice("Which", "a", [("a", "A"), ("b", "B")], pressed.append),
            search_field("Filter", "x", pressed.append),
            path_text("a/b.py", is_gone=True),
            html.p("end"),
        )

    async with shown(app) as panel:
        await panel.fire("onClick", text="Try again")
        await panel.fire("onClick", text="Go")
        await panel.fire("onChange", "b")
        await panel.fire("onInput", "text")
        assert pressed == ["again", "go", "b", "text"]
        alert = panel.host.find(lambda node: node["props"].get("role") == "alert")
        assert alert["type"] == "div"
        go = panel.host.find(lambda node: node["props"].get("title") == "Go there")
        assert (go["props"]["aria-pressed"], go["props"]["type"]) == (True, "button")
        assert panel.host.find(lambda node: node["props"].get("title") == "a/b.py (gone)")
        assert panel.host.errors == []


async def test_a_path_that_is_no_text_is_shown() -> None:
    @component
    def app() -> object:
        return html.div(path_text("b\udcffd.py"))

    async with shown(app) as panel:
        assert panel.host.text() == "b?d.py"
