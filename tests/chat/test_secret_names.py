import pytest

from jupyter_ac.chat.secret_names import is_certain_name, is_pin_name, is_secret_value_name


@pytest.mark.parametrize(
    "name",
    [
        "API_KEY",
        "apikey",
        "openaiApiKey",
        "AWS_ACCESS_KEY_ID",
        "my_token",
        "TOKEN2",
        "pwd",
        "creds",
        "aws_cred",
        "pw",
        "DB_PASS",
        "x-api-key",
    ],
)
def test_names_of_secrets(name: str) -> None:
    assert is_secret_value_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "sacred",
        "credit",
        "first_pass",
        "bypass",
        "compass",
        "key",
        "monkey",
        "sort_key",
        "num_tokens",
        "tokenizer",
        "user",
        "password_field",
        "password_column",
        "token_pattern",
        "pin",
    ],
)
def test_names_of_others(name: str) -> None:
    assert not is_secret_value_name(name)


def test_names_behind_which_a_word_is_a_secret() -> None:
    names = ("password", "DB_PASSWORD", "clientSecret", "api_key", "github_token", "my_pw")
    assert all(map(is_certain_name, names))
    assert not any(map(is_certain_name, ("token", "next_token", "config_key", "password_hash")))


def test_names_of_pins() -> None:
    assert all(map(is_pin_name, ("pin", "PIN", "card_pin", "pin_code")))
    assert not any(map(is_pin_name, ("pins", "pinned", "spin", "pin_count", "opinion")))
