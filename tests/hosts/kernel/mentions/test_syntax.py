"""Mentions in the text of a question."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.hosts.kernel.mentions.syntax import Mention, find_mentions

TABLE = Path(__file__).parents[4] / "js/packages/ui/test/model/mentions.json"


def test_they_are_those_that_the_panel_finds() -> None:
    for row in json.loads(TABLE.read_text(encoding="utf-8")):
        found = [str(mention) for mention in find_mentions(row["text"])]
        assert found == row["mentions"], row["text"]


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("Why is @var:df empty, and @var:été?", [Mention("var", "df"), Mention("var", "été")]),
        ("@var:df.columns @var:df['a']", [Mention("var", "df")]),
        ("@cell, (@cell:3) @output: @output:12.", ["@cell", "@cell:3", "@output", "@output:12"]),
        ("What does @error mean?", ["@error"]),
        ("@selection and @notebook!", ["@selection", "@notebook"]),
        ("See @file:src/a.py, @file:b.md.", ["@file:src/a.py", "@file:b.md"]),
        ('(@file:"with blank.txt") @file:c.py`', ["@file:with blank.txt", "@file:c.py"]),
        ("@cell:x is named, too", ["@cell:x"]),
        ("@var:x\n@var:x", ["@var:x"]),
    ],
)
def test_mentions_are_found_once_each_in_their_order(
    text: str, mentions: list[Mention | str]
) -> None:
    assert [str(found) for found in find_mentions(text)] == [str(each) for each in mentions]


@pytest.mark.parametrize("fence", ["```", "````", "~~~"])
def test_mentions_in_fenced_blocks_are_text(fence: str) -> None:
    text = f"@cell:1\n{fence}python\n@notebook\ndef f(): ...\n{fence}\nand @cell:2"
    assert [str(found) for found in find_mentions(text)] == ["@cell:1", "@cell:2"]
    assert [str(found) for found in find_mentions(text.replace("\n", "\r\n"))] == [
        "@cell:1",
        "@cell:2",
    ]
    assert find_mentions(f"- a list\n\n  {fence}\n  @error\n  {fence}\n") == []
    assert find_mentions(f"{fence}\n@error in a block without an end") == []


def test_a_shorter_fence_doesn_t_end_a_block() -> None:
    found = find_mentions("````\n```\n@error\n```\n@cell\n````\n@output")
    assert [str(each) for each in found] == ["@output"]


@pytest.mark.parametrize(
    "text",
    [
        "@property",
        "@df",
        "someone@cell.org",
        "me@error",
        "@cellular @error_handler @outputs",
        "@error.handler",
        "@output(1)",
        "`@cell` is a mention",
        "@var: x",
        "@file: x",
        "@file:...",
        "https://example.org/@error",
        "@@cell",
    ],
)
def test_all_else_behind_an_at_is_text(text: str) -> None:
    assert find_mentions(text) == []


@given(st.text(alphabet='@:.`" \ncelvarfiout3x(', max_size=60))
def test_what_is_found_stands_in_the_text(text: str) -> None:
    for mention in find_mentions(text):
        written = str(mention).replace("@file:", "")
        assert written.removeprefix("@file:") in text
        assert f"@{mention.kind}" in text
        assert mention.kind not in {"var", "file"} or mention.detail


@given(
    st.text(alphabet="abc xyz\n.,", max_size=20),
    st.from_regex(r"[a-z_][a-z0-9_]{0,10}", fullmatch=True),
    st.integers(0, 999),
)
def test_a_mention_between_blanks_is_always_found(around: str, name: str, number: int) -> None:
    written = [f"@var:{name}", f"@cell:{number}", f"@output:{number}", f"@file:{name}.py"]
    text = f" {around} ".join(["", *written, ""])
    assert [str(mention) for mention in find_mentions(text)] == written
