"""`html`: a function for each layout tag."""

from typing import Final

from jupyter_ac.panels.elements import Element, Key, h


class Tag:
    """Makes elements of one type; see `h`.

    Args:
        type_: a layout tag, or the name of a custom component of the host.
    """

    __slots__ = ("_type",)

    def __init__(self, type_: str) -> None:
        self._type = type_

    def __call__(self, *children: object, key: Key | None = None, **props: object) -> Element:
        """Return an element."""
        return h(self._type, *children, key=key, **props)


class LayoutTags:
    """The elements that every host shows."""

    a = Tag("a")
    article = Tag("article")
    aside = Tag("aside")
    br = Tag("br")
    button = Tag("button")
    code = Tag("code")
    div = Tag("div")
    em = Tag("em")
    footer = Tag("footer")
    form = Tag("form")
    h1 = Tag("h1")
    h2 = Tag("h2")
    h3 = Tag("h3")
    h4 = Tag("h4")
    h5 = Tag("h5")
    h6 = Tag("h6")
    header = Tag("header")
    hr = Tag("hr")
    img = Tag("img")
    input = Tag("input")
    label = Tag("label")
    li = Tag("li")
    main = Tag("main")
    nav = Tag("nav")
    ol = Tag("ol")
    option = Tag("option")
    p = Tag("p")
    pre = Tag("pre")
    section = Tag("section")
    select = Tag("select")
    span = Tag("span")
    strong = Tag("strong")
    table = Tag("table")
    tbody = Tag("tbody")
    td = Tag("td")
    textarea = Tag("textarea")
    th = Tag("th")
    thead = Tag("thead")
    tr = Tag("tr")
    ul = Tag("ul")


html: Final = LayoutTags()
