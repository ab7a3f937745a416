"""Contexts."""

from jupyter_ac.panels import component, create_context, html, use_context, use_state
from tests.panels.shown import shown

THEME = create_context("plain")
OTHER = create_context("other")


async def test_the_nearest_provider_counts_and_the_default_without_one() -> None:
    @component
    def reads() -> object:
        return html.p(use_context(THEME))

    @component
    def app() -> object:
        inner = THEME.provide("inner", reads())
        return html.div(reads(), THEME.provide("outer", reads(), inner))

    async with shown(app) as one:
        assert one.host.text() == "plainouterinner"


async def test_a_new_value_runs_only_those_that_read_it() -> None:
    runs = []

    @component
    def reads() -> object:
        runs.append("reads")
        return html.p(use_context(THEME))

    @component
    def between() -> object:
        runs.append("between")
        return html.div(reads())

    below = between()

    @component
    def app() -> object:
        theme, set_theme = use_state("light")
        return html.div({"on_input": set_theme}, THEME.provide(theme, below))

    async with shown(app) as one:
        runs.clear()
        await one.fire("onInput", "dark")
        assert runs == ["reads"]
        assert one.host.text() == "dark"


async def test_another_context_can_be_read_in_the_same_place() -> None:
    @component
    def reads(other: bool) -> object:
        return html.p(use_context(OTHER if other else THEME))

    @component
    def app() -> object:
        value, set_value = use_state("1")
        is_other, set_other = use_state(False)
        shows = THEME.provide(value, reads(is_other))
        return html.div({"on_input": set_value, "on_click": lambda: set_other(True)}, shows)

    async with shown(app) as one:
        await one.fire("onInput", "2")
        assert one.host.text() == "2"
        await one.fire("onClick")
        assert one.host.text() == "other"


async def test_who_has_gone_is_forgotten() -> None:
    @component
    def reads() -> object:
        return html.p(use_context(THEME))

    @component
    def app() -> object:
        theme, set_theme = use_state("on")
        shows = THEME.provide(theme, reads() if theme == "on" else None)
        return html.div({"on_input": set_theme}, shows)

    async with shown(app) as one:
        await one.fire("onInput", "off")
        await one.fire("onInput", "on")
        assert one.host.text() == "on"
        assert one.host.errors == []
