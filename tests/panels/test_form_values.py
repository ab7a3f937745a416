"""Controls show what their component says, also when a person has done something else meanwhile."""

from typing import TYPE_CHECKING

import pytest

from jupyter_ac.panels import component, html, use_ref, use_state
from tests.panels.shown import Shown, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from jupyter_ac.panels.wire import JsonValue


def events(one: Shown, *made: tuple[str, object]) -> None:
    """Make events of the same iteration of the loop: nothing is rendered between them."""
    for prop, value in made:
        args = [] if prop == "onSubmit" else [value]
        one.view.execute_handler(one.host.handler(prop), args)


def set_props(one: Shown) -> list[object]:
    """The props of all `setProps` since the first tree, by the value that they say."""
    return [
        change["props"].get("value", change["props"].get("checked"))
        for batch in one.host.batches
        for change in batch
        if change["type"] == "setProps"
    ]


@component
def todo() -> object:
    text, set_text = use_state("")
    items, set_items = use_state("")

    def add() -> None:
        set_items(f"{items}{text};")
        set_text("")

    return html.form(
        {"on_submit": add}, html.input({"value": text, "on_change": set_text}), html.p(items)
    )


async def test_a_form_is_empty_after_it_was_sent_with_what_was_typed_last() -> None:
    async with shown(todo) as one:
        events(one, ("onChange", "milk"), ("onSubmit", None))
        await one.settle()
        assert one.host.text() == "milk;"
        assert set_props(one) == ["milk", ""]
        events(one, ("onChange", "b"), ("onChange", "bread"), ("onSubmit", None))
        await one.settle()
        assert one.host.text() == "milk;bread;"
        assert set_props(one)[-1] == ""


async def test_a_field_that_shows_what_was_typed_is_not_sent_again() -> None:
    async with shown(todo) as one:
        events(one, ("onChange", "a"))
        await one.settle()
        events(one, ("onChange", "a"))
        await one.settle()
        assert set_props(one) == ["a"]


async def test_a_field_that_is_set_back_before_it_was_rendered_is_sent_again() -> None:
    @component
    def app() -> object:
        text, set_text = use_state("")

        def change(typed: str) -> None:
            set_text(typed)
            set_text("")

        return html.input({"value": text, "on_change": change})

    async with shown(app) as one:
        events(one, ("onChange", "milk"))
        await one.settle()
        assert set_props(one) == [""]


@pytest.mark.parametrize(
    ("tag", "props", "said", "reported"),
    [
        ("input", {}, "x", "y"),
        ("input", {"type": "number"}, 3, "4"),
        ("input", {"type": "checkbox"}, False, True),
        ("textarea", {}, "x", "y"),
        ("select", {}, "x", "y"),
        ("select", {"multiple": True}, ["x"], ["x", "y"]),
    ],
)
async def test_each_control_goes_back_to_what_a_component_insists_on(
    tag: str, props: dict[str, "JsonValue"], said: "JsonValue", reported: object
) -> None:
    name = "checked" if props.get("type") == "checkbox" else "value"

    @component
    def app() -> object:
        tries, set_tries = use_state(0)
        control = getattr(html, tag)(
            {**props, name: said, "on_change": lambda: set_tries(tries + 1)}
        )
        return html.div(control, tries)

    async with shown(app) as one:
        events(one, ("onChange", reported))
        await one.settle()
        assert set_props(one) == [said]
        same = str(said) if isinstance(said, int) and name == "value" else said
        events(one, ("onChange", same))
        await one.settle()
        assert set_props(one) == [said]


@pytest.mark.parametrize(
    ("props", "reported"),
    [
        ({"type": "radio", "checked": False, "value": "a"}, "a"),
        ({"type": "file"}, [{"name": "a.txt"}]),
        ({}, "typed"),
        ({"default_value": "x"}, "typed"),
    ],
)
async def test_controls_without_a_value_of_their_own_keep_what_they_have(
    props: dict[str, "JsonValue"], reported: object
) -> None:
    @component
    def app() -> object:
        tries, set_tries = use_state(0)
        return html.div(html.input({**props, "on_change": lambda: set_tries(tries + 1)}), tries)

    async with shown(app) as one:
        events(one, ("onChange", reported))
        await one.settle()
        assert one.host.text() == "1"
        assert set_props(one) == []


async def test_a_field_whose_text_only_a_ref_has_stays_until_its_component_runs_again() -> None:
    setters: list[Callable[[int], None]] = []

    @component
    def app() -> object:
        typed = use_ref("")
        count, set_count = use_state(0)
        setters.append(set_count)
        return html.div(
            html.input({"value": "", "on_input": lambda text: setattr(typed, "current", text)}),
            f"{typed.current}{count}",
        )

    async with shown(app) as one:
        events(one, ("onInput", "abc"))
        await one.settle()
        assert one.host.batches == []
        setters[-1](1)
        await one.settle()
        assert one.host.text() == "abc1"
        assert set_props(one) == [""]


async def test_what_was_reported_of_a_removed_control_is_forgotten() -> None:
    @component
    def app() -> object:
        is_shown, set_shown = use_state(True)
        field = html.input({"value": "x", "on_change": lambda: set_shown(False)})
        return html.div(is_shown and field)

    async with shown(app) as one:
        events(one, ("onChange", "y"))
        await one.settle()
        assert one.runtime._renderer._reconciler.form_values._reported == {}
        assert one.host.errors == []
