import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.secret_masking import SecretMasker
from jupyter_ac.chat.secret_tables import secret_cells
from jupyter_ac.inspection.variables import describe_variable

SECRETS = ("Tr0ub4dor", "x y, z", "swordfish")
USERS = pd.DataFrame({"user": ["ann", "bob", "eve"], "password": SECRETS, "n": [1, 22, 333]})
SETTINGS = pd.DataFrame({"key": ["DB_PASSWORD", "HOST"], "value": ["Tr0ub4dor", "db-1"]})


def _found(text: str) -> list[str]:
    return [text[start:end] for start, end in secret_cells(text)]


def _described(value: object) -> str:
    return describe_variable({"x": value}, "x", None)["text"]


def test_columns_of_secrets_in_summaries() -> None:
    assert _found(_described(USERS)) == list(SECRETS)
    assert _found(_described(USERS["password"])) == list(SECRETS)
    assert _found(_described(USERS[["user", "n"]])) == []


def test_values_behind_the_names_of_secrets_in_summaries() -> None:
    assert _found(_described(SETTINGS)) == ["Tr0ub4dor"]
    assert _found(_described(pd.DataFrame({"name": ["password"], "type": ["object"]}))) == []


def test_a_row_whose_cells_cannot_be_told_apart_is_found_as_a_whole() -> None:
    table = pd.DataFrame({"user": ["ann"], "password": ["a | b"]})
    assert _found(_described(table)) == ["ann | a | b"]


def test_a_cell_that_is_written_as_an_assignment() -> None:
    text = 'columns: user (str), password (str)\nfirst rows:\nann | password = "Tr0ub4dor"'
    assert _found(text) == ["Tr0ub4dor"]


@pytest.mark.parametrize("is_indexed", [True, False])
def test_columns_of_secrets_in_printed_tables(is_indexed: bool) -> None:
    table = USERS.assign(password=["Tr0ub4dor", "xyz", "swordfish"])
    assert _found(table.to_string(index=is_indexed)) == ["Tr0ub4dor", "xyz", "swordfish"]
    assert _found(table.drop(columns="n").to_string()) == ["Tr0ub4dor", "xyz", "swordfish"]
    assert _found(repr(table.set_index("user"))) == ["Tr0ub4dor", "xyz", "swordfish"]
    assert _found(f"before\n{SETTINGS}\n\nafter it") == ["Tr0ub4dor"]


@pytest.mark.parametrize(
    "text",
    [
        " user | password \n------+----------\n ann  | Tr0ub4dor\n(1 row)",
        "| user | password |\n|:-----|---------:|\n| ann  | Tr0ub4dor |\n",
        "| key | value |\n|-----|-------|\n| API_KEY | Tr0ub4dor |\n| HOST | db-1 |",
        "┌──────┬───────────┐\n│ user ┆ password  │\n╞══════╪═══════════╡\n│ ann  ┆ Tr0ub4dor │\n",
    ],
)
def test_tables_with_bars(text: str) -> None:
    assert _found(text) == ["Tr0ub4dor"]


@pytest.mark.parametrize(
    "text",
    [
        "def login(user, password: str | None = None):\n    return user | password",
        "a | password | b\nc | d | e",
        "user        object\npassword    object\ndtype: object",
        "    limit, and the session may use the token\n    until the user ends the session again",
        '    """Log in.\n\n    Args:\n        password: of the user\n    """',
        "| user | age |\n|------|-----|\n| ann | 31 |",
        "  token  kind\n0  None   NaN",
    ],
)
def test_ordinary_text_has_none(text: str) -> None:
    assert _found(text) == []


def test_what_was_found_in_a_table_is_masked_everywhere() -> None:
    masker = SecretMasker()
    assert "Tr0ub4dor" not in masker.mask(_described(USERS)).text
    assert masker.mask("it was Tr0ub4dor").text == "it was [secret 1]"


def test_what_is_masked_in_a_printed_table_stays_masked() -> None:
    once = SecretMasker().mask(USERS.drop(columns="n").to_string()).text
    assert SecretMasker().mask(once).text == once


@given(st.text("ab |-─│\n: password,()", max_size=200))
def test_places_are_those_of_the_text(text: str) -> None:
    assert all(0 <= start < end <= len(text) for start, end in secret_cells(text))
