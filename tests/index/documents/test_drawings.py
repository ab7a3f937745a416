import pytest

from jupyter_ac.index.documents.drawings import LONGEST, drawings_in


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "see docs/flow.svg, or <img src='a/b.SVG'> and x.svg",
            ["docs/flow.svg", "a/b.SVG", "x.svg"],
        ),
        ("a.svg.b.svg x.svgz .svg", ["a.svg.b.svg"]),
        ("no drawing", []),
        ("n" * 500 + ".svg", ["n" * LONGEST + ".svg"]),
    ],
)
def test_named_drawings_are_found(text: str, names: list[str]) -> None:
    assert [match[0] for match in drawings_in(text)] == names
