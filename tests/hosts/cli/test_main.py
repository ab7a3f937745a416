"""The command line, as a person types it."""

import os
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from types import ModuleType

import pytest

from jupyter_ac.errors import Unsupported
from jupyter_ac.hosts.cli import main as cli
from jupyter_ac.hosts.cli.command import Command, WrongUsage
from jupyter_ac.version import __version__

ROOT = Path(__file__).parents[3]
NAMES = ["serve", "stdio", "ask", "doctor", "install-demo-model"]


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


def test_help_lists_what_there_is() -> None:
    done = run("--help")
    assert done.returncode == 0
    listed = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("    ")]
    assert [word for word in listed if word in NAMES] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_each_command_explains_itself(name: str) -> None:
    done = run(name, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"usage: jupyter-ac {name}" in done.stdout


HEAVY = {"asyncio", "tornado", "jupyter_server", "traitlets", "sqlite3"}


@pytest.mark.parametrize("name", ["", *NAMES])
def test_help_loads_no_command(name: str) -> None:
    words = [name, "--help"] if name else ["--help"]
    script = (
        "import sys\n"
        "from jupyter_ac.hosts.cli.main import main\n"
        f"try:\n    main({words})\nexcept SystemExit:\n    pass\n"
        f"print(sorted({HEAVY} & sys.modules.keys()), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == "[]\n"


def test_without_a_command_the_help_is_shown() -> None:
    done = run()
    assert (done.returncode, done.stdout) == (2, "")
    assert all(f"    {name}" in done.stderr for name in NAMES)


def test_the_usage_that_is_shown_is_that_of_the_command() -> None:
    done = run("doctor", "--loud")
    assert done.returncode == 2
    assert done.stderr.startswith("usage: jupyter-ac doctor")
    assert done.stderr.endswith("error: unrecognized arguments: --loud\n")


@pytest.mark.parametrize(
    "arguments", [("no-such-command",), ("install-demo-model", "extra"), ("ask",)]
)
def test_wrong_usage_ends_with_2_and_says_the_usage(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert "usage: jupyter-ac" in done.stderr
    assert done.stdout == ""


def command(monkeypatch: pytest.MonkeyPatch, outcome: BaseException | int) -> Command:
    def act(_options: Namespace) -> int:
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def declare(parser: ArgumentParser) -> None:
        parser.add_argument("--loud", action="store_true")

    module = ModuleType("tests_act")
    monkeypatch.setattr(module, "run", act, raising=False)
    monkeypatch.setitem(sys.modules, "tests_act", module)
    return Command("act", "does it", declare, "tests_act")


@pytest.mark.parametrize(
    ("outcome", "code", "says"),
    [
        (0, 0, ""),
        (1, 1, ""),
        (Unsupported("no wheel for this platform"), 1, "jupyter-ac: no wheel for this platform\n"),
        (WrongUsage("no such file"), 2, "jupyter-ac: no such file\n"),
        (KeyboardInterrupt(), 130, ""),
        (OSError(28, "No space left on device"), 1, "jupyter-ac: No space left on device.\n"),
    ],
)
def test_the_exit_code_says_how_it_went(
    outcome: BaseException | int,
    code: int,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(cli, "COMMANDS", (command(monkeypatch, outcome),))
    assert cli.main(["act", "--loud"]) == code
    assert capsys.readouterr().err == says


def test_what_nobody_expected_commands_no_terminal_either() -> None:
    script = (
        "import sys\n"
        "from types import ModuleType\n"
        "from jupyter_ac.hosts.cli import main as cli\n"
        "act = sys.modules['act'] = ModuleType('act')\n"
        "def fail(_options):\n    raise ValueError('a\\x1b]0;title\\x07\\x9b2Jb')\n"
        "act.run = fail\n"
        "cli.COMMANDS = (cli.Command('act', 'does it', lambda _: None, 'act'),)\n"
        "sys.exit(cli.main(['act']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr.endswith("ValueError: a]0;title2Jb\n")
    assert not set("\x1b\x07\x9b") & set(done.stderr)


def test_a_question_in_another_encoding_is_no_failure_of_ours(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "jupyter_ac.hosts.cli.main", "ask", "-"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
        input="Größe?".encode("latin-1"),
        check=False,
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"no git repository" in done.stderr


def test_who_stops_reading_hears_no_complaint() -> None:
    script = (
        "import sys\n"
        "from types import ModuleType\n"
        "from jupyter_ac.hosts.cli import main as cli\n"
        "act = sys.modules['act'] = ModuleType('act')\n"
        "act.run = lambda options: print('something') or 0\n"
        "cli.COMMANDS = (cli.Command('act', 'acts', lambda parser: None, 'act'),)\n"
        "sys.exit(cli.main(['act']))\n"
    )
    read_fd, write_fd = os.pipe()
    os.close(read_fd)
    done = subprocess.run(
        [sys.executable, "-c", script],
        stdout=write_fd,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        check=False,
        timeout=60,
    )
    os.close(write_fd)
    assert (done.returncode, done.stderr) == (1, b"")
