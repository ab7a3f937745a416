"""`@component`."""

import pytest

from jupyter_ac.errors import PanelError
from jupyter_ac.panels import component, html, use_state
from tests.panels.shown import shown


@component
def greeting(name: str = "you") -> object:
    """Greets."""
    return html.p("Hello ", name)


def test_a_call_is_an_element_that_runs_later() -> None:
    element = greeting("a", key="k")
    assert (element.component, element.args, element.key) == (greeting, ("a",), "k")
    assert repr(greeting) == "<component greeting>"
    assert greeting.__doc__ == "Greets."


async def test_a_memo_runs_again_only_with_other_arguments() -> None:
    runs = []

    @component(memo=True)
    def row(item: dict[str, int]) -> object:
        runs.append(dict(item))
        return html.li(str(item))

    item = {"a": 1}

    @component
    def app() -> object:
        _, again = use_state(0)

        def click() -> None:
            again(lambda count: count + 1)

        def blur() -> None:
            item["a"] += 1
            click()

        return html.ul({"on_click": click, "on_blur": blur}, row(item))

    async with shown(app) as one:
        await one.fire("onClick")
        assert runs == [{"a": 1}]
        await one.fire("onBlur")
        assert runs == [{"a": 1}, {"a": 2}]
        assert one.host.text() == "{'a': 2}"


async def test_a_memo_whose_arguments_cant_be_compared_runs() -> None:
    class Odd:
        def __eq__(self, other: object) -> bool:
            raise ValueError("no comparison")

        __hash__ = object.__hash__

    runs = []

    @component(memo=True)
    def row(_item: Odd) -> object:
        runs.append(1)
        return html.li()

    @component
    def app() -> object:
        _, again = use_state(0)
        return html.ul({"on_click": lambda: again(lambda count: count + 1)}, row(Odd()))

    async with shown(app) as one:
        await one.fire("onClick")
        assert len(runs) == 2
        assert one.host.errors == []


async def test_a_memo_with_new_state_runs() -> None:
    @component(memo=True)
    def counter() -> object:
        count, set_count = use_state(0)
        return html.button({"on_click": lambda: set_count(count + 1)}, count)

    async with shown(counter) as one:
        await one.fire("onClick")
        assert one.host.text() == "1"


def test_a_coroutine_is_no_component() -> None:
    @component
    async def late() -> None:
        """Never runs."""

    with pytest.raises(PanelError, match="late is async; a component returns at once"):
        late.run((), {})
