from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from jupyter_ac.errors import (
    ProviderAuth,
    ProviderBadRequest,
    ProviderContext,
    ProviderError,
    ProviderRateLimit,
    ProviderUnavailable,
)
from jupyter_ac.worker.failures import (
    CallFacts,
    is_passing,
    missing_key,
    pause_s,
    provider_error,
    retry_after_s,
    too_late,
)

FACTS = CallFacts("gpt-5.4", "openai", None, 272_000, secrets=("hunter2-hunter2",))


class RaisedError(Exception):
    """Stands for any of litellm's classes: a name, a status, a text."""

    def __init__(self, message: str, status_code: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        if status_code is not None:
            self.status_code = status_code


class WrapperError(RaisedError):
    """Stands for what litellm puts around an error in the middle of a stream."""

    def __init__(self, inner: Exception) -> None:
        super().__init__("MidStreamFallbackError", 503)
        self.original_exception = inner


def classified(message: str, status: int | None = None) -> ProviderError:
    return provider_error(RaisedError(message, status), FACTS)


@pytest.mark.parametrize(
    ("message", "status", "kind"),
    [
        ("Missing Gemini API key. Set the GEMINI_API_KEY", 500, ProviderAuth),
        ("The api_key client option must be set", None, ProviderAuth),
        ("Unable to locate credentials", 401, ProviderAuth),
        ("API key not valid. Please pass a valid API key.", 400, ProviderAuth),
        ("invalid x-api-key", 401, ProviderAuth),
        ("You exceeded your current quota", 429, ProviderRateLimit),
        ("ThrottlingException: Too many requests", 400, ProviderRateLimit),
        ("ThrottlingException: Too many requests", None, ProviderRateLimit),
        ("This model's maximum context length is 8192 tokens", 400, ProviderContext),
        ("Input is too long for requested model.", 400, ProviderContext),
        ("Request too large for model on tokens per minute", 413, ProviderContext),
        ("Connection error.", 500, ProviderUnavailable),
        (
            "Cannot connect to host x:443 [Name or service not known]",
            500,
            ProviderUnavailable,
        ),
        ("[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed", None, ProviderUnavailable),
        ("Overloaded", 529, ProviderUnavailable),
        ("something odd", None, ProviderUnavailable),
        ("No module named 'google'", 500, ProviderBadRequest),
        ("Unsupported value: temperature", 400, ProviderBadRequest),
        ("The model `x` does not exist", 404, ProviderBadRequest),
    ],
)
def test_status_and_text_decide(
    message: str, status: int | None, kind: type[ProviderError]
) -> None:
    assert type(classified(message, status)) is kind


@pytest.mark.parametrize(
    ("message", "status", "remedy"),
    [
        (
            "Missing credentials.",
            500,
            "set OPENAI_API_KEY in the settings, under Keys, or in the env",
        ),
        (
            "Incorrect API key provided.",
            401,
            "Check OPENAI_API_KEY: set another one in the settings",
        ),
        ("You exceeded your current quota, see billing", 429, "the account's plan"),
        ("prompt is too long", 400, "about 272,000 tokens"),
        ("Connection error.", 500, "Check the network"),
        ("No module named 'google.auth'", 500, "provides `google.auth`"),
    ],
)
def test_the_text_says_what_to_do(message: str, status: int, remedy: str) -> None:
    assert remedy in str(classified(message, status))


def test_the_providers_sentence_is_taken_out_of_the_wrapping() -> None:
    raw = (
        "litellm.BadRequestError: AnthropicException - "
        '{"type": "error", "error": {"type": "x", "message": "tools: too deep"}}. '
        "Handle with `litellm.BadRequestError`."
    )
    assert str(classified(raw, 400)).endswith("for gpt-5.4: tools: too deep.")


def test_a_traceback_and_a_novel_are_cut() -> None:
    text = str(classified('Boom\nTraceback (most recent call last):\n  File "/home/x/y.py"'))
    assert "Traceback" not in text
    assert "/home" not in text
    assert len(str(classified("long " * 1000))) < 500


def test_secrets_are_hidden() -> None:
    text = str(classified("Incorrect API key provided: hunter2-hunter2.", 401))
    assert "hunter2" not in text
    text = str(classified("Incorrect API key provided: sk-1234567890abcdefghij.", 401))
    assert "1234567890" not in text


def test_the_cause_behind_a_wrapper_decides() -> None:
    outer = WrapperError(RaisedError("prompt is too long", 400))
    assert type(provider_error(outer, FACTS)) is ProviderContext


def test_a_failure_in_the_middle_says_so() -> None:
    error = provider_error(RaisedError("peer closed connection"), FACTS, has_begun=True)
    assert "broke off in the middle" in str(error)


def test_an_own_server_is_named_by_its_address() -> None:
    facts = CallFacts("openai/x", "openai", "http://user:secretword@localhost:1/v1", 8192)
    text = str(provider_error(RaisedError("Connection error."), facts))
    assert "localhost:1/v1 can't be reached" in text
    assert "secretword" not in text


def test_missing_keys_and_late_answers_have_sentences_of_their_own() -> None:
    assert "OPENAI_API_KEY" in missing_key(FACTS)
    assert "TOGETHERAI_API_KEY" in missing_key(CallFacts("x", "together_ai", None, 1))
    assert "did not answer within 60 s" in str(too_late(FACTS, "did not answer within", 60.0))


def test_an_address_is_named_without_what_it_may_hold() -> None:
    base = "http://me:hunter2@example.org/v1?token=hunter22"
    text = str(
        provider_error(RaisedError("Connection error."), CallFacts("m", "openai", base, 100))
    )
    assert text.startswith("The server at http://example.org/v1 can't be reached")
    assert "hunter2" not in text


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
