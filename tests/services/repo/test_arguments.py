import pytest

from jupyter_ac.errors import InvalidParams
from jupyter_ac.services.repo.arguments import optional_text, switch, text, whole_number


def test_values_of_the_right_kind_pass() -> None:
    assert text("x", "path") == "x"
    assert optional_text(None, "version") is None
    assert optional_text("v", "version") == "v"
    assert whole_number(3, "n") == whole_number(3.0, "n") == 3
    assert switch(True, "s", default=False) is True
    assert switch(None, "s", default=True) is True


@pytest.mark.parametrize("value", [None, 1, True, [], {}])
def test_what_is_no_text_is_named(value: object) -> None:
    with pytest.raises(InvalidParams, match="`path` must be a text, not"):
        text(value, "path")


@pytest.mark.parametrize("value", ["3", 1.5, True, None, float("inf"), []])
def test_what_is_no_whole_number_is_named(value: object) -> None:
    with pytest.raises(InvalidParams, match="`n` must be a whole number, not"):
        whole_number(value, "n")


@pytest.mark.parametrize("value", ["true", 1, 0, []])
def test_what_is_neither_true_nor_false_is_named(value: object) -> None:
    with pytest.raises(InvalidParams, match="`s` must be true or false, not"):
        switch(value, "s", default=False)
