import pytest

from jupyter_ac.workers.masking import mask, secrets_of


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("the key sk-ant-api03-abcDEF123456 is wrong", "sk-ant-api03-abcDEF123456"),
        ("Incorrect API key: sk-proj-****************wxyz", "wxyz"),
        ("GET https://example.org/v1?key=AbCdEf&x=1", "AbCdEf"),
        ("authorization: Bearer abcdefgh12345", "abcdefgh12345"),
        ("http://user:hunter22@proxy:8080/", "hunter22"),
        ("AIzaSyA1234567890abcdef", "AIzaSyA1234567890abcdef"),
    ],
)
def test_what_looks_like_a_secret_is_hidden(text: str, secret: str) -> None:
    assert secret not in mask(text)
    assert "…" in mask(text)


def test_values_of_the_environment_that_are_secret_by_name_are_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "plainwords")
    assert mask("it says plainwords here") == "it says … here"


def test_given_secrets_are_hidden() -> None:
    assert mask("a correct-horse b", ["correct-horse"]) == "a … b"


def test_ordinary_text_stays() -> None:
    text = "The model `gpt-5.4` is unknown at https://api.openai.com/v1 (request 12345)."
    assert mask(text) == text


def test_secrets_are_known_by_the_names_of_their_variables_and_not_too_short() -> None:
    environ = {
        "A_KEY": "longenough1",
        "B_TOKEN": "longenough22",
        "C_KEY": "short",
        "PATH": "/usr/bin:/bin",
        "AWS_ACCESS_KEY_ID": "longenough333",
    }
    assert secrets_of(environ) == ["longenough333", "longenough22", "longenough1"]
