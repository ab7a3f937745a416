"""Variables, cells, outputs and errors as items, written so that the host finds their secrets."""

import sys

import pandas as pd
import pytest

from jupyter_ac.chat.secret_masking import SecretMasker
from jupyter_ac.hosts.kernel.last_error import QuestionedCell
from jupyter_ac.hosts.kernel.session_items import (
    LOCALS_CHARS,
    SOURCE,
    cell_item,
    cell_name,
    error_item,
    locals_text,
    output_item,
    variable_item,
)
from jupyter_ac.inspection.last_error import SessionErrorReport, report_error


def report_of(code: str) -> SessionErrorReport:
    """Run code as a cell whose function fails."""
    with pytest.raises(ZeroDivisionError) as failed:
        exec(compile(code, "<ipython-input-3-abc>", "exec"), {})
    return report_error(failed.value, None, {"<ipython-input-3-abc>": 3})


def test_items_name_what_they_are() -> None:
    assert cell_name(3) == "In[3]"
    assert cell_name(None) == "the cell"
    cell = QuestionedCell("x = 1", 3, "NameError: x")
    assert cell_item(cell) == {
        "kind": "cell",
        "name": "In[3]",
        "text": "x = 1",
        "source": SOURCE,
        "cell": "In[3]",
    }
    output = output_item(3, [1], "x")
    assert (output["kind"], output["name"], output["cell"]) == ("output", "Out[3]", "In[3]")
    error = error_item(cell, None)
    assert (error["kind"], error["name"]) == ("error", "error of In[3]")
    assert error["text"] == "NameError: x"
    assert variable_item("x", 7)["text"] == f"x: int, {sys.getsizeof(7)} bytes\n7"


def test_local_variables_of_the_user_s_functions_are_told() -> None:
    report = report_of(
        "def f(count, access_token, password, label):\n    return count / 0\n"
        "f(7, 'tok-aaaa-bbbb', 12345678, 'plain')\n"
    )
    text = locals_text(report)
    assert text.startswith("Local variables of f (In[3]):\n  count = 7\n")
    masked = SecretMasker().mask(text).text
    assert "  access_token = '[secret" in masked
    assert '  password = "[secret' in masked
    assert "label = 'plain'" in masked
    assert error_item(QuestionedCell("", 3, "E"), report)["text"] == f"E\n\n{text}"


def test_local_variables_are_bounded() -> None:
    names = ", ".join(f"v{number}" for number in range(20))
    code = f"def f({names}):\n    return 1 / 0 if v0 == 9 else f(v0 + 1, *['x' * 70] * 19)\n"
    text = locals_text(report_of(f"{code}f(0, *range(19))\n"))
    assert len(text) == LOCALS_CHARS + 1
    assert text.endswith("…")


def test_values_in_columns_with_the_names_of_secrets_are_found() -> None:
    frame = pd.DataFrame({"user": ["ann", "bob"], "password": ["swordfish7", "12345678"]})
    item = variable_item("frame", frame)
    assert "ann" in item["text"]
    masked = SecretMasker().mask(item["text"]).text
    for secret in ("swordfish7", "12345678"):
        assert secret in item["text"]
        assert secret not in masked
    plain = pd.DataFrame({"user": ["ann"], "town": ["Bonn"]})
    assert SecretMasker().mask(variable_item("plain", plain)["text"]).text.endswith("ann | Bonn")
    lines = variable_item("lines", pd.DataFrame({"token": ["ab\ncdefgh", "i | jklmnop"]}))["text"]
    for secret in ("cdefgh", "jklmnop"):
        assert secret not in SecretMasker().mask(lines).text
    prefixes = pd.DataFrame({"user": ["a", "a"], "token": ["abcdefgh1", "abcdefgh1-more"]})
    assert "abcdefgh" not in SecretMasker().mask(variable_item("prefixes", prefixes)["text"]).text


def test_a_row_that_the_description_cuts_is_left_out() -> None:
    columns = {f"column {number}": ["x" * 60] * 5 for number in range(30)}
    frame = pd.DataFrame({**columns, "password": [f"swordfish{number}" for number in range(5)]})
    text = variable_item("frame", frame)["text"]
    assert text.endswith("\n…")
    assert text.count("x" * 60) == 30  # whole rows only
    assert "swordfish" not in SecretMasker().mask(text).text


@pytest.mark.parametrize(
    "source",
    [
        "api_token",
        "x = 1\nsettings.api_token",
        "settings['api_token']",
        "get_api_token()",
        "settings.api_token()",
    ],
)
def test_an_output_that_a_cell_takes_by_the_name_of_a_secret_is_one(source: str) -> None:
    text = output_item(3, "swordfish 77", source)["text"]
    assert "swordfish 77" in text
    assert "swordfish" not in SecretMasker().mask(text).text
    assert "api_token = '[secret 1]'" in SecretMasker().mask(text).text


@pytest.mark.parametrize("source", ["", "%%time\napi_token", "api_token = 1", "for x in y: x", "1"])
def test_other_outputs_are_none(source: str) -> None:
    text = output_item(3, "swordfish 77", source)["text"]
    assert SecretMasker().mask(text).text.endswith("'swordfish 77'")
