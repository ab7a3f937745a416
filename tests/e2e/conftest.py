"""Chromium, an installed wheel, a scripted model and a JupyterLab for the browser tests."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.e2e.installed import Installed, build_wheel, install, programs
from tests.e2e.lab import Lab
from tests.support.model_process import RunningModelServer, running_model_server
from tests.support.serve_process import ServeProcess, free_port
from tools.demo import make_repository

PICTURES = Path(__file__).parents[2] / "test-results" / "pictures"
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(autouse=True)
def jp_asyncio_loop() -> None:
    """Take the place of the loop that Jupyter's plugin makes: Playwright runs one here."""


@pytest.fixture(autouse=True)
def jp_server_cleanup() -> None:
    """Take the place of the plugin's own: these tests have their servers in other processes."""


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def installed(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Installed:
    folder = tmp_path_factory.mktemp("installed")
    ready = os.environ.get("JUPYTER_AC_E2E_VENV")
    if ready:  # for writing tests: an environment made before, to be renewed by hand
        return Installed(Path(ready), f"{ready}/bin:{programs(folder / 'programs')}")
    wheel: Path = request.getfixturevalue("wheel")
    return install(folder, wheel, "notebook>=7.2")


@pytest.fixture(scope="session")
def installed_with_ipykernel_6(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Installed:
    return install(tmp_path_factory.mktemp("ipykernel6"), wheel, "ipykernel<7")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=CHROMIUM_FLAGS
        )
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    yield page
    context.close()


@pytest.fixture
def pictures() -> Path:
    PICTURES.mkdir(parents=True, exist_ok=True)
    return PICTURES


@pytest.fixture
def model(tmp_path: Path) -> Iterator[RunningModelServer]:
    with running_model_server(tmp_path / "requests") as server:
        yield server


@pytest.fixture
def start_lab(
    installed: Installed, model: RunningModelServer, tmp_path: Path
) -> Iterator[Callable[..., Lab]]:
    """Start JupyterLab over a folder; the model is chosen by its scripted name."""
    started: list[Lab] = []

    def start(
        root: Path, scenario: str = "scripted", venv: Installed = installed, **options: object
    ) -> Lab:
        home = tmp_path / f"home{len(started)}"
        home.mkdir()
        variables = {
            "JUPYTER_AC_MODEL": f"openai/{scenario}",
            "JUPYTER_AC_API_BASE": model.openai,
            "OPENAI_API_KEY": "sk-scripted-0000",
        }
        lab = Lab(venv, root, home, variables, **options)  # type: ignore[arg-type]  # tests pass what Lab takes
        started.append(lab)
        lab.start()
        return lab

    yield start
    for lab in started:
        lab.stop()


@pytest.fixture
def start_serve(
    installed: Installed, model: RunningModelServer, tmp_path: Path
) -> Iterator[Callable[..., ServeProcess]]:
    """Start `jupyter ac serve` on a repository; the model is chosen by its scripted name."""
    started: list[ServeProcess] = []

    def start(repository: Path, scenario: str = "scripted", *options: str) -> ServeProcess:
        home = tmp_path / f"serve-home{len(started)}"
        home.mkdir()
        environment = installed.environment(
            home,
            JUPYTER_AC_CONFIG_DIR=str(home / "ac"),
            JUPYTER_AC_MODEL=f"openai/{scenario}",
            JUPYTER_AC_API_BASE=model.openai,
            OPENAI_API_KEY="sk-scripted-0000",
        )
        server = ServeProcess(
            repository,
            environment,
            ("--no-browser", *options),
            port=free_port(),
            python=installed.python,
            cwd=tmp_path,
        )
        started.append(server)
        return server.start()

    yield start
    for server in started:
        server.close()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A small repository with one change and one new file."""
    folder = tmp_path / "work" / "weather-a"
    make_repository(folder)
    return folder
