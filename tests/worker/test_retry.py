from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from jupyter_ac.worker.retry import retry_after_s


class RefusedError(Exception):
    def __init__(self, headers: dict[str, str]) -> None:
        super().__init__("refused")
        self.litellm_response_headers = headers


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_the_headers_say_how_long(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(RefusedError(headers), "") == seconds


def test_a_date_is_understood() -> None:
    moment = datetime.now(UTC) + timedelta(seconds=100)
    found = retry_after_s(RefusedError({"retry-after": format_datetime(moment)}), "")
    assert found is not None
    assert 90 < found <= 100


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Please try again in 7.66s. Visit the site.", 7.66),
        ("Please try again in 1m30s.", 90.0),
        ("Please retry after 20 seconds", 20.0),
        ("Please try again in 250ms", 0.25),
        ("Please try again later", None),
    ],
)
def test_else_the_text_does(text: str, seconds: float | None) -> None:
    assert retry_after_s(RefusedError({}), text) == seconds
    assert retry_after_s(ValueError(text), text) == seconds
