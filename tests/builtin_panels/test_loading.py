from jupyter_ac.builtin_panels.loading import use_loaded
from jupyter_ac.errors import Busy
from jupyter_ac.panels import Plugin, component, html, use_state
from tests.builtin_panels.served_panels import MadeUpServices, shown_panel


@component
def app() -> object:
    name, set_name = use_state("a")
    count, set_count = use_state(0)
    found = use_loaded("Repo.look", name, after=count)
    return html.div(
        f"{found.value} | {found.problem} | {'loading' if found.is_loading else 'ready'}",
        html.button({"onClick": found.reload}, "again"),
        html.button({"onClick": lambda: set_name("b")}, "other"),
        html.button({"onClick": lambda: set_count(1)}, "later"),
    )


LOOK = Plugin(app, name="look")


async def test_a_result_stays_while_it_is_loaded_again_and_when_that_fails() -> None:
    services = MadeUpServices()
    async with shown_panel(LOOK, services) as panel:
        assert "None |  | loading" in panel.host.text()
        services.put("Repo.look", lambda name: f"first {name}")
        await panel.until_text("first a |  | ready")
        services.put("Repo.look", Busy("It is busy."))
        await panel.press("again")
        await panel.until_text("first a | It is busy. | ready")
        services.put("Repo.look", "second")
        await panel.press("again")
        await panel.until_text("second |  | ready")


async def test_other_arguments_call_again_and_the_old_call_counts_no_more() -> None:
    services = MadeUpServices()
    async with shown_panel(LOOK, services) as panel:
        await panel.press("other")
        services.put("Repo.look", lambda name: name)
        await panel.until_text("b |  | ready")
        await panel.press("later")
        await panel.until(lambda: len(services.called("Repo.look")) == 3)
        assert services.called("Repo.look") == [("a",), ("b",), ("b",)]
