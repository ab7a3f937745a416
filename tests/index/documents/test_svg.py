import pytest

from jupyter_ac.index.documents.svg import LONGEST, drawings_in, svg_outline

BOMB = (
    '<!DOCTYPE svg [<!ENTITY a "lol">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1 or str()};" * 10}">' for n in range(1, 12))
    + "]><svg><title>&a11;</title></svg>"
)


def texts(text: str) -> list[tuple[int, str]]:
    return [(head.level, head.text) for head in svg_outline(text).headings]


def test_title_description_groups_and_words_are_read() -> None:
    found = texts(
        "<svg><title>T</title><desc>D\n d</desc><g aria-label='G'><text>a<tspan>b</tspan></text>"
        "<text>a b</text></g></svg>"
    )
    assert found == [(1, "T"), (2, "D d"), (2, "G"), (2, "a b")]


def test_links_into_the_repository_are_read() -> None:
    found = svg_outline("<svg><a href='a.md#b'><text>x</text></a><a href='http://c'/></svg>")
    assert [link.target for link in found.links] == ["a.md#b"]


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg><title>&x;</title></svg>',
        '<!DOCTYPE svg [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x"> %x;]><svg><text>T</text></svg>',
    ],
    ids=["bomb", "file", "address"],
)
def test_entities_are_not_expanded_nor_fetched(text: str) -> None:
    assert texts(text) == []


def test_what_is_no_xml_is_read_up_to_there() -> None:
    assert texts("<svg><title>T</title><b></svg>") == [(1, "T")]
    assert texts("no xml at all") == []
    assert texts("") == []


def test_the_declared_encoding_is_that_of_the_text_already() -> None:
    assert texts('<?xml version="1.0" encoding="latin-1"?><svg><text>é</text></svg>') == [(2, "é")]


def test_of_very_many_words_the_first_are_read() -> None:
    many = "".join(f"<text>word {at}</text>" for at in range(1000))
    assert 10 < len(texts(f"<svg>{many}</svg>")) < 100


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
