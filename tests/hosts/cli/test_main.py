"""The command line, as a person types it."""

import subprocess
import sys
from pathlib import Path

import pytest

from jupyter_ac.errors import Unsupported
from jupyter_ac.hosts.cli import main as cli
from jupyter_ac.version import __version__

ROOT = Path(__file__).parents[3]


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "jupyter_ac.hosts.cli.main", *arguments],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_it_says_its_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"jupyter-ac {__version__}\n")


def test_help_lists_only_what_there_is() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert "install-demo-model" in done.stdout
    assert "serve" not in done.stdout


@pytest.mark.parametrize("arguments", [(), ("no-such-command",), ("install-demo-model", "extra")])
def test_wrong_usage_ends_with_2_and_says_the_usage(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert "usage: jupyter-ac" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("is_there", [True, False])
def test_the_demo_model_is_installed_only_when_it_is_missing(
    is_there: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps: list[str] = []
    monkeypatch.setattr("jupyter_ac.models.embedded.available", lambda: is_there)
    monkeypatch.setattr("jupyter_ac.models.installer.install", lambda _say: steps.append("install"))
    assert cli.main(["install-demo-model"]) == 0
    assert steps == ([] if is_there else ["install"])
    assert "is installed" in capsys.readouterr().out


def command(outcome: BaseException | None) -> cli.Command:
    def act() -> None:
        if outcome is not None:
            raise outcome

    return cli.Command("act", "does it", act)


@pytest.mark.parametrize(
    ("outcome", "code", "says"),
    [
        (None, 0, ""),
        (Unsupported("no wheel for this platform"), 1, "jupyter-ac: no wheel for this platform\n"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_the_exit_code_says_how_it_went(
    outcome: BaseException | None,
    code: int,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(cli, "COMMANDS", (command(outcome),))
    assert cli.main(["act"]) == code
    assert capsys.readouterr().err == says
