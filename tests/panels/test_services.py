import asyncio

import pytest

from jupyter_ac.errors import Unsupported
from jupyter_ac.panels import PanelRuntime, PanelView, component, html, use_services


class Recorded:
    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

    async def call(self, method: str, /, *args: object) -> object:
        self.calls.append((method, *args))
        return 7


@component
def asker() -> object:
    services = use_services()

    async def ask() -> None:
        await services.call("Repo.get_file_tree", True)

    return html.button({"on_click": ask}, "Ask")


async def clicked(runtime: PanelRuntime) -> list[tuple[object, ...]]:
    sent: list[tuple[object, ...]] = []
    view = PanelView(runtime, lambda *message: sent.append(message))
    await view.initialize({"protocolVersion": 3})
    tree = runtime.tree()
    assert tree is not None
    view.execute_handler(str(tree["props"]["_onClickHandlerId"]))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await view.destroy()
    return sent


def test_a_panel_calls_what_its_host_gives_it() -> None:
    services = Recorded()
    sent = asyncio.run(clicked(PanelRuntime(asker, services=services)))
    assert services.calls == [("Repo.get_file_tree", True)]
    assert [name for name, *_ in sent] == ["updateTree"]


def test_a_panel_without_a_server_is_told_so() -> None:
    sent = asyncio.run(clicked(PanelRuntime(asker)))
    assert [name for name, *_ in sent] == ["updateTree", "reportError"]
    assert "Repo.get_file_tree can't be called from here" in str(sent[1])


def test_services_are_used_in_components_only() -> None:
    with pytest.raises(Exception, match="use_context"):
        use_services()


def test_no_services_refuse_with_the_tree_of_errors() -> None:
    from jupyter_ac.panels.services import NO_SERVICES

    with pytest.raises(Unsupported):
        asyncio.run(NO_SERVICES.call("Repo.get_file_tree"))
