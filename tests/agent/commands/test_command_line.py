import shlex
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.agent.commands.command_line import MAX_ARGUMENTS, MAX_CHARS, split_command
from jupyter_ac.errors import InvalidParams


@pytest.mark.parametrize(
    ("text", "argv"),
    [
        ("pytest -q", ("pytest", "-q")),
        ("  pytest  -q\n", ("pytest", "-q")),
        ("pytest 'tests/a b.py'", ("pytest", "tests/a b.py")),
        (r"cat a\ b", ("cat", "a b")),
        ('grep "a|b" x', ("grep", "a|b", "x")),
        ("grep 'foo$' x", ("grep", "foo$", "x")),
        ('grep "foo$" x', ("grep", "foo$", "x")),
        ("grep 'a;b' 'c>d' '$(e)' '`f`' '*'", ("grep", "a;b", "c>d", "$(e)", "`f`", "*")),
        (r"find . -exec ls {} \;", ("find", ".", "-exec", "ls", "{}", ";")),
        ("pytest tests/test_a.py::test_b[1-2]", ("pytest", "tests/test_a.py::test_b[1-2]")),
        ("git log a~1 --format=%h#", ("git", "log", "a~1", "--format=%h#")),
        ('git commit -m "one\n\ntwo"', ("git", "commit", "-m", "one\n\ntwo")),
        ("env A=1 make", ("env", "A=1", "make")),
        ("echo ''", ("echo", "")),
    ],
)
def test_a_command_is_split(text: str, argv: tuple[str, ...]) -> None:
    assert split_command(text) == argv


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("a | b", "a pipe; make a call for each command"),
        ("a && b", "a call for each command"),
        ("a || b", "a pipe"),
        ("a & ", "background"),
        ("a; b", "a sequence of commands"),
        ("a\nb", "a second line"),
        ("a \\\nb", "a second line"),
        ("a > b", "write files by an edit"),
        ("a 2>&1", "a redirection"),
        ("a < b", "name the file as an argument"),
        ("a <<EOF", "a redirection"),
        ("echo $(id)", "a substitution"),
        ('echo "$(id)"', "single quotes"),
        ("echo `id`", "a substitution"),
        ('echo "`id`"', "a substitution"),
        ("echo $HOME", "write the value itself"),
        ('echo "${HOME}"', "write the value itself"),
        ('echo "\\$HOME"', "single quotes"),
        ("(a)", "a subshell"),
        ("ls *.py", "name the files or their folder"),
        ("ls a?.py", "a pattern"),
        ("ls ~/x", "relative to the repository"),
        ("pytest # all", "a comment"),
        ("A=1 make", "begin with `env`"),
        ("echo 'a", "left open"),
        ('echo "a', "left open"),
        ("echo a\\", "left open"),
        ("", "empty"),
        ("   \n ", "empty"),
        ("'' a", "empty"),
        ("a\0b", "NUL"),
        ("a " * MAX_CHARS, "write a script"),
        ("a " * (MAX_ARGUMENTS + 1), "arguments"),
    ],
)
def test_what_needs_a_shell_is_refused_with_a_remedy(text: str, remedy: str) -> None:
    with pytest.raises(InvalidParams, match=remedy.replace("(", r"\(").replace("$", r"\$")):
        split_command(text)


WORDS = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=20)


@given(st.lists(WORDS, min_size=1, max_size=6))
def test_quoted_words_come_back(words: list[str]) -> None:
    words[0] = f"p{words[0].replace('=', '')}"
    assert split_command(shlex.join(words)) == tuple(words)


@given(st.text(string.ascii_letters + string.punctuation + " \n\t", max_size=40))
def test_a_text_is_split_as_by_shlex_or_refused(text: str) -> None:
    try:
        argv = split_command(text)
    except InvalidParams:
        return
    assert list(argv) == shlex.split(text.strip())
