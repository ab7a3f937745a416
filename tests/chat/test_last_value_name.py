"""The name of the value that a cell shows."""

import pytest

from jupyter_ac.chat.last_value_name import last_value_name


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("x = 1\npassword", "password"),
        ("settings.api_key", "api_key"),
        ("os.environ['DB_PASSWORD']", "DB_PASSWORD"),
        ("get_token()", "get_token"),
        ("password = 1", ""),
        ("1 + 1", ""),
        ("%magic", ""),
        ("", ""),
        ("(" * 10_000, ""),
    ],
)
def test_the_last_expression_names_it(source: str, name: str) -> None:
    assert last_value_name(source) == name
