"""The log of calls is switched on by the environment, for the logger that Jupyter may configure."""

import io
import json
import logging
import logging.config
from collections.abc import Iterator

import pytest

from jupyter_ac.hosts.call_lines import CALL_LOG_VARIABLE, call_log, write_call_lines
from jupyter_ac.rpc.call_log import LOGGER, CallLogFormatter


@pytest.fixture(autouse=True)
def logger() -> Iterator[logging.Logger]:
    """Give the logger of calls, and leave it as it was."""
    found = logging.getLogger(LOGGER)
    before = (found.level, found.propagate, list(found.handlers))
    yield found
    found.setLevel(before[0])
    found.propagate, found.handlers = before[1:]


@pytest.mark.parametrize("value", [None, "", "0"])
def test_without_the_variable_logging_stays_as_it_is(
    value: str | None, logger: logging.Logger, caplog: pytest.LogCaptureFixture
) -> None:
    before = (logger.level, logger.propagate, list(logger.handlers))
    write_call_lines({} if value is None else {CALL_LOG_VARIABLE: value})
    assert (logger.level, logger.propagate, logger.handlers) == before
    with caplog.at_level(logging.WARNING):
        call_log().finished("A.b", 1, 0.1, None)
    assert caplog.records == []


def test_with_it_each_call_is_one_line_however_often_hosts_start() -> None:
    stream = io.StringIO()
    write_call_lines({CALL_LOG_VARIABLE: "1"}, stream)
    write_call_lines({CALL_LOG_VARIABLE: "1"}, stream)
    call_log().finished("Repo.get_file_tree", 1, 0.1, None)
    call_log().finished("Repo.sk-0123456789abcdefghijkl", 2, 0.1, None)
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert first["data"]["method"] == "Repo.get_file_tree"
    assert second["data"]["method"] == "Repo.…"


def test_a_servers_own_configuration_may_use_the_formatter(logger: logging.Logger) -> None:
    stream = io.StringIO()
    logging.config.dictConfig(
        {
            "version": 1,
            "incremental": False,
            "disable_existing_loggers": False,
            "formatters": {"calls": {"class": "jupyter_ac.rpc.call_log.CallLogFormatter"}},
            "handlers": {
                "calls": {
                    "class": "logging.StreamHandler",
                    "formatter": "calls",
                    "stream": stream,
                }
            },
            "loggers": {LOGGER: {"level": "INFO", "handlers": ["calls"]}},
        }
    )
    assert isinstance(logger.handlers[0].formatter, CallLogFormatter)
    call_log().finished("A.b", "x", 0.1, None)
    assert json.loads(stream.getvalue())["data"]["id"] == "x"
