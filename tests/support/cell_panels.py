"""Panels in cells of a real kernel, shown by a page over the widget's comm."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.support.comm_page import CommPage, custom_of
from tests.support.kernels import WIDGET_VIEW, Kernel, shown
from tests.support.pipe_host import PipeHost

COUNTER = """
from jupyter_ac.panels import Plugin, component, html, use_state
@component
def Counter(start=0):
    count, set_count = use_state(start)
    def more():
        print(f"clicked {count}")
        set_count(count + 1)
    return html.div(
        html.button({"on_click": more}, f"{count} clicks"),
        html.button({"on_click": lambda: 1 / 0}, "fail"),
    )
"""


async def show(kernel: Kernel, code: str) -> str:
    """Run a cell that displays a plugin; returns the id of its widget."""
    bundles = shown(await kernel.run(code))
    model_id: str = bundles[-1][WIDGET_VIEW]["model_id"]
    return model_id


class CellView(PipeHost):
    """A view of a displayed plugin; it takes all that the kernel publishes."""

    def __init__(self, page: CommPage, model_id: str) -> None:
        super().__init__(page)
        self._page = page
        self._model_id = model_id

    @property
    def customs(self) -> list[dict[str, object]]:
        """What the widget has told all its pages."""
        found = [custom_of(message, self._model_id) for message in self._page.heard]
        return [custom for custom in found if custom is not None and "link" not in custom]

    @property
    def printed(self) -> list[tuple[str, str]]:
        """What was printed, and in answer to which request."""
        return [
            (message["parent_header"]["msg_id"], message["content"]["text"])
            for message in self._page.heard
            if message["msg_type"] == "stream"
        ]


@asynccontextmanager
async def view_of(
    kernel: Kernel, model_id: str, subshell: str | None = None
) -> AsyncIterator[CellView]:
    """Give a view of a displayed plugin, initialized."""
    view = CellView(await CommPage(kernel, model_id, subshell).open(), model_id)
    async with view.running():
        await view.call("initialize", {"protocolVersion": 3, "extensions": ["moveBefore"]})
        yield view
