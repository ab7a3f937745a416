"""What each hook does."""

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from jupyter_ac.panels import (
    Ref,
    component,
    html,
    log,
    use_effect,
    use_memo,
    use_reducer,
    use_ref,
    use_state,
)
from tests.panels.shown import counter, shown, until

if TYPE_CHECKING:
    from collections.abc import Callable


async def test_updates_of_one_event_are_rendered_once() -> None:
    runs = []

    @component
    def app() -> object:
        count, set_count = use_state(0)
        runs.append(count)

        def click() -> None:
            for _ in range(10_000):
                set_count(lambda present: present + 1)

        return html.button({"on_click": click}, count)

    async with shown(app) as one:
        await one.fire("onClick")
        assert runs == [0, 10_000]
        assert len(one.host.batches) == 1


async def test_only_the_component_with_new_state_runs() -> None:
    runs: list[object] = []

    @component
    def row(number: int) -> object:
        count, set_count = use_state(0)
        runs.append(number)
        return html.li({"on_click": lambda: set_count(count + 1)}, f"{number}:{count}")

    @component
    def app() -> object:
        runs.append("app")
        return html.ul([row(number, key=number) for number in range(3)])

    async with shown(app) as one:
        runs.clear()
        await one.fire("onClick", text="1:")
        assert runs == [1]


@pytest.mark.parametrize("value", [0, "a", None, 1.5, True])
async def test_the_same_plain_value_runs_nothing(value: object) -> None:
    runs = []

    @component
    def app() -> object:
        _, set_state = use_state(value)
        runs.append(1)
        return html.p({"on_click": lambda: set_state(value)})

    async with shown(app) as one:
        await one.fire("onClick")
        assert len(runs) == 1


async def test_the_same_list_changed_in_place_runs_the_component() -> None:
    @component
    def app() -> object:
        items, set_items = use_state(["a"])

        def click() -> None:
            items.append("b")
            set_items(items)

        return html.p({"on_click": click}, items)

    async with shown(app) as one:
        await one.fire("onClick")
        assert one.host.text() == "ab"


async def test_a_first_value_can_be_computed_and_is_so_once() -> None:
    computed = []

    def compute() -> int:
        computed.append(1)
        return 5

    @component
    def app() -> object:
        count, set_count = use_state(compute)
        return html.p({"on_click": lambda: set_count(count + 1)}, count)

    async with shown(app) as one:
        await one.fire("onClick")
        assert one.host.text() == "6"
        assert len(computed) == 1


async def test_setters_stay_the_same_functions() -> None:
    setters = set()

    @component
    def app() -> object:
        count, set_count = use_state(0)
        setters.add(set_count)
        return html.p({"on_click": lambda: set_count(count + 1)})

    async with shown(app) as one:
        await one.fire("onClick")
        assert len(setters) == 1


async def test_state_is_set_from_other_threads() -> None:
    app, setters = counter()

    def count_up() -> None:
        for _ in range(500):
            setters[0](lambda count: count + 1)

    async with shown(app) as one:
        threads = [threading.Thread(target=count_up) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            await asyncio.to_thread(thread.join)
        await until(lambda: one.host.text() == "2000")
        assert one.host.errors == []


async def test_setters_of_what_has_gone_do_nothing() -> None:
    setters: list[Callable[[int], None]] = []

    @component
    def app() -> object:
        _, set_state = use_state(0)
        setters.append(set_state)
        return html.p()

    async with shown(app) as one:
        pass
    sent = len(one.host.sent)
    setters[0](5)
    thread = threading.Thread(target=setters[0], args=(6,))
    thread.start()
    thread.join()
    await one.settle()
    assert len(one.host.sent) == sent


async def test_a_reducer_takes_actions() -> None:
    @component
    def app() -> object:
        factor, set_factor = use_state(1)

        def add(total: int, by: int) -> int:
            return total + by * factor

        total, dispatch = use_reducer(add, 0)

        def click() -> None:
            dispatch(1)
            dispatch(2)

        return html.p({"on_click": click, "on_blur": lambda: set_factor(10)}, total)

    async with shown(app) as one:
        await one.fire("onClick")
        assert one.host.text() == "3"
        await one.fire("onBlur")
        await one.fire("onClick")
        assert one.host.text() == "33"


async def test_a_ref_is_kept_and_runs_nothing() -> None:
    refs: list[Ref[int]] = []

    @component
    def app() -> object:
        ref = use_ref(0)
        refs.append(ref)
        _, again = use_state(0)

        def click() -> None:
            ref.current += 1

        return html.p({"on_click": click, "on_blur": lambda: again(1)}, ref.current)

    async with shown(app) as one:
        await one.fire("onClick")
        assert one.host.text() == "0"
        await one.fire("onBlur")
        assert one.host.text() == "1"
        assert refs[0] is refs[1]


async def test_a_memo_is_computed_when_its_dependencies_change() -> None:
    computed = []
    items = [1]

    def compute() -> int:
        computed.append(1)
        return sum(items)

    @component
    def app() -> object:
        _, again = use_state(0)
        total = use_memo(compute, [items])

        def click() -> None:
            items.append(5)

        return html.p({"on_click": click, "on_blur": lambda: again(lambda count: count + 1)}, total)

    async with shown(app) as one:
        await one.fire("onBlur")
        assert (one.host.text(), len(computed)) == ("1", 1)
        await one.fire("onClick")
        await one.fire("onBlur")
        assert (one.host.text(), len(computed)) == ("6", 2)


async def test_an_effect_runs_after_the_host_was_told() -> None:
    @component
    def app() -> object:
        use_effect(lambda: log("from the effect"))
        return html.p("shown")

    async with shown(app) as one:
        assert one.host.names() == ["updateTree", "log"]


async def test_a_setter_called_from_a_task_of_the_loop_renders() -> None:
    @component
    def app() -> object:
        text, set_text = use_state("waiting")

        async def click() -> None:
            await asyncio.sleep(0)
            set_text("done")

        return html.p({"on_click": click}, text)

    async with shown(app) as one:
        assert one.host.text() == "waiting"
        await one.fire("onClick")
        assert one.host.text() == "done"
