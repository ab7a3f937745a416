#!/usr/bin/env python3
"""Opens JupyterLab on the tour, beside a small git repository that is made for it.

    python tools/demo.py [--port N] [--headless]
    python tools/demo.py --make FOLDER    only makes that repository

Prints one line, `jupyter-ac demo ready URL`, when the page can be opened. On SIGTERM or Ctrl-C it
ends with everything it started and removes its folder. Runs on the Python that jupyter_ac and
JupyterLab are installed in; nothing is written to the clone or to the user's Jupyter folders.
"""

import argparse
import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import webbrowser
from pathlib import Path
from typing import Final, NoReturn

NOTEBOOKS: Final = Path(__file__).resolve().parent.parent / "notebooks"
TOURS: Final = ("tour.ipynb", "panels.ipynb")
REPOSITORY: Final = "pocket-weather"
START_TIMEOUT_S: Final = 90
STOP_TIMEOUT_S: Final = 15
MODEL_TIMEOUT_S: Final = 900
POLL_S: Final = 0.1
LOG_TAIL: Final = 20
ENDINGS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

# The second commit brings the page; the first is everything else.
SECOND_COMMIT: Final = ("web", "docs")
BRANCH: Final = "wind-summary"
UNCOMMITTED: Final = '''

def windiest(readings):
    """Return the reading of the day with the strongest wind."""
    return max(readings, key=lambda reading: reading.wind)
'''
UNTRACKED: Final = """# To do

- say the wind in the summary
- a bar for each day in `web/chart.js` should name its day
"""


class DemoError(Exception):
    """What went wrong, as a sentence for the terminal."""


class Stopped(BaseException):
    """SIGTERM or Ctrl-C: the ordinary end of a demo."""


def main() -> int:
    """Run the demo until it is stopped; return the exit code."""
    parser = argparse.ArgumentParser(description="JupyterLab on the jupyter_ac tour")
    parser.add_argument("--port", type=int, default=8888, help="a taken one is an error; 0: any")
    parser.add_argument("--headless", action="store_true", help="do not open a browser")
    parser.add_argument("--make", type=Path, metavar="FOLDER", help="only make the repository")
    options = parser.parse_args()
    for name in ENDINGS:
        signal.signal(name, _stop)
    try:
        if options.make is not None:
            make_repository(options.make)
            return 0
        port = free_port(options.port)
        with tempfile.TemporaryDirectory(
            prefix="jupyter-ac-demo-", ignore_cleanup_errors=True
        ) as folder:
            run(Path(folder).resolve(), port, headless=options.headless)
    except Stopped:
        return 0
    except DemoError as error:
        sys.stderr.write(f"jupyter-ac demo: {error}\n")
        return 1
    return 0


def run(folder: Path, port: int, *, headless: bool) -> None:
    """Set everything up in the folder, serve it, and wait.

    Raises:
        DemoError: the server did not start, or ended by itself.
        Stopped: somebody ended the demo.
    """
    repository = folder / REPOSITORY
    make_repository(repository)
    install_model()
    token = secrets.token_hex(16)
    log = folder / "server.log"
    server = start_server(folder, repository, port, token, log)
    try:
        wait_ready(server, port, log)
        url = f"http://127.0.0.1:{port}/lab/tree/tour.ipynb?token={token}"
        sys.stdout.write(f"jupyter-ac demo ready {url}\n")
        sys.stdout.flush()
        if not headless:
            webbrowser.open(url)
        server.wait()
        raise DemoError(f"JupyterLab ended by itself.\n{_tail(log)}")
    finally:
        end_server(server)


def free_port(port: int) -> int:
    """Return the port if nobody listens on it; for 0, any such port.

    Raises:
        DemoError: it is taken or not a port.
    """
    with socket.socket() as probe:
        # As the server itself does: a port in TIME_WAIT is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError) as error:
            raise DemoError(
                f"port {port} cannot be used ({error}); try make demo PORT=8889"
            ) from error
        found: int = probe.getsockname()[1]
        return found


def make_repository(repository: Path) -> None:
    """Make the sample repository: two commits, a branch to review, one changed file, one new one.

    The notebooks of the tour are no part of it: saving one changes nothing that git sees.

    Raises:
        DemoError: the folder is there already, or git failed.
    """
    if repository.exists():
        raise DemoError(f"{repository} is there already; name a new folder")
    shutil.copytree(NOTEBOOKS / "sample", repository)
    git = _Git(repository)
    git("init", "--quiet", "--initial-branch=main")
    git("add", "--all", "--", ".", *(f":!{path}" for path in SECOND_COMMIT))
    git("commit", "--quiet", "--message=Read a week of weather and sum it up", day=8)
    git("add", "--all")
    git("commit", "--quiet", "--message=Draw the week in a page, describe the file", day=9)
    git("checkout", "--quiet", "-b", BRANCH)
    patches = sorted((NOTEBOOKS / "branch").glob("*.patch"))
    git("am", "--quiet", "--committer-date-is-author-date", *map(str, patches))
    git("checkout", "--quiet", "main")
    with (repository / ".git" / "info" / "exclude").open("a", encoding="utf-8") as exclude:
        for name in TOURS:
            shutil.copy(NOTEBOOKS / name, repository)
            exclude.write(f"/{name}\n")
    changed = repository / "weather" / "summary.py"
    text = changed.read_text(encoding="utf-8")
    marker = "\n\ndef feels_like"
    changed.write_text(text.replace(marker, UNCOMMITTED + marker, 1), encoding="utf-8")
    (repository / "docs" / "todo.md").write_text(UNTRACKED, encoding="utf-8")


