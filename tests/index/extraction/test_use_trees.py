import pytest

from jupyter_ac.index.extraction.use_trees import use_tree
from jupyter_ac.index.records import Import


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", {"a": ()}),
        ("a::b", {"a": (("b", "b"),)}),
        ("a::b as c", {"a": (("b", "c"),)}),
        ("a::*", {"a": (("*", "*"),)}),
        (
            "a::{self, b::{C, D as E}, f}",
            {"a": (("self", "a"), ("f", "f")), "a::b": (("C", "C"), ("D", "E"))},
        ),
        ("{a::b, c::d}", {"a": (("b", "b"),), "c": (("d", "d"),)}),
        ("a::{", {}),
        ("", {}),
    ],
)
def test_use_trees(text: str, expected: dict[str, tuple[tuple[str, str], ...]]) -> None:
    assert use_tree(text, 3) == [
        Import(module, names, "", 0, 3) for module, names in expected.items()
    ]


def test_a_deep_tree_ends() -> None:
    assert use_tree("a::{" * 5_000 + "b", 1) == []
