"""Which calls `--allow` covers."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.hosts.cli.allowed_commands import AllowedCommands
from jupyter_ac.hosts.cli.command import WrongUsage
from tests.support.tool_call_rows import call_row


def covers(
    allowed: str, command: str, *, tool: str = "run_command", is_sandboxed: bool = True
) -> bool:
    row = call_row(tool, asking={"text": command, "is_sandboxed": is_sandboxed})
    return AllowedCommands([allowed]).covers(row)


@pytest.mark.parametrize(
    ("allowed", "command", "is_covered"),
    [
        ("pytest -q", "pytest -q", True),
        ("pytest -q", "pytest -q tests/test_a.py", True),
        ("pytest  '-q'", "pytest -q", True),
        ("pytest -q", "pytest -q -p evil", False),
        ("pytest -q", "pytest", False),
        ("pytest -q", "pytest -qq", False),
        ("pytest", "pytest -q", False),
        ("python -m pytest", "python -m pytest", True),
        ("python -m pytest", "python -m pytest -q", False),
        ("make test", "make test deploy", False),
        ("git diff", "git diff HEAD", True),
        ("git diff", "git -c alias.diff=!sh diff", False),
        ("touch a", "touch 'a", False),
    ],
)
def test_in_the_sandbox_further_arguments_are_covered_where_they_change_nothing(
    allowed: str, command: str, is_covered: bool
) -> None:
    assert covers(allowed, command) is is_covered


def test_outside_of_the_sandbox_the_whole_command_must_be_equal() -> None:
    assert covers("pytest -q", "pytest -q", is_sandboxed=False)
    assert not covers("pytest -q", "pytest -q tests", is_sandboxed=False)


def test_only_commands_are_covered_and_not_what_reads_like_one() -> None:
    assert covers("pytest -q", "pytest -q", tool="run_tests")
    assert not covers("pytest -q", "pytest -q", tool="run_cell")
    assert not covers("pytest -q", "pytest -q", tool="ask_user")


@pytest.mark.parametrize("line", ["", "a | b", "a && b", "echo $HOME", "echo 'a"])
def test_what_is_no_command_is_wrong_usage(line: str) -> None:
    with pytest.raises(WrongUsage, match=r"^--allow: "):
        AllowedCommands(["pytest -q", line])


_WORDS = st.lists(st.text("abc -='\"\\/.", min_size=1), min_size=1, max_size=4)


@given(_WORDS, _WORDS)
def test_outside_of_the_sandbox_no_other_command_is_covered(
    allowed: list[str], command: list[str]
) -> None:
    line, text = shlex.join(allowed), shlex.join(command)
    try:
        rules = AllowedCommands([line])
    except WrongUsage:
        return
    row = call_row("run_command", asking={"text": text})
    assert rules.covers(row) is (allowed == command)
