"""Binder's build, run for real in a new environment, and the server that it makes.

It runs as in somebody's own folder, where packages come from uv's cache, and its front end is the
one that `make` has built with the same two commands. In `make soak` it runs as in an image: npm
builds another front end, all is downloaded and compiled, and what an image doesn't need is removed.
"""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WAIT_S = 180
BUILD_S = 480

pytestmark = pytest.mark.timeout(BUILD_S + 2 * WAIT_S)


def copy_sources(target: Path) -> None:
    """What a clone would hold, with the changes that stand here; nothing that was built."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    for name in listed.stdout.decode().split("\0"):
        source = ROOT / name
        if name and source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)


@dataclass(frozen=True)
class Built:
    """What was built: its folder, a session's variables, and what the build left at home."""

    folder: Path
    variables: dict[str, str]
    left: frozenset[str]
    is_image: bool

    @property
    def home(self) -> Path:
        """The checkout, which is the session's home."""
        return self.folder / "home"


NPM = """#!/bin/sh
set -e
case "$*" in
  "ci --no-audit --no-fund --loglevel=error") mkdir node_modules ;;
  "run --silent build") cp -R {built}/static {built}/labextension jupyter_ac/ ;;
  *) echo "npm $*?" >&2; exit 1 ;;
esac
"""


@pytest.fixture(scope="module", params=["folder", pytest.param("image", marks=pytest.mark.soak)])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """What the build made, before anything has run in it."""
    folder = tmp_path_factory.mktemp("binder")
    home = folder / "home"
    copy_sources(home)
    subprocess.run(["git", "init", "--quiet", home], check=True, timeout=WAIT_S)
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True, timeout=WAIT_S)
    is_image = request.param == "image"
    if not is_image:
        npm = folder / "venv" / "bin" / "npm"
        npm.write_text(NPM.format(built=ROOT / "jupyter_ac"), encoding="utf-8")
        npm.chmod(0o755)
    kept = {name: os.environ[name] for name in ("LANG", "SSL_CERT_FILE") if name in os.environ}
    settings = {key: value for key, value in os.environ.items() if key.startswith(("PIP_", "UV_"))}
    variables = {
        **kept,
        **settings,
        "HOME": str(home),
        **({"REPO_DIR": str(home)} if is_image else {"UV_CACHE_DIR": uv_cache()}),
        "PATH": f"{folder / 'venv' / 'bin'}:{os.environ['PATH']}",
    }
    done = subprocess.run(
        ["bash", "binder/postBuild"],
        cwd=home,
        env=variables,
        capture_output=True,
        text=True,
        timeout=BUILD_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    left = frozenset(entry.name for entry in home.iterdir())
    return Built(folder, variables, left, is_image)


def uv_cache() -> str:
    """The folder where uv keeps the packages from which `make setup` has installed."""
    uv = Path(sys.executable).with_name("uv")
    found = subprocess.run(
        [uv, "cache", "dir"], capture_output=True, text=True, check=True, timeout=WAIT_S
    )
    return found.stdout.strip()


@pytest.fixture
def url(built: Built, tmp_path: Path) -> Iterator[str]:
    """A server as Binder starts it, over the home folder."""
    log = tmp_path / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [
                built.folder / "venv/bin/jupyter",
                *("lab", "--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root"),
                "--ServerApp.base_url=/user/somebody-1a2b/",
            ],
            cwd=built.home,
            env=built.variables,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        deadline = time.monotonic() + WAIT_S
        pattern = re.compile(r"http://127\.0\.0\.1:\d+/user/somebody-1a2b/lab\?token=\w+")
        while (found := pattern.search(log.read_text(encoding="utf-8"))) is None:
            assert server.poll() is None, log.read_text(encoding="utf-8")[-3000:]
            assert time.monotonic() < deadline, log.read_text(encoding="utf-8")[-3000:]
            time.sleep(0.1)
        yield found.group()
    finally:
        server.terminate()
        server.wait(30)


def test_the_build_makes_the_tour_and_leaves_nothing_that_makes_an_image_large(
    built: Built,
) -> None:
    assert (built.home / "pocket-weather" / "tour.ipynb").is_file()
    assert (built.home / "pocket-weather" / ".git").is_dir()
    assert bool(built.left & {".npm", "node_modules"}) != built.is_image


def test_the_server_answers(url: str) -> None:
    base, query = url.replace("/lab?", "?").split("?")
    for path in ("jupyter-ac/health", "api/contents/pocket-weather/tour.ipynb"):
        with urllib.request.urlopen(f"{base}/{path}?{query}", timeout=WAIT_S) as answer:
            assert answer.status == 200
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(f"{base}/api/contents", timeout=WAIT_S)


def test_the_embedded_model_answers_there(built: Built) -> None:
    done = subprocess.run(
        [built.folder / "venv/bin/jupyter-ac", "ask", "Say hello."],
        cwd=built.home / "pocket-weather",
        env=built.variables,
        capture_output=True,
        text=True,
        timeout=2 * WAIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
