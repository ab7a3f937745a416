import pytest

from jupyter_ac.chat.secret_settings import setting_values


def _found(text: str) -> list[str]:
    return [text[start:end] for start, end in setting_values(text)]


@pytest.mark.parametrize(
    "text",
    [
        "password: swordfish",
        "DB_PASSWORD: swordfish",
        "api_key: swordfish",
        "database:\n  user: ada\n  password: swordfish  # of the test\n  port: 5432",
        "Logged in as ada\r\nYour password: swordfish\r\n",
        "user: ada, password: swordfish, host: x",
        "# password: swordfish\nimport os",
        "host=localhost\nuser=ada\npassword=swordfish",
        "db.password=swordfish",
        "[db]\n; of the test\nuser = ada\npassword = swordfish",
    ],
)
def test_a_word_is_found_in_settings_and_printed_lines(text: str) -> None:
    assert _found(text) == ["swordfish"]


@pytest.mark.parametrize(
    "text",
    [
        "password = other",
        "import os\npassword=other\nuser=ada",
        "x=1\nother=2\npassword=other",
        "self.password=other\nself.user=ada",
        "connect(\n    user=user,\n    password=other\n)",
        "password: str",
        "    password: string;",
        "class User:\n    name: str\n    password: Hashed",
        "user = {\n  password: hashed\n}",
        "lambda password: hashed",
        "secret: SecretStr",
        "client_secret: ${CLIENT_SECRET}",
        "password: settings.password",
        "Password: incorrect",
        "password: password",
        "password: ",
        "key: value\ntoken: identifier\nnext_token: word",
    ],
)
def test_variables_types_and_remarks_are_none(text: str) -> None:
    assert _found(text) == []
