"""The options of the commands; what they do is tested with each command."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

import pytest

from jupyter_ac.hosts.cli import options


def read(words: list[str]) -> Namespace:
    parser = ArgumentParser()
    options.ask(parser)
    return parser.parse_args(words)


def test_files_may_be_many_and_be_called_like_options() -> None:
    asked = read(["Why?", "-f", "a.py", "--file=--repo", "-f./-x"])
    assert (asked.question, asked.files) == ("Why?", ["a.py", "--repo", "./-x"])
    assert (asked.repo, asked.model) == (Path(), None)


@pytest.mark.parametrize("question", ["-", "--", "- what is this?", "-x what?"])
def test_a_question_may_begin_with_a_dash(question: str) -> None:
    words = ["--", question] if question == "--" else [question]
    assert read(words).question == question


@pytest.mark.parametrize("words", [[], ["Why", "this?"], ["Why?", "-f"], ["Why?", "--port", "1"]])
def test_what_makes_no_sense_is_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        read(words)
    assert caught.value.code == 2


def test_some_commands_have_none() -> None:
    parser = ArgumentParser()
    options.nothing(parser)
    assert vars(parser.parse_args([])) == {}


def test_the_limits_of_a_run_are_numbers_in_their_bounds() -> None:
    asked = read(["Why?", "--agent", "--max-steps", "7", "--max-usd", "0.5", "--allow", "a b"])
    assert (asked.agent, asked.max_steps, asked.max_usd, asked.allow) == (True, 7, 0.5, ["a b"])
    assert read(["Why?"]).mode is None


@pytest.mark.parametrize(
    "words",
    [
        ["--max-steps", "0"],
        ["--max-steps", "1.5"],
        ["--max-steps", "9" * 20],
        ["--max-usd", "0"],
        ["--max-usd", "nan"],
        ["--max-usd", "lots"],
        ["--mode", "ask"],
    ],
)
def test_what_is_no_limit_of_a_run_is_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        read(["Why?", "--agent", *words])
    assert caught.value.code == 2
