"""The life of a panel with several views."""

import gc
import weakref
from typing import TYPE_CHECKING

import pytest

from jupyter_ac.panels import PanelRuntime, PanelView, component, html, use_effect, use_state
from tests.panels.memory_host import MemoryHost
from tests.panels.shown import shown, turns

if TYPE_CHECKING:
    from collections.abc import Callable


@component
def counter(start: int = 0, label: str = "count") -> object:
    count, set_count = use_state(start)
    return html.button({"on_click": lambda: set_count(count + 1)}, f"{label} {count}")


async def open_view(
    runtime: PanelRuntime, props: dict[str, object] | None = None
) -> tuple[PanelView, MemoryHost]:
    host = MemoryHost()
    view = PanelView(runtime, host.send)
    await view.initialize({"protocolVersion": 3, "props": props})
    return view, host


async def test_views_share_the_state_and_each_gets_what_it_misses() -> None:
    runtime = PanelRuntime(counter)
    one, first = await open_view(runtime)
    one.execute_handler(first.handler("onClick"), [])
    two, second = await open_view(runtime)
    assert first.text() == second.text() == "count 1"
    assert second.names() == ["updateTree"]
    two.execute_handler(second.handler("onClick"), [])
    await turns()
    assert first.tree == second.tree
    assert first.names() == ["updateTree", "applyMutations", "applyMutations"]
    await one.destroy()
    assert runtime.is_running
    two.execute_handler(second.handler("onClick"), [])
    await turns()
    assert (first.text(), second.text()) == ("count 2", "count 3")
    await two.destroy()
    assert not runtime.is_running


async def test_the_panel_begins_anew_after_its_last_view() -> None:
    runtime = PanelRuntime(counter, {"label": "first"})
    view, host = await open_view(runtime, props={"start": 5})
    ids = host.handler_ids()
    await view.destroy()
    await view.destroy()
    again, other = await open_view(runtime)
    assert (host.text(), other.text()) == ("count 5", "first 0")
    assert other.handler_ids().isdisjoint(ids)
    await again.destroy()


async def test_props_are_replaced_and_state_stays() -> None:
    async with shown(counter, {"label": "a"}) as one:
        await one.fire("onClick")
        one.view.update_props({"label": "b", "start": 100})
        await one.settle()
        assert one.host.text() == "b 1"
        one.view.update_props({"unknown": 1})
        await one.settle()
        assert one.host.text() == "b 1"
        assert "unexpected keyword argument" in one.host.errors[0]
        one.view.update_props({"key": "x", "label": "c"})
        one.view.update_props(None)
        await one.settle()
        assert one.host.text() == "count 1"


async def test_an_event_of_a_node_that_has_gone_is_noted() -> None:
    async with shown(counter) as one:
        one.view.execute_handler("node-99:onClick" * 99, [])
        level, args = one.host.logs[0]
        assert level == "warn"
        assert str(args[0]).startswith("There is no handler node-99:onClick")
        assert len(str(args[0])) < 200


async def test_a_late_event_runs_the_newest_function() -> None:
    async with shown(counter) as one:
        handler = one.host.handler("onClick")
        one.view.execute_handler(handler, [])
        one.runtime.flush()
        one.view.execute_handler(handler, [])
        await one.settle()
        assert one.host.text() == "count 2"


async def test_nothing_of_a_closed_panel_stays() -> None:
    class Held:
        pass

    held = Held()
    gone = weakref.ref(held)

    @component
    def app(one: Held | None) -> object:
        use_effect(lambda: lambda: one, [one])
        return html.p({"on_click": lambda: one})

    runtime = PanelRuntime(app, {"one": held})
    view, _ = await open_view(runtime)
    await view.destroy()
    await turns()
    del runtime, view, held
    gc.collect()
    assert gone() is None


async def test_closing_runs_the_cleanups_once() -> None:
    cleaned = []

    @component
    def app() -> object:
        use_effect(lambda: lambda: cleaned.append(1), ())
        return html.p()

    async with shown(app) as one:
        await one.runtime.close()
        await one.runtime.close()
    assert cleaned == [1]


async def test_a_setter_in_a_cleanup_of_the_end_is_ignored() -> None:
    setters: list[Callable[[int], None]] = []

    @component
    def app() -> object:
        count, set_count = use_state(0)
        setters.append(set_count)
        use_effect(lambda: lambda: set_count(count + 1), ())
        return html.p(count)

    async with shown(app) as one:
        sent = len(one.host.sent)
    await turns()
    assert len(one.host.sent) == sent
    assert one.host.errors == []


@pytest.mark.parametrize("is_incremental", [True, False])
async def test_full_mode_sends_the_whole_tree_each_time(is_incremental: bool) -> None:
    async with shown(counter, is_incremental=is_incremental) as one:
        await one.fire("onClick")
        then = "applyMutations" if is_incremental else "updateTree"
        assert one.host.names() == ["updateTree", then]
        assert one.host.text() == "count 1"


async def test_an_event_knows_what_the_one_before_it_has_changed() -> None:
    runtime = PanelRuntime(counter)
    view, host = await open_view(runtime)
    for _ in range(3):
        view.execute_handler(host.handler("onClick"), [])
    await turns()
    assert host.text() == "count 3"
    await view.destroy()
