"""Handlers, tasks and the log."""

import asyncio
import inspect
import threading
from collections.abc import Callable, Coroutine
from contextvars import ContextVar

import pytest

from jupyter_ac.errors import Busy
from jupyter_ac.panels import component, html, log, use_effect, use_state
from jupyter_ac.panels.panel_code import MAX_HANDLERS
from tests.panels.shown import counter, shown, turns, until

WHO: ContextVar[str] = ContextVar("who", default="nobody")


def only_value(value: object, /, *, _more: int = 0) -> None:
    log(value)


@pytest.mark.parametrize(
    ("handler", "args", "logged"),
    [
        (lambda: log("none"), [1, 2], ["none"]),
        (log, [1, 2], [1, 2]),
        (only_value, [1, 2], [1]),
        (lambda one, two=5: log(one, two), [1], [1, 5]),
    ],
)
async def test_a_handler_gets_as_many_arguments_as_it_takes(
    handler: Callable[..., None], args: list[object], logged: list[object]
) -> None:
    async with shown(component(lambda: html.p({"on_click": handler}))) as one:
        await one.fire("onClick", *args)
        assert one.host.logs == [("log", logged)]


async def test_too_few_arguments_are_the_handlers_error() -> None:
    def handler(_one: object, _two: object) -> None:
        raise AssertionError

    async with shown(component(lambda: html.p({"on_click": handler}))) as one:
        await one.fire("onClick", 1)
        assert one.host.errors[0].startswith("TypeError")


async def test_errors_of_handlers_are_reported_and_the_panel_lives_on() -> None:
    @component
    def app() -> object:
        count, set_count = use_state(0)

        def sync() -> None:
            set_count(count + 1)
            raise ValueError("sync")

        async def late() -> None:
            await asyncio.sleep(0)
            raise SystemExit(2)

        return html.p({"on_click": sync, "on_blur": late}, count)

    async with shown(app) as one:
        await one.fire("onClick")
        await one.fire("onBlur")
        assert one.host.errors == ["ValueError: sync", "SystemExit: 2"]
        assert one.host.text() == "1"


async def test_handlers_that_never_end_are_bounded_and_end_with_the_panel() -> None:
    ended = []

    async def forever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(1)

    async with shown(component(lambda: html.p({"on_click": forever}))) as one:
        for _ in range(MAX_HANDLERS):
            await one.fire("onClick")
        with pytest.raises(Busy, match="wait for one to end"):
            await one.fire("onClick")
    assert len(ended) == MAX_HANDLERS


async def test_effects_that_never_end_leave_room_for_handlers() -> None:
    async def forever() -> None:
        await asyncio.Event().wait()

    @component
    def row() -> object:
        use_effect(forever, ())
        return html.li()

    @component
    def app() -> object:
        count, set_count = use_state(0)

        async def click() -> None:
            set_count(count + 1)

        rows = [row(key=number) for number in range(MAX_HANDLERS + 1)]
        return html.ul({"on_click": click, "title": str(count)}, rows)

    async with shown(app) as one:
        for _ in range(MAX_HANDLERS + 1):  # those that have ended don't count
            await one.fire("onClick")
        assert one.host.errors == []
        assert one.host.tree is not None
        assert one.host.tree["props"]["title"] == str(MAX_HANDLERS + 1)


async def test_a_panels_code_runs_in_its_own_context() -> None:
    WHO.set("the one who made it")

    async def late() -> None:
        await asyncio.sleep(0)
        log(WHO.get())

    async with shown(component(lambda: html.p({"on_click": late}, WHO.get()))) as one:
        WHO.set("the one who calls")
        await one.fire("onClick")
        await turns()
        assert one.host.text() == "the one who made it"
        assert one.host.logs == [("log", ["the one who made it"])]


async def test_an_error_of_an_update_from_another_thread_is_reported() -> None:
    app, setters = counter()
    async with shown(app) as one:
        thread = threading.Thread(target=setters[0], args=(lambda count: count / 0,))
        thread.start()
        thread.join()
        await until(lambda: bool(one.host.errors))
        assert one.host.errors[0].startswith("ZeroDivisionError")


async def test_a_coroutine_that_is_cancelled_before_its_first_step_is_closed() -> None:
    made: list[Coroutine[object, object, None]] = []

    @component
    def app() -> object:
        def begin() -> Coroutine[object, object, None]:
            made.append(nothing())
            return made[-1]

        return html.p({"on_click": begin})

    async with shown(app) as one:
        one.view.execute_handler(one.host.handler("onClick"), [])
    assert inspect.getcoroutinestate(made[0]) == inspect.CORO_CLOSED


async def nothing() -> None:
    await asyncio.sleep(0)
