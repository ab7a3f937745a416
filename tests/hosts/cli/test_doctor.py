"""`jupyter ac doctor`, as a real process and check by check."""

import asyncio
import functools
import json
import signal
import subprocess
from pathlib import Path

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.hosts.cli import doctor
from jupyter_ac.hosts.cli.checks.context import (
    Check,
    CheckContext,
    CheckResult,
    CheckState,
    NotChecked,
    ok,
)
from tests.hosts.cli.checks.conftest import Look, config, garden, look
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.stdio_process import (
    COMMAND,
    KEY,
    run_command,
    scripted_environment,
)

__all__ = ["config", "garden", "look"]

LIMIT_S = 90.0


@pytest.fixture
def env(tmp_path: Path, model_server: RunningModelServer) -> dict[str, str]:
    return scripted_environment(tmp_path / "home", model_server.openai)


run = functools.partial(run_command, "doctor")


def states(report: str) -> dict[str, str]:
    """Check → state."""
    found: dict[str, str] = {row["name"]: row["state"] for row in json.loads(report)["checks"]}
    return found


def test_where_everything_is_in_place_nothing_fails(
    garden: RepositoryFolder, env: dict[str, str]
) -> None:
    done = run(env=env, cwd=garden.root)
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr, lines[-1]) == (0, "", "Nothing fails.")
    heads = [line for line in lines if line[:1].strip()]
    assert [line[:4].strip() for line in heads[:3]] == ["ok", "ok", "ok"]
    assert any("OPENAI_API_KEY" in line and "set: environment" in line for line in lines)
    assert any("openai/scripted answered" in line for line in heads)
    assert KEY not in done.stdout
    assert "Traceback" not in done.stdout


def test_a_repository_does_not_command_the_terminal_by_its_name(
    tmp_path: Path, env: dict[str, str]
) -> None:
    named = make_repository(
        tmp_path / "x\x1b]52;c;cm0=\x07\x9b2J\nok    all:      fine", {"a": "b"}
    )
    done = run(env=env, cwd=named.root)
    assert not set("\x1b\x07\x9b") & {*done.stdout, *done.stderr}
    assert not any(line.startswith("ok    all:") for line in done.stdout.splitlines())
    assert "]52;c;cm0=" in done.stdout


def test_what_is_broken_is_named_with_its_remedy_and_the_rest_is_looked_at(
    garden: RepositoryFolder, env: dict[str, str]
) -> None:
    own = Path(env["JUPYTER_AC_CONFIG_DIR"])
    own.mkdir(parents=True)
    (own / "llm.json").write_text(f'{{"env": {{"GROQ_API_KEY": "{KEY}"}},\n oops}}')
    (garden.root / ".git" / "jupyter_ac").write_text("")
    without = {**env, "JUPYTER_AC_MODEL": "", "OPENAI_API_KEY": ""}
    limits = {"JupyterAC": {"denied_models": ["*"]}}
    (Path(env["JUPYTER_CONFIG_DIR"]) / "jupyter_ac_config.json").write_text(json.dumps(limits))
    done = run("--json", env=without, cwd=garden.root)
    assert (done.returncode, done.stderr) == (1, "")
    report = json.loads(done.stdout)
    assert report["ok"] is False
    found = states(done.stdout)
    assert {name for name, state in found.items() if state == "fail"} == {"model", "settings"}
    assert found["state"] == found["model reachable"] == "warn"
    rows = {row["name"]: row for row in report["checks"]}
    assert "llm.json, line 2" in rows["settings"]["finding"]
    assert all(row["remedy"] for row in report["checks"] if row["state"] == "fail")
    assert KEY not in done.stdout


def test_without_git_and_without_a_repository(
    env: dict[str, str], tmp_path: Path, garden: RepositoryFolder
) -> None:
    (tmp_path / "empty").mkdir()
    without = {**env, "PATH": str(tmp_path / "empty")}
    done = run("--json", "--repo", str(garden.root), env=without, cwd=tmp_path)
    found = states(done.stdout)
    assert done.returncode == 1
    assert found["git"] == found["repository"] == "fail"
    assert found["state"] == found["disk"] == found["socket"] == "warn"
    assert found["model reachable"] == "ok"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_half_a_report_is_no_success(
    garden: RepositoryFolder, env: dict[str, str], number: signal.Signals
) -> None:
    slow = {**env, "JUPYTER_AC_MODEL": "openai/scripted-hang"}
    with subprocess.Popen(
        [*COMMAND, "doctor"],
        env=slow,
        cwd=garden.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("ok    model:"):
                process.send_signal(number)
                break
        _, errors = process.communicate(timeout=LIMIT_S)
    assert (process.returncode, errors) == (130, "")


class TestACheck:
    """Whatever a check does, it gives one line."""

    @pytest.mark.parametrize(
        ("error", "state", "says"),
        [
            (GitError("git is ill."), CheckState.FAIL, "git is ill."),
            (GitError("git is ill; give it tea."), CheckState.FAIL, "git is ill."),
            (GitError("git is ill. Give it tea."), CheckState.FAIL, "git is ill."),
            (NotChecked("no legs"), CheckState.WARN, "not checked: no legs"),
            (
                ZeroDivisionError("by zero"),
                CheckState.FAIL,
                "the check broke: ZeroDivisionError: by zero",
            ),
            (TimeoutError(), CheckState.FAIL, "the check broke: TimeoutError: "),
        ],
    )
    async def test_that_raises(
        self, error: Exception, state: CheckState, says: str, look: Look
    ) -> None:
        async def broken(_here: CheckContext) -> CheckResult:
            raise error

        found = await doctor.examine(Check("x", broken), await look())
        assert (found.state, found.text) == (state, says)
        assert found.remedy
        assert ("tea" in found.remedy) == ("tea" in str(error))

    async def test_that_never_ends(self, look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
        async def endless(_here: CheckContext) -> CheckResult:
            await asyncio.Event().wait()
            return ok("never")

        monkeypatch.setattr(doctor, "LIMIT_S", 0.01)
        found = await doctor.examine(Check("x", endless), await look())
        assert found.state is CheckState.FAIL
        assert "no result within" in found.text

    def test_that_shows_a_secret_is_masked_and_stays_one_line(self) -> None:
        found = doctor._masked(
            CheckResult(CheckState.OK, f"a\nb {KEY}", "c\nmine-is-secret", ("  kept as it is",)),
            ["mine-is-secret"],
        )
        assert found == CheckResult(CheckState.OK, "a b …", "c …", ("  kept as it is",))
