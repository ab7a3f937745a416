import io
import logging
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.hosts.cli.main import main
from jupyter_ac.terminal import TerminalWriter, replace_line, terminal_output, terminal_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, tab\t and line\n", "plain, tab\t and line\n"),
        ("naïve 漢字 🟧 \u200d\u200b", "naïve 漢字 🟧 \u200d\u200b"),
        ("\x1b]52;c;cm0=\x07", "]52;c;cm0="),
        ("\x1b]0;title\x1b\\", "]0;title\\"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("\x9d52;c;cm0=\x9c \x9b2J \x90q\x9c", "52;c;cm0= 2J q"),
        (b"\xc2\x9b2J".decode(), "2J"),
        ("over\rwritten\r\n", "overwritten\n"),
        ("back\b\b\b\bforth\x7f\0\a\v\f", "backforth"),
        ("a\u202ebdcf\u202c \u2066x\u2069", "abdcf x"),
        ("\udc9b\udcff", "\udc9b\udcff"),
    ],
)
def test_what_commands_a_terminal_is_taken_out(text: str, shown: str) -> None:
    assert terminal_text(text) == shown


@given(st.text(), st.integers(0, 40))
def test_it_does_not_matter_where_a_text_is_cut(text: str, at: int) -> None:
    assert terminal_text(text[:at]) + terminal_text(text[at:]) == terminal_text(text)


def test_a_writer_is_the_stream_in_all_else() -> None:
    stream = io.StringIO()
    writer = TerminalWriter(stream)
    assert writer.write("a\x1bb") == 3
    writer.writelines(["c\x9b", "\n"])
    assert stream.getvalue() == "abc\n"
    assert writer.getvalue is not None


def test_prints_errors_and_logs_go_through_it(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout, sys.stderr
    with terminal_output():
        sys.stdout.write("out\x1b[2J\n")
        sys.stderr.write("err\x9b2J\n")
        handler = logging.StreamHandler()
        handler.emit(logging.makeLogRecord({"msg": "log\x1b[2J"}))
        replace_line("going\x1b on")
    assert (sys.stdout, sys.stderr) == before
    assert capsys.readouterr() == ("out[2J\n", "err2J\nlog[2J\n\rgoing on\x1b[K")


def test_wrong_usage_repeats_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["doctor", "--\x1b]0;x\x07"])
    assert "--]0;x" in capsys.readouterr().err
