"""The page in Chromium: its first paint, and keys that are typed while an answer streams.

The first paint is timed from the arrival of the last byte of the module until a frame with the
panel is painted; beside it a module of one line, in the same server's page. A key is timed from its
event until the frame that follows is painted; beside it the same keys in an empty page with a text
field, and in one that draws a line of text in each frame. There are twelve keys a second, as of one
who types 150 words a minute: where they come as fast as frames, the empty page misses the bar, too.
"""

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import Browser, Page, Route, sync_playwright

from benchmarks.figure import at_most, reported
from benchmarks.host.projects import make_project
from benchmarks.host.provider import provider
from tests.e2e.conftest import CHROMIUM_FLAGS
from tests.support.serve_process import ServeProcess, plain_environment, serving

ROUNDS: Final = 7
KEYS: Final = 200
PAUSE_MS: Final = 80
FILES: Final = 500
FIRST_PAINT_MS: Final = 150.0
KEY_MS: Final = 16.0
LIMIT_MS: Final = 90_000
MODULE: Final = re.compile(r"/static/ui-[0-9a-f]+\.js$")

LEAST: Final = """
export function mountPanel(node) {
  const app = document.createElement('div');
  app.dataset.ac = 'app';
  app.textContent = 'jupyter_ac';
  node.append(app);
  return { focus() {}, showPlugin() {} };
}
"""
"""The least module that the page takes for the panel's."""

WATCH_PAINT: Final = """
  const painted = (then) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = then;
    port2.postMessage(null);
  });
  const look = () => {
    if (!document.querySelector('[data-ac="app"]')) return requestAnimationFrame(look);
    painted(() => {
      const loaded = performance.getEntriesByType('resource');
      const module = loaded.find(({ name }) => /ui-/.test(name));
      window.firstPaint = performance.now() - module.responseEnd;
    });
  };
  look();
"""

WATCH_KEYS: Final = """() => {
  window.keys = [];
  addEventListener('keydown', ({ timeStamp }) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => keys.push(performance.now() - timeStamp);
    port2.postMessage(null);
  }), true);
}"""


DRAW_ALWAYS: Final = """() => {
  let number = 0;
  const draw = () => {
    document.querySelector('p').textContent = 'word '.repeat(number++ % 100);
    requestAnimationFrame(draw);
  };
  draw();
}"""


@contextmanager
def new_page(browser: Browser) -> Iterator[Page]:
    """Open a page of a browser without a cache."""
    with closing(browser.new_context(viewport={"width": 1400, "height": 900})) as context:
        page = context.new_page()
        page.set_default_timeout(LIMIT_MS)
        yield page


def first_paint(browser: Browser, address: str, module: str | None) -> float:
    """Load the page and return milliseconds.

    Args:
        browser: loads it.
        address: of the page.
        module: in place of the panel's; None: the panel's own.
    """

    def least(route: Route) -> None:
        route.fulfill(body=module or "", content_type="text/javascript")

    with new_page(browser) as page:
        page.add_init_script(WATCH_PAINT)
        if module is not None:
            page.route(MODULE, least)
        page.goto(address)
        while (found := page.evaluate("window.firstPaint")) is None:
            page.wait_for_timeout(20)
        return float(found)


def type_keys(page: Page) -> list[float]:
    """Type into what has the focus and return milliseconds of each key."""
    page.evaluate(WATCH_KEYS)
    for number in range(KEYS):
        page.keyboard.press("abcdefgh "[number % 9])
        page.wait_for_timeout(PAUSE_MS)
    found: list[float] = page.evaluate("window.keys")
    return found


def typing_while_streaming(browser: Browser, address: str) -> list[float]:
    """Type the next question while the answer to the first one streams."""
    with new_page(browser) as page:
        page.goto(address)
        page.locator('[data-ac="app"][data-status="ready"]').wait_for()
        page.locator('[data-ac="input"]').fill("Tell me everything.")
        page.keyboard.press("Enter")
        page.locator('[data-ac="app"][data-status="streaming"]').wait_for()
        page.locator('[data-ac="message"][data-role="assistant"]', has_text="word").wait_for()
        page.locator('[data-ac="input"]').click()
        found = type_keys(page)
        page.locator('[data-ac="stop"]').click()
        return found


def typing_alone(browser: Browser, script: str = "0") -> list[float]:
    """Type in a page that has nothing but a text field and a line of text.

    Args:
        browser: has the page.
        script: runs in it.
    """
    with new_page(browser) as page:
        page.set_content("<textarea></textarea><p></p>")
        page.evaluate(script)
        page.locator("textarea").click()
        return type_keys(page)


def slowest(values: list[float]) -> float:
    """Return the 95th percentile."""
    return sorted(values)[len(values) * 95 // 100]


def measure(browser: Browser, server: ServeProcess) -> None:
    """Emit the figures."""
    address = server.page
    first_paint(browser, address, None)  # the server reads its files
    ours, least = list[float](), list[float]()
    for _ in range(ROUNDS):
        ours.append(first_paint(browser, address, None))
        least.append(first_paint(browser, address, LEAST))
    rival = ("a module of one line", least)
    at_most("first paint after the module", ours, "ms", FIRST_PAINT_MS, rival).emit()
    typed, alone = typing_while_streaming(browser, address), typing_alone(browser)
    rival = ("a page with a text field", [slowest(alone)])
    at_most("a key while an answer streams, p95", [slowest(typed)], "ms", KEY_MS, rival).emit()
    reported("a key while an answer streams", typed, "ms", ("the same", alone)).emit()
    moving = typing_alone(browser, DRAW_ALWAYS)
    rival = ("a page that draws each frame", [slowest(moving)])
    reported("a key while an answer streams, p95", [slowest(typed)], "ms", rival).emit()


def main() -> None:
    """Measure both in one browser."""
    chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        make_project(folder / "project", FILES)
        model = stack.enter_context(provider(folder))
        environment = plain_environment(
            folder / "home",
            JUPYTER_AC_MODEL="openai/scripted-long@0.01",
            JUPYTER_AC_API_BASE=model.api_base,
            OPENAI_API_KEY="sk-scripted-0123456789",
        )
        server = stack.enter_context(serving(folder / "project", environment))
        playwright = stack.enter_context(sync_playwright())
        launched = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        measure(stack.enter_context(closing(launched)), server)


if __name__ == "__main__":
    main()
