"""The shell commands in an answer."""

from jupyter_ac.chat.edit_blocks.reading.commands import (
    MAX_COMMAND_CHARS,
    MAX_COMMANDS,
    shell_commands,
)
from jupyter_ac.chat.edit_blocks.reading.parser import parse


def _commands(text: str) -> list[str]:
    return shell_commands(text, parse(text, lambda _: False))


def test_lines_of_shell_fences_but_for_comments() -> None:
    for language in ("bash", "shell", "sh", "Bash", "bash title=x"):
        text = f"Run:\n```{language}\n# first\nmake test\n\n  git status\n```\nmake bench\n"
        assert _commands(text) == ["make test", "git status"]


def test_lines_of_other_fences_are_none() -> None:
    assert _commands("```python\nmake()\n```\n```\nls\n```\n") == []


def test_lines_behind_a_prompt() -> None:
    assert _commands("$ ls -l\n  $ pwd\n$x\n$\n```console\n$ make\n```\n") == [
        "ls -l",
        "pwd",
        "make",
    ]
    assert _commands("```bash\n$ ls\n```\n") == ["ls"]


def test_lines_behind_a_greater_sign_unless_they_are_a_quotation() -> None:
    text = "> pip install x\n> Note: y\n> Warning\n> This\n> The y\n> Make sure\n>ls\n> make\n"
    assert _commands(text) == ["pip install x", "make"]


def test_each_command_once_in_order() -> None:
    assert _commands("$ b\n$ a\n$ b\n```sh\na\nc\n```\n") == ["b", "a", "c"]


def test_nothing_comes_out_of_edit_blocks() -> None:
    edit = (
        "run.md\n🟧🟧🟧 EDIT\n```bash\nold\n```\n🟨🟨🟨 REPL\n"
        "```bash\nnew\n```\n$ new\n> new\n🟩🟩🟩 END\n"
    )
    assert _commands(f"$ a\n{edit}$ b\n```\n{edit}```\n```sh\nc\n```\n") == ["a", "b", "c"]


def test_nothing_comes_out_of_an_unclosed_block() -> None:
    assert _commands("$ a\nb.sh\n🟧🟧🟧 EDIT\n🟨🟨🟨 REPL\n$ b\n```bash\nc\n") == ["a"]


def test_an_answer_with_crlf() -> None:
    text = "$ a\r\n~~~sh\r\nb\r\n~~~\r\n"
    assert _commands(text) == ["a", "b"]


def test_a_fence_is_closed_by_its_own_kind() -> None:
    assert _commands("````bash\n```\nls\n````\nno\n") == ["```", "ls"]


def test_the_first_ones_are_enough() -> None:
    found = _commands("".join(f"$ run {n}\n" for n in range(100_000)))
    assert found == [f"run {n}" for n in range(MAX_COMMANDS)]
    assert _commands(f"$ {'x' * MAX_COMMAND_CHARS}y\n$ z\n") == ["z"]
