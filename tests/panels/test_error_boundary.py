"""Error boundaries."""

from collections.abc import Callable

from jupyter_ac.panels import ErrorBoundary, component, html, use_effect, use_state
from tests.panels.shown import shown


@component
def fragile(fails: bool = True) -> object:
    count, set_count = use_state(0)
    if fails or count > 1:
        raise ValueError("it broke")
    return html.button({"on_click": lambda: set_count(count + 1)}, count)


def fallback(error: BaseException, retry: Callable[[], None]) -> object:
    return html.p({"on_blur": retry}, f"caught: {error}")


async def test_a_component_that_fails_at_first_is_replaced() -> None:
    @component
    def app() -> object:
        return html.div("before", ErrorBoundary(html.p("gone"), fragile(), fallback=fallback))

    async with shown(app) as one:
        assert one.host.text() == "beforecaught: it broke"
        assert one.host.errors == []
        assert one.host.logs == [("error", ["An error boundary shows: ValueError: it broke"])]


async def test_a_component_that_fails_later_is_replaced_and_can_begin_anew() -> None:
    @component
    def app() -> object:
        return html.div(ErrorBoundary(fragile(fails=False), fallback=fallback))

    async with shown(app) as one:
        await one.fire("onClick")
        await one.fire("onClick")
        assert one.host.text() == "caught: it broke"
        await one.fire("onBlur")
        assert one.host.text() == "0"
        assert one.handlers() == one.host.handler_ids()


async def test_the_nearest_boundary_catches_and_an_error_in_a_fallback_goes_further() -> None:
    def bad(_error: BaseException, _retry: Callable[[], None]) -> object:
        raise KeyError("fallback")

    @component
    def app() -> object:
        inner = ErrorBoundary(fragile(), fallback=bad)
        return html.div(ErrorBoundary(html.p("outer"), inner, fallback=fallback))

    async with shown(app) as one:
        assert one.host.text() == "caught: 'fallback'"


async def test_errors_of_effects_are_caught_and_those_of_handlers_reported() -> None:
    def fail() -> None:
        raise ValueError("from here")

    @component
    def effect() -> object:
        use_effect(fail, ())
        return html.p("shown for a moment")

    @component
    def app() -> object:
        return html.div(
            ErrorBoundary(effect(), fallback=fallback),
            ErrorBoundary(html.button({"on_click": fail}, "press")),
        )

    async with shown(app) as one:
        assert one.host.text() == "caught: from herepress"
        await one.fire("onClick")
        assert one.host.errors == ["ValueError: from here"]
        assert one.host.text() == "caught: from herepress"


async def test_without_a_fallback_the_error_is_shown() -> None:
    @component
    def app() -> object:
        return ErrorBoundary(fragile())

    async with shown(app) as one:
        assert one.host.text() == "ValueError: it broke"


async def test_a_fallback_that_tries_again_at_once_is_stopped() -> None:
    @component
    def impatient(retry: Callable[[], None]) -> object:
        use_effect(retry, ())
        return html.p("waiting")

    @component
    def app() -> object:
        return html.div(ErrorBoundary(fragile(), fallback=lambda _error, retry: impatient(retry)))

    async with shown(app) as one:
        assert one.host.text() == "waiting"
        assert "set state each time they run" in one.host.errors[-1]
