"""A page without a server that shows one panel; the test plays the plugin."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, Route, expect

STATIC = Path(__file__).parents[2] / "jupyter_ac" / "static"
HTML = Path(__file__).with_name("plugin_page.html")
ORIGIN = "http://panel.test"


@dataclass
class PluginPage:
    """The page with its panel.

    Attributes:
        page: the browser's.
        foreign: addresses that it has asked for and that aren't its own.
    """

    page: Page
    foreign: list[str] = field(default_factory=list)

    def open(self) -> "PluginPage":
        """Load it; what it asks for comes from here, or not at all."""
        built = json.loads((STATIC / "build.json").read_text())
        bundle = f"panels-{built['hash']}.js"

        def answer(route: Route) -> None:
            address = urlsplit(route.request.url)
            if address.netloc == "panel.test" and address.path == "/":
                route.fulfill(body=HTML.read_text(), content_type="text/html")
            elif address.netloc == "panel.test" and address.path == f"/{bundle}":
                route.fulfill(path=STATIC / bundle, content_type="text/javascript")
            else:
                self.foreign.append(route.request.url)
                route.abort()

        self.page.route("**/*", answer)
        self.page.goto(f"{ORIGIN}/?bundle={bundle}")
        expect(self.page.locator("body")).to_have_attribute("data-state", "ready")
        return self

    @property
    def tree(self) -> Locator:
        return self.page.locator('[data-ac="panel-tree"]')

    @property
    def error(self) -> Locator:
        return self.page.locator('[data-ac="panel-error"]')

    def send(self, method: str, *args: object) -> None:
        """Have the plugin call the page, as JSON brings it."""
        self.page.evaluate(
            "([method, args]) => window.plugin[method](...args)", [method, list(args)]
        )

    def show(self, tree: object) -> None:
        """Have the plugin show a tree, and wait until it is drawn."""
        self.send("updateTree", tree)
        self.settle()

    def settle(self) -> None:
        """Wait until what has come is drawn."""
        self.page.wait_for_function("window.waiting === 0")
        self.page.evaluate(
            "() => window.panel.updateComplete.then(() => new Promise(done =>"
            " requestAnimationFrame(() => requestAnimationFrame(done))))"
        )

    def calls(self, method: str) -> list[list[object]]:
        """Arguments of the calls to the plugin."""
        return [call[1:] for call in self.page.evaluate("window.calls") if call[0] == method]
