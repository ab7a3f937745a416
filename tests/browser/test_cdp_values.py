import math

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.browser.cdp_values import (
    clip,
    encodable,
    items_of,
    number_of,
    object_of,
    text_of,
    whole_of,
)

ODD: list[object] = [None, True, "5", [], {}, math.nan, math.inf, -math.inf, 10**400]


@pytest.mark.parametrize("value", ODD)
def test_what_is_no_number_is_none(value: object) -> None:
    assert number_of(value) is None
    assert whole_of(value, 7) == 7


def test_what_is_of_the_right_type_stays() -> None:
    assert (number_of(5), whole_of(5.9), text_of("a")) == (5.0, 5, "a")
    assert (object_of({"a": 1}), items_of([1])) == ({"a": 1}, [1])
    assert (text_of(5), object_of([]), items_of({})) == ("", {}, [])


def test_long_text_is_cut_and_says_so() -> None:
    assert clip("x" * 10_000_000, 3) == "xxx… (10,000,000 characters)"


def test_a_text_that_is_cut_again_still_says_how_long_it_was_at_first() -> None:
    once = clip("x" * 5000, 1000)
    assert clip(once, 100) == "x" * 100 + "… (5,000 characters)"


def test_halves_of_pairs_are_replaced_and_pairs_stay() -> None:
    assert encodable("a\ud800b\udc00") == "a\ufffdb\ufffd"
    assert encodable("ä😀") == "ä😀"


@given(st.text(st.characters()), st.integers(0, 20))
def test_every_text_can_be_encoded(text: str, limit: int) -> None:
    orjson.dumps(clip(text, limit))
    assert encodable(encodable(text)) == encodable(text)
