"""Components that fail, and those that are too much."""

import sys
from typing import TYPE_CHECKING

import pytest

from jupyter_ac.panels import component, html, use_state
from jupyter_ac.panels.component_runner import MAX_LEVELS, MAX_RUNS
from jupyter_ac.panels.wire import MAX_DEPTH, MAX_NODES
from tests.panels.shown import shown

if TYPE_CHECKING:
    from collections.abc import Callable


async def test_a_component_that_fails_keeps_what_it_showed() -> None:
    @component
    def app() -> object:
        count, set_count = use_state(0)
        if count == 1:
            raise ValueError("not one")
        return html.p({"on_click": lambda: set_count(lambda count: count + 1)}, count)

    async with shown(app) as one:
        await one.fire("onClick")
        assert one.host.text() == "0"
        assert one.host.errors == ["ValueError: not one"]
        await one.fire("onClick")
        assert one.host.text() == "2"


async def test_a_component_that_fails_at_first_shows_nothing_and_the_others_stay() -> None:
    @component
    def bad() -> object:
        raise ValueError("never")

    @component
    def app() -> object:
        return html.div(bad(), html.p("here"))

    async with shown(app) as one:
        assert one.host.text() == "here"
        assert one.host.errors == ["ValueError: never"]


@pytest.mark.parametrize(
    "error", [SystemExit(3), RecursionError("deep"), KeyboardInterrupt("now"), GeneratorExit("odd")]
)
async def test_whatever_is_raised_ends_nothing(error: BaseException) -> None:
    @component
    def app() -> object:
        raise error

    async with shown(app) as one:
        assert one.host.tree is None
        assert one.host.errors == [f"{type(error).__name__}: {error}"]


async def test_a_setter_called_while_rendering_comes_to_rest_or_is_stopped() -> None:
    runs = []

    @component
    def rests() -> object:
        count, set_count = use_state(0)
        if count < 3:
            set_count(count + 1)
        return html.p(count)

    @component
    def never_rests() -> object:
        count, set_count = use_state(0)
        runs.append(1)
        set_count(count + 1)
        return html.p("loops")

    @component
    def app() -> object:
        return html.div(rests(), never_rests())

    async with shown(app) as one:
        assert one.host.text() == "3loops"
        assert len(runs) == MAX_RUNS
        assert len(one.host.errors) == 1
        assert "never_rests runs again and again" in one.host.errors[0]


async def test_a_component_that_shows_itself_is_stopped() -> None:
    @component
    def endless() -> object:
        return endless()

    @component
    def boxes() -> object:
        return html.div(html.div(boxes()))

    @component
    def app() -> object:
        return html.div(endless(), boxes(), html.p("here"))

    limit = sys.getrecursionlimit()
    async with shown(app) as one:
        assert one.host.text() == "here"
        assert f"more than {MAX_LEVELS} components" in one.host.errors[0]
        assert f"more than {MAX_DEPTH} nodes" in one.host.errors[1]
    assert sys.getrecursionlimit() == limit


async def test_a_function_that_calls_itself_without_an_end_is_an_error() -> None:
    def again() -> object:
        return again()

    @component
    def app() -> object:
        return html.p(again())

    async with shown(app) as one:
        assert one.host.errors[0].startswith("RecursionError")


def nested(depth: int) -> object:
    element = html.p()
    for _ in range(depth - 1):
        element = html.div(element)
    return element


@pytest.mark.parametrize(("depth", "fits"), [(MAX_DEPTH, True), (MAX_DEPTH + 1, False)])
async def test_the_depth_is_limited(depth: int, fits: bool) -> None:
    async with shown(component(lambda: nested(depth))) as one:
        assert (one.host.tree is not None) is fits
        assert len(one.host.errors) == (0 if fits else 1)


def shared() -> object:
    element = html.p("x")
    for _ in range(40):
        element = html.div(element, element)
    return element


async def test_the_number_of_nodes_is_limited_over_all_components() -> None:
    setters: list[Callable[[int], None]] = []

    @component
    def empty() -> None:
        """Counts as a node, and has no bytes."""

    @component
    def rows(count: int) -> object:
        return [empty(key=number) for number in range(count)]

    @component
    def app() -> object:
        count, set_count = use_state(2)
        setters.append(set_count)
        return html.div(rows(count), rows(count), shared() if count == 3 else None)

    async with shown(app) as one:
        assert len(one.host.sent) == 1
        setters[0](MAX_NODES // 2 + 1)
        await one.settle()
        assert [error[:31] for error in one.host.errors] == ["A panel has at most 20,000 node"]
        setters[0](3)
        await one.settle()
        assert len(one.host.errors) == 2
        for count in (MAX_NODES // 2 - 5, 1, MAX_NODES // 2 - 5):
            setters[0](count)
            await one.settle()
        assert len(one.host.errors) == 2
