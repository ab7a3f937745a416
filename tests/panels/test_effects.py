"""When effects run, and how they are undone."""

import asyncio
from collections.abc import Callable

from jupyter_ac.panels import component, html, use_effect, use_state
from tests.panels.shown import shown


async def test_when_effects_run_depends_on_their_dependencies() -> None:
    log: list[str] = []

    def noted(name: str) -> Callable[[], Callable[[], None]]:
        def effect() -> Callable[[], None]:
            log.append(f"+{name}")
            return lambda: log.append(f"-{name}")

        return effect

    @component
    def app() -> object:
        count, set_count = use_state(0)
        use_effect(noted("always"))
        use_effect(noted("once"), ())
        use_effect(noted("half"), [count // 2])
        return html.p({"on_click": lambda: set_count(count + 1)})

    async with shown(app) as one:
        assert log == ["+always", "+once", "+half"]
        log.clear()
        await one.fire("onClick")
        assert log == ["-always", "+always"]
        log.clear()
        await one.fire("onClick")
        assert log == ["-always", "+always", "-half", "+half"]
        log.clear()
    assert log == ["-always", "-once", "-half"]


async def test_inner_effects_run_first_and_are_cleaned_up_on_removal() -> None:
    log: list[str] = []

    @component
    def inner(name: str) -> object:
        def effect() -> Callable[[], None]:
            log.append(f"+{name}")
            return lambda: log.append(f"-{name}")

        use_effect(effect, ())
        return html.em(name)

    @component
    def app() -> object:
        is_open, set_open = use_state(True)
        use_effect(lambda: log.append("app"), ())
        return html.p({"on_click": lambda: set_open(False)}, inner("a") if is_open else None)

    async with shown(app) as one:
        assert log == ["+a", "app"]
        await one.fire("onClick")
        assert log == ["+a", "app", "-a"]


async def test_an_async_effect_is_cancelled_with_its_component() -> None:
    log: list[str] = []

    async def tick() -> None:
        log.append("begun")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            log.append("cancelled")
            raise

    @component
    def inner() -> object:
        use_effect(tick, ())
        return html.em()

    @component
    def app() -> object:
        is_open, set_open = use_state(True)
        return html.p({"on_click": lambda: set_open(False)}, inner() if is_open else None)

    async with shown(app) as one:
        assert log == ["begun"]
        await one.fire("onClick")
        assert log == ["begun", "cancelled"]
        assert one.host.errors == []


async def test_an_async_effect_can_set_state() -> None:
    ready = asyncio.Event()

    @component
    def app() -> object:
        text, set_text = use_state("loading")

        async def load() -> None:
            await ready.wait()
            set_text("loaded")

        use_effect(load, ())
        return html.p(text)

    async with shown(app) as one:
        assert one.host.text() == "loading"
        ready.set()
        await one.settle()
        assert one.host.text() == "loaded"


async def test_errors_of_effects_and_cleanups_are_reported_and_the_rest_runs() -> None:
    log: list[str] = []

    def bad() -> Callable[[], None]:
        def cleanup() -> None:
            raise ValueError("in the cleanup")

        return cleanup

    def worse() -> None:
        raise KeyError("in the effect")

    @component
    def app() -> object:
        count, set_count = use_state(0)
        use_effect(bad, [count])
        use_effect(worse, ())
        use_effect(lambda: log.append("ran"), [count])
        use_effect(lambda: 5, ())
        return html.p({"on_click": lambda: set_count(count + 1)}, count)

    async with shown(app) as one:
        assert one.host.errors[0] == "KeyError: 'in the effect'"
        assert "not an object of the type int" in one.host.errors[1]
        await one.fire("onClick")
        assert one.host.errors[2:] == ["ValueError: in the cleanup"]
        assert one.host.text() == "1"
        assert log == ["ran", "ran"]


async def test_an_effect_that_sets_state_without_an_end_is_stopped() -> None:
    runs = []

    @component
    def app() -> object:
        count, set_count = use_state(0)
        runs.append(1)
        use_effect(lambda: set_count(count + 1))
        return html.p({"on_click": lambda: set_count(-1)}, count)

    async with shown(app) as one:
        assert len(one.host.errors) == 1
        assert "app set state each time they run" in one.host.errors[0]
        assert len(runs) < 100
        await one.fire("onClick")
        assert len(runs) > 50


async def test_an_effect_that_comes_to_rest_is_fine() -> None:
    @component
    def app() -> object:
        count, set_count = use_state(0)
        use_effect(lambda: set_count(min(count + 1, 20)))
        return html.p(count)

    async with shown(app) as one:
        assert one.host.text() == "20"
        assert one.host.errors == []
