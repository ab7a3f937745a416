from enum import StrEnum
from typing import Literal, NotRequired, TypedDict

import pytest

from tests.support.conformance import problems


class Colour(StrEnum):
    NONE = ""
    RED = "red"


class Leaf(TypedDict):
    kind: Literal["a", "b"]
    colour: NotRequired[Colour]
    size: NotRequired[int | None]


class Branch(TypedDict):
    leaves: list[Leaf]
    by_name: dict[str, float]


GOOD = {"leaves": [{"kind": "a"}, {"kind": "b", "size": None, "colour": ""}], "by_name": {"x": 1}}


def test_what_conforms_has_no_problems() -> None:
    assert problems(GOOD, Branch) == []


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ({"leaves": []}, "by_name"),
        (GOOD | {"more": 1}, "more"),
        (GOOD | {"leaves": [{"kind": "c"}]}, "[0].kind"),
        (GOOD | {"leaves": [{"kind": "a", "size": True}]}, "[0].size"),
        (GOOD | {"leaves": [{"kind": "a", "colour": "blue"}]}, "[0].colour"),
        (GOOD | {"leaves": {}}, "leaves"),
        (GOOD | {"by_name": {"x": "1"}}, "x"),
        ([], ""),
    ],
)
def test_a_difference_is_said_with_its_place(value: object, where: str) -> None:
    (said,) = problems(value, Branch)
    assert where in said
