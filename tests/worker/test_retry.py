from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from jupyter_ac.errors import ProviderAuth, ProviderError, ProviderRateLimit, ProviderUnavailable
from jupyter_ac.worker.retry import is_passing, pause_s, retry_after_s


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


class StatusError(Exception):
    def __init__(self, status: object, inner: Exception | None = None) -> None:
        super().__init__("failed")
        self.status_code = status
        self.original_exception = inner


@pytest.mark.parametrize(
    ("error", "seen", "passing"),
    [
        (StatusError(429), ProviderRateLimit("Too many requests."), True),
        (StatusError(429), ProviderRateLimit("Your quota is used up."), False),
        (StatusError(429), ProviderRateLimit("Your quota is used up.", 20.0), True),
        (StatusError(503), ProviderUnavailable("Overloaded."), True),
        (StatusError(529), ProviderUnavailable("Overloaded."), True),
        (StatusError(None, StatusError(502)), ProviderUnavailable("Bad gateway."), True),
        (StatusError(None), ProviderUnavailable("It can't be reached."), False),
        (RuntimeError(), ProviderUnavailable("It broke."), False),
        (StatusError(500), ProviderAuth("No key."), False),
    ],
)
def test_what_may_be_over_soon_is_told_from_what_will_not(
    error: Exception, seen: ProviderError, passing: bool
) -> None:
    assert is_passing(error, seen) is passing


def test_pauses_grow_unless_the_provider_says_how_long() -> None:
    assert [pause_s(n, None) for n in (1, 2, 3, 6, 60)] == [1, 2, 4, 30, 30]
    assert [pause_s(n, 7.5) for n in (1, 9)] == [7.5, 7.5]
