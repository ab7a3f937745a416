"""Binder's build, run for real in a new environment, and the server that it makes."""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WAIT_S = 60
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


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The environment's folder and the variables of a Binder session: the checkout is its home."""
    folder = tmp_path_factory.mktemp("binder")
    home = folder / "home"
    copy_sources(home)
    subprocess.run(["git", "init", "--quiet", home], check=True, timeout=WAIT_S)
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True, timeout=WAIT_S)
    kept = {name: os.environ[name] for name in ("LANG", "SSL_CERT_FILE") if name in os.environ}
    settings = {key: value for key, value in os.environ.items() if key.startswith(("PIP_", "UV_"))}
    variables = {
        **kept,
        **settings,
        "HOME": str(home),
        "REPO_DIR": str(home),
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
    return folder, variables


@pytest.fixture
def url(built: tuple[Path, dict[str, str]], tmp_path: Path) -> Iterator[str]:
    """A server as Binder starts it, over the home folder."""
    folder, variables = built
    log = tmp_path / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [
                folder / "venv/bin/jupyter",
                *("lab", "--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root"),
                "--ServerApp.base_url=/user/somebody-1a2b/",
            ],
            cwd=variables["HOME"],
            env=variables,
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


def test_the_build_makes_the_tour_and_a_server_that_answers(
    built: tuple[Path, dict[str, str]], url: str
) -> None:
    home = Path(built[1]["HOME"])
    assert (home / "pocket-weather" / "tour.ipynb").is_file()
    assert (home / "pocket-weather" / ".git").is_dir()
    for left in (".npm", "node_modules"):
        assert not (home / left).exists(), "it makes the image large"
    base, query = url.replace("/lab?", "?").split("?")
    for path in ("jupyter-ac/health", "api/contents/pocket-weather/tour.ipynb"):
        with urllib.request.urlopen(f"{base}/{path}?{query}", timeout=WAIT_S) as answer:
            assert answer.status == 200
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(f"{base}/api/contents", timeout=WAIT_S)


def test_the_embedded_model_answers_there(built: tuple[Path, dict[str, str]]) -> None:
    folder, variables = built
    done = subprocess.run(
        [folder / "venv/bin/jupyter-ac", "ask", "Say hello."],
        cwd=Path(variables["HOME"]) / "pocket-weather",
        env=variables,
        capture_output=True,
        text=True,
        timeout=2 * WAIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
