"""A page with a panel on it, and what a person would need around it: repository, model, server."""

import base64
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import Browser, Locator, Page, ViewportSize

from tests.e2e.installed import Installed
from tests.e2e.panel import Panel
from tests.support.model_process import RunningModelServer, running_model_server
from tests.support.serve_process import ServeProcess
from tools.demo import REPOSITORY, make_repository

FLAGS: Final = ("--no-sandbox", "--disable-gpu", "--font-render-hinting=none", "--hide-scrollbars")
HEIGHT: Final = 800
MODEL: Final = "openai/gpt-4o"
LIMIT_MS: Final = 90_000
Scheme = Literal["light", "dark"]
Host = Literal["example", "model", "plain"]
_ROOT: Final = Path(__file__).parents[2]
_HERE: Final = Path(__file__).parent
_FONTS: Final = {"States Sans": "dejavu-sans", "States Mono": "dejavu-mono"}
_WEIGHTS: Final = ("400", "700")
_NO_KEYRING: Final = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}


@dataclass
class Stage:
    """The page on which states are shown.

    Attributes:
        page: of the browser.
        installed: the environment whose package is served.
        folder: for repositories and the homes of servers.
        model: answers in the host `model`.
        servers: those that have been started, by what they are for.
    """

    page: Page
    installed: Installed
    folder: Path
    model: RunningModelServer
    servers: dict[Host, ServeProcess] = field(default_factory=dict)

    @property
    def panel(self) -> Panel:
        """Return the panel on the page."""
        return Panel(self.page, "#panel")

    def repository(self, host: Host) -> Path:
        """Return the folder that a host serves."""
        return self.folder / host / REPOSITORY

    def part(self, name: str, extra: str = "") -> Locator:
        """Return the first element of a name."""
        return self.panel.part(name, extra).first

    def start(self, host: Host) -> None:
        """Start a server, unless it has been; it takes a second to be there."""
        if host in self.servers:
            return
        repository = self.repository(host)
        if host == "plain":
            (repository / "bulbs").mkdir(parents=True)
            (repository / "beds.md").write_text("# Beds\n\nTwo, both sunny.\n", encoding="utf-8")
            (repository / "bulbs" / "tulips.txt").write_text("red\nwhite\n", encoding="utf-8")
        else:
            repository.parent.mkdir()
            make_repository(repository)
        home = self.folder / f"home-{host}"
        home.mkdir()
        environment = self.installed.environment(
            home,
            JUPYTER_AC_CONFIG_DIR=str(home / "ac"),
            JUPYTER_AC_CACHE_DIR=str(home / "cache"),
            **_NO_KEYRING,
            **self._variables(host),
        )
        options = ("--no-browser", *(("--no-git",) if host == "plain" else ()))
        server = ServeProcess(
            repository, environment, options, python=self.installed.python, cwd=self.folder
        )
        self.servers[host] = server.start()

    def show(self, host: Host) -> None:
        """Open the page of a host, with the fonts of the repository."""
        self.start(host)
        self.page.goto(self.servers[host].page)
        self.panel.wait_for("ready")
        self.page.evaluate((_HERE / "fonts.js").read_text(encoding="utf-8"), _fonts())
        checks = (_HERE / "checks.js").read_text(encoding="utf-8")
        self.page.evaluate(f"() => {{ window.checks = {checks}; }}")
        self.part("indexing").wait_for(state="detached")
        self.settle()
        self.part("map").wait_for()

    def say(self, *answers: str) -> None:
        """Script what the model answers next."""
        self.model.answer_as("scripted-tools")
        self.model.say(*answers)

    def settle(self) -> None:
        """Wait until what was asked for is drawn."""
        self.page.evaluate("() => window.checks?.settled()")

    def _variables(self, host: Host) -> Mapping[str, str]:
        """Return which model there is: a name is always given, since machines differ in others."""
        if host != "model":
            return {"JUPYTER_AC_MODEL": MODEL}
        return {
            "JUPYTER_AC_MODEL": MODEL,
            "JUPYTER_AC_API_BASE": self.model.openai,
            "OPENAI_API_KEY": "sk-scripted-0000",
        }


def _fonts() -> list[dict[str, str]]:
    found = []
    for family, package in _FONTS.items():
        files = _ROOT / "node_modules/@fontsource" / package / "files"
        for weight in _WEIGHTS:
            content = (files / f"{package}-latin-{weight}-normal.woff2").read_bytes()
            encoded = base64.b64encode(content).decode()
            found.append({"family": family, "weight": weight, "content": encoded})
    return found


@contextmanager
def open_stage(browser: Browser, installed: Installed, folder: Path) -> Iterator[Stage]:
    """Open a page for states; what it starts ends with it.

    Args:
        browser: started with `FLAGS`.
        installed: the environment whose package is served.
        folder: an empty one.
    """
    with ExitStack() as stack:
        model = stack.enter_context(running_model_server(folder / "requests"))
        viewport = ViewportSize(width=1400, height=HEIGHT)
        context = browser.new_context(
            viewport=viewport, reduced_motion="reduce", locale="en-US", timezone_id="UTC"
        )
        stack.callback(context.close)
        context.set_default_timeout(LIMIT_MS)
        stage = Stage(context.new_page(), installed, folder, model)
        stack.callback(_close_all(stage))
        yield stage


def _close_all(stage: Stage) -> Callable[[], None]:
    def close() -> None:
        for server in stage.servers.values():
            server.close()

    return close
