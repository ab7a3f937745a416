"""What clients take."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.hosts.edge.accept_headers import accepts, takes_gzip


@pytest.mark.parametrize(
    ("accepted", "takes"),
    [
        ("", False),
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("*", True),
        ("gzip;q=0", False),
        ("gzip; q=0, br", False),
        ("gzip;q=0.000, *", False),
        ("gzip ; Q=0.1", True),
        ("deflate", False),
    ],
)
def test_gzip_is_used_for_who_takes_it(accepted: str, takes: bool) -> None:
    assert takes_gzip(accepted) is takes


@pytest.mark.parametrize(
    ("accepted", "takes"),
    [
        ("text/event-stream", True),
        ("Text/Event-Stream", True),
        ("application/json, text/event-stream;q=0.5", True),
        ("text/event-stream;q=0", False),
        ("application/json", False),
        ("", False),
    ],
)
def test_a_stream_is_for_who_asks_for_it(accepted: str, takes: bool) -> None:
    assert accepts(accepted, "text/event-stream") is takes


@given(st.text(max_size=200))
def test_no_header_is_too_odd(header: str) -> None:
    assert accepts(header, "gzip") in {True, False}
