"""The rules of hooks."""

import threading
from collections.abc import Callable

import pytest

from jupyter_ac.errors import PanelError
from jupyter_ac.panels import (
    component,
    create_context,
    html,
    use_context,
    use_effect,
    use_environment,
    use_memo,
    use_reducer,
    use_ref,
    use_state,
)
from tests.panels.shown import shown

CONTEXT = create_context(0)
HOOKS: dict[str, Callable[[], object]] = {
    "use_state": lambda: use_state(0),
    "use_reducer": lambda: use_reducer(lambda state, _: state, 0),
    "use_ref": lambda: use_ref(0),
    "use_memo": lambda: use_memo(lambda: 0, ()),
    "use_effect": lambda: use_effect(lambda: None),
    "use_context": lambda: use_context(CONTEXT),
}


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_outside_of_a_component_is_refused(name: str) -> None:
    with pytest.raises(PanelError, match=f"{name} was called outside of a component"):
        HOOKS[name]()


def test_the_environment_is_a_context() -> None:
    with pytest.raises(PanelError, match="use_context was called outside of a component"):
        use_environment()


async def test_a_hook_in_a_handler_an_effect_or_a_thread_is_refused() -> None:
    caught: list[str] = []

    def call() -> None:
        try:
            use_state(0)
        except PanelError as error:
            caught.append(error.message)

    def in_thread() -> None:
        thread = threading.Thread(target=call)
        thread.start()
        thread.join()

    @component
    def app() -> object:
        use_effect(call, ())
        in_thread()
        return html.p({"on_click": call})

    async with shown(app) as one:
        await one.fire("onClick")
        assert len(caught) == 3
        assert one.host.errors == []


@pytest.mark.parametrize(
    ("first", "then", "words"),
    [
        (["use_state"], ["use_state", "use_ref"], "calls more hooks than before"),
        (["use_state", "use_ref"], ["use_state"], "fewer hooks than before: use_ref is missing"),
        (["use_ref"], ["use_memo"], "Hook 2 of .*app was use_ref before and is use_memo now"),
        (["use_state"], ["use_reducer"], "was use_state before and is use_reducer now"),
    ],
)
async def test_another_order_is_refused_and_the_panel_lives_on(
    first: list[str], then: list[str], words: str
) -> None:
    @component
    def app() -> object:
        count, set_count = use_state(0)
        for name in then if count == 1 else first:
            HOOKS[name]()
        return html.p({"on_click": lambda: set_count(lambda count: count + 1)}, count)

    async with shown(app) as one:
        await one.fire("onClick")
        with pytest.raises(AssertionError, match=words):
            assert not one.host.errors, one.host.errors[0]
        assert "always in the same order" in one.host.errors[0]
        assert one.host.text() == "0"
        await one.fire("onClick")
        assert one.host.text() == "2"
        assert len(one.host.errors) == 1