def install_model() -> None:
    """Install the embedded model; when that fails, say so and go on without."""
    installer = subprocess.Popen(
        [sys.executable, "-m", "jupyter_ac.hosts.cli.main", "install-demo-model"],
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        start_new_session=True,
    )
    try:
        installed = installer.wait(MODEL_TIMEOUT_S) == 0
    except subprocess.TimeoutExpired:
        installed = False
    finally:
        # The package installer is a child of the child.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(installer.pid, signal.SIGKILL)
    if not installed:
        sys.stderr.write(
            "jupyter-ac demo: going on without the embedded model; a provider's key in the "
            "environment, such as OPENAI_API_KEY, works too.\n"
        )


def start_server(
    folder: Path, repository: Path, port: int, token: str, log: Path
) -> subprocess.Popen[bytes]:
    """Start JupyterLab with folders of its own, so that it meets no one's settings."""
    config = folder / "config"
    (config / "labconfig").mkdir(parents=True)
    (config / "labconfig" / "page_config.json").write_text(
        # Its question about news would lie over the tour.
        json.dumps({"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}),
        encoding="utf-8",
    )
    environment = dict(os.environ) | {
        "JUPYTER_CONFIG_DIR": str(config),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "IPYTHONDIR": str(folder / "ipython"),
        # Not on the command line, where every user of the machine could read it.
        "JUPYTER_TOKEN": token,
    }
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser"),
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={repository}",
    ]
    if os.geteuid() == 0:
        command.append("--allow-root")
    with log.open("wb") as output:
        # Ctrl-C in the terminal must reach this script only: the server would ask a question.
        return subprocess.Popen(
            command,
            cwd=repository,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def wait_ready(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Wait until the extension answers.

    Raises:
        DemoError: the server ended or took too long.
    """
    url = f"http://127.0.0.1:{port}/jupyter-ac/health"
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise DemoError(f"JupyterLab did not start.\n{_tail(log)}")
        # Not listening yet, or listening and still loading its extensions.
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=5) as answer:
            if answer.status == 200:  # noqa: PLR2004 - HTTP's OK
                return
        time.sleep(POLL_S)
    raise DemoError(f"JupyterLab was not ready after {START_TIMEOUT_S} s.\n{_tail(log)}")


def end_server(server: subprocess.Popen[bytes]) -> None:
    """End the server, its kernels and its workers; return when they are gone."""
    _ignore_endings()
    family = descendants(server.pid)
    server.terminate()
    try:
        server.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
    for pid in family:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def descendants(ancestor: int) -> list[int]:
    """Return the processes below one, children before grandchildren."""
    children: dict[int, list[int]] = {}
    for pid, parent in _processes():
        children.setdefault(parent, []).append(pid)
    found = list(children.get(ancestor, ()))
    for pid in found:
        found.extend(children.get(pid, ()))
    return found


def _processes() -> list[tuple[int, int]]:
    """Return every process of the machine with its parent."""
    # A slim Linux image has no `ps`, other systems have no `/proc`.
    return _from_proc() if Path("/proc/self/stat").exists() else _from_ps()


def _from_proc() -> list[tuple[int, int]]:
    pairs = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # `pid (name, which may hold anything) state parent …`
            pid, rest = stat.read_text(errors="replace").split(" ", 1)
            pairs.append((int(pid), int(rest.rpartition(")")[2].split()[1])))
    return pairs


def _from_ps() -> list[tuple[int, int]]:
    listing = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid="], check=True, capture_output=True, text=True, timeout=10
    )
    words = [int(word) for word in listing.stdout.split()]
    return list(zip(words[::2], words[1::2], strict=True))


_ROLES: Final = ("AUTHOR", "COMMITTER")


class _Git:
    """Runs git in a folder, with nobody's settings."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        for role in _ROLES:
            self._environment[f"GIT_{role}_NAME"] = "Pocket Weather"
            self._environment[f"GIT_{role}_EMAIL"] = "weather@example.invalid"

    def __call__(self, *arguments: str, day: int = 9) -> None:
        """Run a command; what it commits is dated to a day of March 2026."""
        dates = {f"GIT_{role}_DATE": f"2026-03-{day:02}T09:00:00Z" for role in _ROLES}
        try:
            subprocess.run(
                ["git", *arguments],
                cwd=self._folder,
                env=self._environment | dates,
                check=True,
                capture_output=True,
                timeout=60,
            )
        except FileNotFoundError as error:
            raise DemoError("git is missing; install it and try again") from error
        except subprocess.SubprocessError as error:
            raise DemoError(f"git {arguments[0]} failed: {error}") from error


def _tail(log: Path) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_TAIL:])


def _stop(_number: int, _frame: object) -> NoReturn:
    # Who ends a whole process group also makes `make` pass the signal on: it comes twice.
    _ignore_endings()
    raise Stopped


def _ignore_endings() -> None:
    """Let nothing interrupt the cleaning up."""
    for name in ENDINGS:
        signal.signal(name, signal.SIG_IGN)


if __name__ == "__main__":
    sys.exit(main())
