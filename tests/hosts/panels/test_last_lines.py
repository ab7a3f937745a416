"""The end of what a plugin has printed."""

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.hosts.panels.last_lines import LAST_LINES, MAX_LINE_BYTES, LastLines


@given(st.lists(st.text("ab\n", max_size=8)))
def test_lines_are_the_same_however_they_are_cut(texts: list[str]) -> None:
    whole = "".join(texts)
    lines = LastLines()
    for text in texts:
        lines.add(text.encode())
    assert lines.text.split("\n") == ([one for one in whole.split("\n") if one] or [""])[-20:]


def test_only_the_last_ones_are_kept_and_each_is_cut() -> None:
    lines = LastLines()
    for number in range(100):
        lines.add(f"{number}\n".encode())
    lines.add(b"x" * 10_000_000)
    lines.add_line(b"y" * 10_000)
    shown = lines.text.split("\n")
    assert len(shown) <= LAST_LINES + 1
    assert shown[0] == "81"
    assert max(map(len, shown)) == MAX_LINE_BYTES


def test_secrets_and_control_characters_are_not_shown() -> None:
    lines = LastLines()
    lines.add(b"key sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789 \x1b[31mred\n\n  \n\xff\n")
    assert "abcdefghijklmnop" not in lines.text
    assert "\x1b" not in lines.text
    assert lines.text.endswith("\ufffd")
