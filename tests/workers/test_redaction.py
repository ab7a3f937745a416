import pytest

from jupyter_ac.workers.redaction import hidden_in, plain_address, redact, redact_with, secrets_of


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("the key sk-ant-api03-abcDEF123456 is wrong", "sk-ant-api03-abcDEF123456"),
        ("Incorrect API key: sk-proj-****************wxyz", "wxyz"),
        ("GET https://example.org/v1?key=AbCdEf&x=1", "AbCdEf"),
        ("authorization: Bearer abcdefgh12345", "abcdefgh12345"),
        ("http://user:hunter22@proxy:8080/", "hunter22"),
        ("AIzaSyA1234567890abcdef", "AIzaSyA1234567890abcdef"),
        *(
            (f"the key {start}AbCdEf0123456789 is wrong", "AbCdEf0123456789")
            for start in ("nvapi-", "pplx-", "csk-", "tgp_v1_", "glpat-", "xoxb-", "ghu_", "fw_")
        ),
    ],
)
def test_what_looks_like_a_secret_is_hidden(text: str, secret: str) -> None:
    assert secret not in redact(text)
    assert "…" in redact(text)


def test_values_of_the_environment_that_are_secret_by_name_are_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "plainwords")
    assert redact("it says plainwords here") == "it says … here"


def test_given_secrets_are_hidden() -> None:
    assert redact("a correct-horse b", ["correct-horse"]) == "a … b"


def test_only_given_secrets_are_hidden_without_a_look_at_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "plainwords")
    text = redact_with("plainwords, correct-horse, BEARER abcdefgh12345", ["correct-horse"])
    assert text == "plainwords, …, BEARER …"


def test_ordinary_text_stays() -> None:
    text = "The model `gpt-5.4` is unknown at https://api.openai.com/v1 (request 12345)."
    assert redact(text) == text


def test_secrets_are_known_by_the_names_of_their_variables_and_not_too_short() -> None:
    environ = {
        "A_KEY": "longenough1",
        "B_TOKEN": "longenough22",
        "C_KEY": "short",
        "PATH": "/usr/bin:/bin",
        "AWS_ACCESS_KEY_ID": "longenough333",
    }
    assert secrets_of(environ) == ["longenough333", "longenough22", "longenough1"]


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://localhost:8080/v1", "http://localhost:8080/v1"),
        ("https://user:pass@example.org/a?key=sk-1#frag", "https://example.org/a"),
        ("https://example.org/sk-0123456789abcdef0123/v1", "https://example.org"),
        ("http://[::1]:80/x", "http://[::1]:80/x"),
        ("http://[broken", ""),
        ("http://host:99999999/", ""),
        ("sk-not-an-address", ""),
        ("", ""),
    ],
)
def test_an_address_is_shown_without_what_may_be_a_key(address: str, shown: str) -> None:
    assert plain_address(address) == shown


def test_of_a_providers_own_variables_only_those_are_shown_that_say_where_it_is() -> None:
    own = {
        "MY_AUTH": "longenough1",
        "AWS_REGION_NAME": "eu-central-1",
        "X_KEY_2": "also-hidden",
    }
    assert set(hidden_in(own)) == {"longenough1", "also-hidden"}
