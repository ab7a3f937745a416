"""One line for each call: its exact form, and what never gets into it."""

import io
import json
import logging
import math
import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.rpc.call_log import CallLog, CallLogFormatter, new_error_id
from jupyter_ac.rpc.messages import ErrorObject, MessageId
from jupyter_ac.workers.redaction import redact


class Lines:
    """A logger of its own, and what it has written."""

    def __init__(self, level: int = logging.INFO) -> None:
        self.logger = logging.getLogger(f"calls of {id(self)}")
        self.logger.setLevel(level)
        self.logger.propagate = False
        self.stream = io.StringIO()
        handler = logging.StreamHandler(self.stream)
        handler.setFormatter(CallLogFormatter())
        self.logger.handlers = [handler]
        self.log = CallLog(self.logger, redact)

    def one(self) -> dict[str, object]:
        """Return the only line, and forget it."""
        text = self.stream.getvalue()
        self.stream.seek(0)
        self.stream.truncate()
        assert text.endswith("\n")
        assert len(text.splitlines()) == 1
        assert text.isascii()
        line: dict[str, object] = json.loads(text)
        return line


@pytest.fixture
def lines() -> Lines:
    return Lines()


def test_the_line_of_the_seed(lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = datetime(2024, 1, 15, 10, 30, 0, 999_000, UTC).timestamp()
    monkeypatch.setattr("time.time", lambda: moment)
    monkeypatch.setattr("time.time_ns", lambda: int(moment * 1e9), raising=False)
    lines.log.finished("execute_task", "task_001", 1.2341, None)
    assert lines.stream.getvalue() == (
        '{"timestamp": "2024-01-15T10:30:00Z", "level": "INFO", "message": "RPC Request", '
        '"data": {"method": "execute_task", "id": "task_001", "duration_ms": 1234, '
        '"status": "success"}}\n'
    )


def test_a_failed_call(lines: Lines) -> None:
    data = {"type": "rate_limited", "retry_after_ms": 100, "reason": "not in the log"}
    lines.log.finished("A.b", 7, 0.0004, ErrorObject(-32002, "not in the log", data))
    line = lines.one()
    assert line["level"] == "WARNING"
    assert line["data"] == {
        "method": "A.b",
        "id": 7,
        "duration_ms": 0,
        "status": "error",
        "error_type": "rate_limited",
    }


def test_an_internal_error_has_the_id_that_its_caller_was_told(lines: Lines) -> None:
    error_id = new_error_id()
    assert re.fullmatch(r"[0-9a-f]{12}", error_id)
    assert error_id != new_error_id()
    error = ErrorObject(-32603, "internal error", {"type": "internal", "error_id": error_id})
    lines.log.finished("A.b", None, 1, error)
    line = lines.one()
    assert line["level"] == "ERROR"
    assert line["data"] == {
        "method": "A.b",
        "id": None,
        "duration_ms": 1000,
        "status": "error",
        "error_type": "internal",
        "error_id": error_id,
    }


@pytest.mark.parametrize("data", [None, "text", [], {}])
def test_an_error_without_a_type_counts_as_ours(lines: Lines, data: object) -> None:
    lines.log.finished("A.b", 1, 0, ErrorObject(-32603, "internal error", data))
    line = lines.one()
    assert (line["level"], dict(line)["data"]) == (
        "ERROR",
        {"method": "A.b", "id": 1, "duration_ms": 0, "status": "error", "error_type": "internal"},
    )


def test_nothing_is_made_or_redacted_while_the_lines_are_off() -> None:
    off = Lines(logging.WARNING)

    def never(text: str) -> str:
        raise AssertionError(text)

    error = ErrorObject(-32603, "internal error", {"type": "internal"})
    CallLog(off.logger, never).finished("A.b", 1, 0.1, error)
    assert off.stream.getvalue() == ""


def test_secrets_are_hidden_also_where_they_are_cut_off(
    lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "correct-horse-battery-staple")
    key = "sk-0123456789abcdefghijklmnop"
    lines.log.finished(f"A.{key}", "x" * 90 + "correct-horse-battery-staple", 0, None)
    text = str(lines.one())
    assert "sk-0123" not in text
    assert "correct" not in text


@pytest.mark.parametrize(
    ("call_id", "shown"),
    [
        (1, 1),
        (1.5, 1.5),
        (None, None),
        ("", ""),
        ("x" * 101, "x" * 100),
        ("a\nb\x1b[31m\u2028\u202e", "a?b?[31m??"),
        pytest.param(10**5000, "a large number", id="huge"),
        pytest.param(-(10**5000), "a large number", id="huge below zero"),
        (1e300, "a large number"),
    ],
)
def test_ids_are_bounded(lines: Lines, call_id: MessageId, shown: MessageId) -> None:
    lines.log.finished("A.b", call_id, 0, None)
    data = lines.one()["data"]
    assert isinstance(data, dict)
    assert data["id"] == shown


@given(st.text(), st.text() | st.integers() | st.floats(allow_nan=False), st.text())
def test_nothing_from_outside_breaks_the_line(
    method: str, call_id: MessageId, error_type: str
) -> None:
    lines = Lines()
    lines.log.finished(method, call_id, 0, ErrorObject(1, "", {"type": error_type}))
    data = lines.one()["data"]
    assert isinstance(data, dict)
    for name in ("method", "id", "error_type"):
        assert len(str(data[name])) <= 100
        assert str(data[name]).isprintable()


def test_the_formatter_serves_other_records_as_well() -> None:
    record = logging.LogRecord("other", logging.WARNING, "", 0, "a\n%s", ("b",), None)
    record.created = 0.0
    line = CallLogFormatter().format(record)
    assert json.loads(line) == {
        "timestamp": "1970-01-01T00:00:00Z",
        "level": "WARNING",
        "message": "a\nb",
    }
    assert "\n" not in line


def test_an_infinite_id_is_json(lines: Lines) -> None:
    lines.log.finished("A.b", math.inf, 0, None)
    assert "Infinity" not in str(lines.one())
