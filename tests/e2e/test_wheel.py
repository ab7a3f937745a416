"""What is tried in the browser is what a user installs."""

import json
import shutil
import subprocess

import pytest

from tests.e2e.installed import Installed
from tests.meta.test_versions import source_hash

pytestmark = pytest.mark.e2e


def test_there_is_no_node_within_reach(installed: Installed) -> None:
    assert shutil.which("node", path=installed.path) is None
    assert shutil.which("git", path=installed.path) is not None


def test_the_wheel_holds_the_bundle_of_these_sources(installed: Installed) -> None:
    (build,) = installed.venv.glob("lib/python*/site-packages/jupyter_ac/static/build.json")
    assert json.loads(build.read_text(encoding="utf-8"))["hash"] == source_hash()
    for name in ("http-client.js", "http-client.d.ts"):
        assert "HttpClient" in (build.parent / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (("server", "extension", "list"), "jupyter_ac"),
        (("labextension", "list"), "jupyter-ac"),
    ],
)
def test_jupyter_has_switched_it_on(
    installed: Installed,
    tmp_path_factory: pytest.TempPathFactory,
    command: tuple[str, ...],
    line: str,
) -> None:
    done = subprocess.run(
        [installed.python, "-m", "jupyter", *command],
        env=installed.environment(tmp_path_factory.mktemp("home")),
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    about = [text for text in (done.stdout + done.stderr).splitlines() if line in text]
    assert any("OK" in text for text in about)
