"""A panel of this process, for shared links."""

import pytest

from jupyter_ac.errors import InvalidParams, MethodNotFound
from jupyter_ac.panels import Plugin, component, html, use_state
from jupyter_ac.services.panels.shared_panel import SharedPanel
from tests.panels.shown import turns
from tests.services.panels.fake_pages import FakePage, FakePlugin
from tests.support.local_source import LocalSource


@component
def counter(start: int = 0) -> object:
    count, set_count = use_state(start)
    return html.button({"on_click": lambda: set_count(count + 1)}, count)


async def test_the_plugin_is_described_and_shown_and_ends_with_its_view() -> None:
    plugin = Plugin(counter, {"start": 5}, name="five", title="Five", calls=["Repo.x"])
    source = LocalSource(plugin, "kernel")
    panel, page = SharedPanel(source, lambda: None), FakePage()
    await panel.initialize(page, {"protocolVersion": 3})
    assert panel.row == {
        "id": "five",
        "title": "Five",
        "origin": "kernel",
        "state": "running",
        "error": None,
        "calls": ["Repo.x"],
        "loads": 1,
    }
    await panel.call(page, "executeHandler", page.host.handler("onClick"), [])
    await turns()
    assert page.host.text() == "6"
    await panel.aclose()
    assert not plugin.runtime.is_running


async def test_only_methods_of_the_protocol_are_called() -> None:
    link = await LocalSource(Plugin(counter), "kernel").start(_Ears())
    with pytest.raises(MethodNotFound):
        await link.call("committed")
    with pytest.raises(InvalidParams):
        await link.call("initialize", {})


class _Ears(FakePlugin):
    """A host that hears nothing."""

    def __init__(self) -> None:
        pass

    def described(self, *_args: object) -> None:
        pass

    def update_tree(self, *_args: object) -> None:
        pass

    apply_mutations = log = report_error = ended = update_tree
