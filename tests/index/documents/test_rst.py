from jupyter_ac.index.documents.rst import rst_outline


def headings(text: str) -> list[tuple[int, str]]:
    return [(head.level, head.text) for head in rst_outline(text).headings]


def test_levels_follow_the_order_of_the_adornments() -> None:
    text = "Aa\n==\n\n====\nLong\n====\n\nBb\n--\n\nCcc\n~~~\n\nDd\n--\n"
    assert headings("Aa\n==\n\nBb\n--\n\nCc\n~~\n\nDd\n--\n") == [
        (1, "Aa"),
        (2, "Bb"),
        (3, "Cc"),
        (2, "Dd"),
    ]
    # A line above makes another style of the same sign.
    assert headings(text)[:2] == [(1, "Aa"), (2, "Long")]


def test_what_only_looks_like_a_heading_is_none() -> None:
    assert headings("para\ngoes on\n-------\n") == []
    assert headings("  indented\n  --------\n") == []
    assert headings("A long title\n--\n") == []
    assert headings("----\n\ntransition\n") == []
    assert headings(".. code:: python\n\n   Title\n   =====\n") == []


def test_a_label_names_the_section_behind_it() -> None:
    (only,) = rst_outline(".. _My Label:\n\nTitle\n=====\n").headings
    assert only.slug == "my label"


def test_roles_and_directives_are_links_and_names() -> None:
    found = rst_outline(
        "See :py:func:`~a.b.run`, :meth:`Class.go <x.Class.go>`, :doc:`T <x/y>`, :term:`no`\n"
        "and `T <page.rst#part>`__.\n\n.. automodule:: a.b\n.. image:: x.png\n.. image:: y.svg\n"
    )
    assert [(link.target, link.is_code) for link in found.links] == [
        ("a.b.run", True),
        ("x.Class.go", True),
        ("x/y", False),
        ("page.rst#part", False),
        ("a.b", True),
        ("y.svg", False),
    ]
