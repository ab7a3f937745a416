"""A page that shows a panel of this process: the bundle of the front end, without a server."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from importlib import resources
from typing import Final

from playwright.sync_api import Locator, Page, Route

from jupyter_ac.errors import AcError
from jupyter_ac.panels import PanelRuntime, PanelView, Plugin, view_methods
from tests.support.json_values import JsonValue

STATIC: Final = resources.files("jupyter_ac") / "static"
ORIGIN: Final = "http://panel.test"
WAIT_S: Final = 90

PAGE: Final = """<!doctype html><meta charset="utf-8"><title>Panel</title>
<body style="margin: 0; font: 13px/1.5 system-ui, sans-serif"><script type="module">
const { register, usualComponents, HostController } = await import('/panels-HASH.js');
register();
let host;
const connection = {
  connected: true,
  async call(method, ...args) {
    const { error } = await panelCall(method, args);
    if (error) throw new Error(error);
  },
  serve: (given) => { host = given; return () => {}; },
  onClose: () => () => {},
};
const schedule = (update) => requestAnimationFrame(update);
const controller = new HostController(connection, { schedule });
const panel = document.createElement('ac-plugin-panel-HASH');
Object.assign(panel, { controller, components: usualComponents(), label: 'Example' });
document.body.append(panel);
await controller.initialize(null, { colorScheme: 'light' });
// What the panel sends is fetched: a page can't be called from another thread.
for (;;) {
  for (const [method, args] of await panelSent()) host[method](...args);
  await new Promise((resolve) => setTimeout(resolve, 20));
}
</script></body>"""


class Bridge:
    """A panel on an event loop of its own.

    Args:
        plugin: is shown.
    """

    def __init__(self, plugin: Plugin) -> None:
        self._loop = asyncio.new_event_loop()
        self._sent: list[tuple[str, tuple[object, ...]]] = []
        self._view = PanelView(PanelRuntime(plugin.app, plugin.props), self._send)
        self._methods = view_methods(self._view)
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    def call(self, method: str, args: list[object]) -> dict[str, str]:
        """Call the panel, as a host does."""
        running = asyncio.run_coroutine_threadsafe(self._call(method, args), self._loop)
        try:
            running.result(WAIT_S)
        except AcError as error:
            return {"error": error.message}
        return {}

    def sent(self) -> JsonValue:
        """Return what the panel has sent since the last call."""
        sent, self._sent = self._sent, []
        return json.loads(json.dumps(sent))

    def close(self) -> None:
        """End the panel and its loop."""
        self.call("destroy", [])
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _send(self, method: str, /, *args: object) -> None:
        self._sent.append((method, args))

    async def _call(self, method: str, args: list[object]) -> None:
        answer = self._methods[method].handler(*args)
        if isinstance(answer, Awaitable):
            await answer


@contextmanager
def shown_in_page(page: Page, plugin: Plugin) -> Iterator[Locator]:
    """Show a panel; gives its tree."""
    build = json.loads((STATIC / "build.json").read_text("utf-8"))
    bridge = Bridge(plugin)

    def answer(route: Route) -> None:
        name = route.request.url.removeprefix(ORIGIN).lstrip("/")
        if not name:
            route.fulfill(body=PAGE.replace("HASH", build["hash"]), content_type="text/html")
        else:
            body = (STATIC / name).read_text("utf-8")
            route.fulfill(body=body, content_type="text/javascript")

    page.route(f"{ORIGIN}/**", answer)
    page.expose_function("panelCall", bridge.call)
    page.expose_function("panelSent", bridge.sent)
    try:
        page.goto(ORIGIN)
        yield page.locator("[data-ac=panel-tree]")
    finally:
        page.goto("about:blank")
        bridge.close()
