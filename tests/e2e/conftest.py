"""Chromium, an installed wheel, a scripted model and a JupyterLab for the browser tests."""

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.e2e.installed import Installed, build_wheel, install, programs
from tests.e2e.lab import Lab
from tests.e2e.labs import Labs, Settings, administer, running_labs, variables_for
from tests.e2e.panel import Panel
from tests.e2e.profile import Profile
from tests.support.host_fork_server import host_fork_server
from tests.support.model_process import RunningModelServer, running_model_server
from tests.support.serve_process import ServeProcess, free_port, is_free
from tests.support.worker_fork_server import worker_fork_server
from tools.demo import make_repository

PICTURES = Path(__file__).parents[2] / "test-results" / "pictures"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# Bounds are for what never comes; a machine with much to do takes its time for what comes.
EXPECTED_WITHIN_MS = 90_000
TEST_LIMIT_S = 600
REPORTED = "reported"
"""The name of a test's properties that are said at the end of the run."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let a browser test take longer than others: the first one also installs the wheel."""
    for item in items:
        if item.get_closest_marker("e2e") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(TEST_LIMIT_S))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what tests have found without failing, such as pixels that differ from a picture."""
    reports = (each for group in terminalreporter.stats.values() for each in group)
    lines = [
        str(line)
        for report in reports
        if isinstance(report, pytest.TestReport) and report.when == "call"
        for name, line in report.user_properties
        if name == REPORTED
    ]
    if lines:
        terminalreporter.section("differing pictures (test-results/states)")
        for line in lines:
            terminalreporter.write_line(line)


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
    installed_wheel: Installed, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installed]:
    """The wheel as a user would install it; hosts and workers start from ones that have loaded."""
    environ = installed_wheel.environment(tmp_path_factory.mktemp("hosts"))
    with (
        worker_fork_server(installed_wheel.python) as variables,
        host_fork_server(installed_wheel.python, environ) as hosts,
        pytest.MonkeyPatch.context() as patch,
    ):
        if hosts is not None:
            hosts.use(patch)
        yield replace(installed_wheel, variables=variables)


@pytest.fixture(scope="session")
def installed_wheel(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Installed:
    """The wheel as a user would install it, once for all processes that run these tests."""
    ready = os.environ.get("JUPYTER_AC_E2E_VENV")
    if ready:  # for writing tests: an environment made before, to be renewed by hand
        folder = tmp_path_factory.mktemp("installed")
        return Installed(Path(ready), f"{ready}/bin:{programs(folder / 'programs')}")
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "installed-wheel"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            install(folder, request.getfixturevalue("wheel"), "notebook>=7.2")
            (folder / "done").touch()
    return Installed(folder / "venv", f"{folder / 'venv/bin'}:{folder / 'programs'}")


@pytest.fixture(scope="session")
def installed_with_ipykernel_6(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Installed:
    return install(tmp_path_factory.mktemp("ipykernel6"), wheel, "ipykernel<7")


@pytest.fixture(scope="session")
def installed_with_collaboration(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Installed:
    """The wheel beside real-time collaboration."""
    folder = tmp_path_factory.mktemp("collaboration")
    return install(folder, request.getfixturevalue("wheel"), "jupyter-collaboration>=4")


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    expect.set_options(timeout=EXPECTED_WITHIN_MS)
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium for tests that need contexts of their own; `page` takes less time."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def profile(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Profile]:
    context = playwright.chromium.launch_persistent_context(
        tmp_path_factory.mktemp("profile"),
        executable_path=CHROMIUM,
        args=CHROMIUM_FLAGS,
        viewport={"width": 1400, "height": 900},
    )
    context.set_default_timeout(EXPECTED_WITHIN_MS)
    yield Profile(context)
    context.close()


@pytest.fixture
def page(profile: Profile) -> Iterator[Page]:
    """A page of a browser that knows nothing of earlier tests."""
    yield profile.context.new_page()
    profile.forget()


@pytest.fixture
def pictures() -> Path:
    PICTURES.mkdir(parents=True, exist_ok=True)
    return PICTURES


@pytest.fixture(scope="session")
def model_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningModelServer]:
    with running_model_server(tmp_path_factory.mktemp("model") / "requests") as server:
        yield server


@pytest.fixture
def model(model_process: RunningModelServer) -> RunningModelServer:
    """The scripted model; of requests it knows those of this test."""
    model_process.forget()
    return model_process


@pytest.fixture(scope="session")
def labs(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Labs]:
    """The servers that tests share."""
    with running_labs(installed, tmp_path_factory.getbasetemp()) as labs:
        yield labs


@pytest.fixture
def start_lab(labs: Labs, model: RunningModelServer) -> Callable[..., Lab]:
    """Have a JupyterLab over a folder, where other tests have been; the scenario is scripted."""

    def start(
        root: Path,
        scenario: str = "scripted",
        settings: Settings | None = None,
        arguments: Sequence[str] = (),
        *,
        expects_extension: bool = True,
        app: str = "lab",
    ) -> Lab:
        scripted = scenario.startswith("scripted")
        model.answer_as(scenario if scripted else "")
        return labs.lab(
            root,
            variables_for(model, "scripted" if scripted else scenario),
            settings or {},
            arguments,
            expects_extension=expects_extension,
            app=app,
        )

    return start


@pytest.fixture(scope="session")
def own_port() -> int:
    """The port of servers that a test has for itself."""
    return free_port()


@pytest.fixture
def start_own_lab(
    installed: Installed, model: RunningModelServer, tmp_path: Path, own_port: int
) -> Iterator[Callable[..., Lab]]:
    """Start a JupyterLab over a folder for one test, which may stop it or start it otherwise.

    The first one has the same port in all tests: the browser keeps compiled scripts by address.
    """
    started: list[Lab] = []

    def start(
        root: Path,
        scenario: str = "scripted",
        venv: Installed = installed,
        variables: Mapping[str, str] | None = None,
        admin: Mapping[str, object] | None = None,
        **options: object,
    ) -> Lab:
        home = tmp_path / f"home{len(started)}"
        administer(home, admin or {})
        if not started and is_free(own_port):
            options.setdefault("port", own_port)
        lab = Lab(venv, root, home, variables or variables_for(model, scenario), **options)  # type: ignore[arg-type]  # tests pass what Lab takes
        started.append(lab)
        lab.start()
        return lab

    yield start
    for lab in started:
        lab.stop()


@pytest.fixture
def served_panel(
    page: Page,
    start_serve: Callable[..., ServeProcess],
    model: RunningModelServer,
    installed: Installed,
) -> Callable[[Path], Panel]:
    """Open the panel of a repository at `serve`, whose model takes tools and plays scripts."""

    def opened(repository: Path) -> Panel:
        model.answer_as("scripted-tools")
        environ = {"JUPYTER_AC_MODEL": "openai/gpt-4o", "PATH": f"{installed.path}:/usr/bin:/bin"}
        page.goto(start_serve(repository, environ=environ).page)
        panel = Panel(page, "#panel")
        panel.wait_for("ready", 90)
        return panel

    return opened


@pytest.fixture
def start_serve(
    installed: Installed, model: RunningModelServer, tmp_path: Path
) -> Iterator[Callable[..., ServeProcess]]:
    """Start `jupyter ac serve` on a repository; the model is chosen by its scripted name."""
    started: list[ServeProcess] = []

    def start(
        repository: Path,
        scenario: str = "scripted",
        *options: str,
        admin: Mapping[str, object] | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> ServeProcess:
        home = tmp_path / f"serve-home{len(started)}"
        administer(home, admin or {})
        environment = installed.environment(
            home,
            JUPYTER_AC_CONFIG_DIR=str(home / "ac"),
            JUPYTER_AC_MODEL=f"openai/{scenario}",
            JUPYTER_AC_API_BASE=model.openai,
            OPENAI_API_KEY="sk-scripted-0000",
        ) | dict(environ or {})
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
