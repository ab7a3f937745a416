import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.index.quoting import on_one_line, quoted


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("größe 1.py", '"größe 1.py"'),
        ('say "hi"', '"say \\"hi\\""'),
        ("a\nb\x7f", '"a\\nb\\u007f"'),
        ("exe\u202egpj", '"exe\\u202egpj"'),
        ("a\u200b\ufeff\u3164", '"a\\u200b\\ufeff\\u3164"'),
        ("\U000e0041", '"\\udb40\\udc41"'),
        ("\udcff", '"\\udcff"'),
    ],
)
def test_what_is_hidden_is_escaped_and_what_can_be_read_stays(name: str, written: str) -> None:
    assert quoted(name) == written


@given(st.text(st.characters(min_codepoint=0), min_size=1))
def test_a_quoted_name_can_be_read_back(name: str) -> None:
    line = quoted(name)
    assert line.splitlines() == [line]
    assert line.encode("utf-8")
    assert json.loads(line) == name


def test_a_text_on_one_line_keeps_what_can_be_seen() -> None:
    assert on_one_line("(a:\u202e int,\n\tß)") == "(a:  int,  ß)"
