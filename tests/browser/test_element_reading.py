"""Elements of pages that make it hard, in a real browser."""

import time
from typing import cast

import pytest

from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.element_reading import (
    MAX_HTML_CHARS,
    read_element,
)
from jupyter_ac.browser.selected_element import ElementReading, PathStep, js_path, path_text
from jupyter_ac.errors import NotFound
from tests.browser.chromium import Page, PageServer, needs_chromium, open_page

pytestmark = needs_chromium

HOSTILE = """<script>
for (const owner of [Document, Element, DocumentFragment])
  owner.prototype.querySelectorAll = () => { throw new Error("mine") };
CSS.escape = () => "body";
Array.prototype.push = Array.prototype.unshift = Array.prototype.join = () => "body";
Object.getOwnPropertyDescriptor = () => ({ get() { return "mine" } });
Function.prototype.call = Function.prototype.bind = () => () => "mine";
Node.prototype.getRootNode = () => null;
window.getComputedStyle = () => { throw new Error("mine") };
Object.defineProperty(Element.prototype, "attributes", { get() { return [] } });
String.prototype.replace = () => "mine";
</script>"""


async def read(page: Page, code: str, session: CdpSession | None = None) -> ElementReading:
    session = session or page.session
    await session.call("DOM.enable")
    node = await page.backend_node(code, session)
    return await read_element([page.session, *page.children], session, node)


async def is_found_again(page: Page, code: str, path: list[PathStep]) -> bool:
    return await page.js(f"({js_path(path)}) === ({code})") is True


BODIES = {
    "equal classes": (
        "<ul><li class='a b'>1<li class='a b'>2<li class='a b'>3</ul>",
        "document.querySelectorAll('li')[1]",
        "html > body > ul > li:nth-of-type(2)",
    ),
    "an id of digits and signs": (
        "<p id='1.a:b#c[d] \"e\" \\ f'>x</p>",
        "document.querySelector('p')",
        None,
    ),
    "an id with a line break": ("<p id='a\nb'>x</p>", "document.querySelector('p')", None),
    "an id that two have": (
        "<div><p id=x>1</p><p id=x>2</p></div>",
        "document.querySelectorAll('p')[1]",
        "html > body > div > p:nth-of-type(2)",
    ),
    "an empty id": ("<p id=''>x</p>", "document.querySelector('p')", "html > body > p"),
    "under an id": (
        "<div id=top><p>1</p><section><p>2</p></section></div>",
        "document.querySelector('section p')",
        "#top > section > p",
    ),
    "SVG": (
        "<svg><defs><linearGradient/><linearGradient/></defs></svg>",
        "document.querySelectorAll('linearGradient')[1]",
        "html > body > svg > defs > linearGradient:nth-of-type(2)",
    ),
    "names equal in HTML and SVG": (
        """<div id=d></div><script>
        for (const space of ['http://www.w3.org/1999/xhtml', 'http://www.w3.org/2000/svg'])
        d.append(document.createElementNS(space, 'a'))</script>""",
        "d.children[1]",
        "#d > :nth-child(2)",
    ),
    "a name that a selector can't say": (
        """<div id=d></div><script>
        d.append(document.createElementNS('http://www.w3.org/1999/xhtml', 'DIV'))</script>""",
        "d.firstChild",
        None,
    ),
    "a form whose controls hide its methods": (
        """<form><input name=id><input name=getAttribute><input name=parentElement>
        <input name=localName><input name=attributes><input name=nodeType>
        <input name=getRootNode><input name=previousElementSibling></form>""",
        "document.querySelector('form')",
        "html > body > form",
    ),
    "a document whose images hide its methods": (
        "<img name=querySelectorAll><img name=defaultView><img name=nodeType><p>x</p>",
        "document.body.children[3]",
        "html > body > p",
    ),
    "the page itself": ("", "document.documentElement", "html"),
}


@pytest.mark.parametrize("name", BODIES)
async def test_a_selector_is_of_this_element_only(
    chromium: str, server: PageServer, name: str
) -> None:
    body, code, selector = BODIES[name]
    async with open_page(chromium) as page:
        await page.open(server.put("/", f"<!doctype html><body>{body}"))
        reading = await read(page, code)
        (step,) = reading.path
        assert step["scope"] == "document"
        if selector is not None:
            assert step["selector"] == selector
        expression = f"Document.prototype.querySelectorAll.call(document, {step['selector']!r})"
        assert await page.js(f"{expression}.length") == 1
        assert await page.js(f"{expression}[0] === ({code})") is True


async def test_a_page_that_changes_built_in_objects_changes_nothing(
    chromium: str, server: PageServer
) -> None:
    async with open_page(chromium) as page:
        await page.open(server.put("/", f"<body><b id=a></b>{HOSTILE}<i>1</i><i title=t>2</i>"))
        reading = await read(page, "document.body.lastElementChild")
        assert reading.path == [
            PathStep(scope="document", selector="html > body > i:nth-of-type(2)")
        ]
        assert (reading.tag, reading.text) == ("i", "2")
        assert reading.html == '<i title="t">2</i>'
        assert reading.styles["display"] == "inline"


async def test_a_path_leads_through_shadow_roots(chromium: str, server: PageServer) -> None:
    script = """<div id=host></div><script>
      const open = host.attachShadow({mode: "open"});
      open.innerHTML = "<p>1</p><p id=inner>2</p><section></section>";
      const closed = open.lastChild.attachShadow({mode: "closed"});
      closed.innerHTML = "<b>1</b><b>2</b>";
      window.hidden = closed.lastChild;</script>"""
    async with open_page(chromium) as page:
        await page.open(server.put("/", script))
        reading = await read(page, "host.shadowRoot.children[1]")
        assert reading.path == [
            {"scope": "document", "selector": "#host"},
            {"scope": "open shadow root", "selector": "#inner"},
        ]
        assert path_text(reading.path) == "#host → open shadow root → #inner"
        assert await is_found_again(page, "host.shadowRoot.children[1]", reading.path)
        reading = await read(page, "window.hidden")
        assert reading.path == [
            {"scope": "document", "selector": "#host"},
            {"scope": "open shadow root", "selector": "section"},
            {"scope": "closed shadow root", "selector": "b:nth-of-type(2)"},
        ]
        assert js_path(reading.path) == ""


async def test_a_path_leads_through_frames(chromium: str, server: PageServer) -> None:
    server.put("/deep", "<body style='margin:0'><p>1</p><p>2</p>")
    server.put("/in", "<body style='margin:0'><iframe id=deep src=/deep>")
    async with open_page(chromium) as page:
        await page.open(server.put("/", "<body style='margin:0'><iframe src=/in></iframe>"))
        code = (
            "document.querySelector('iframe').contentDocument.getElementById('deep')"
            ".contentDocument.querySelectorAll('p')[1]"
        )
        reading = await read(page, code)
        assert reading.path == [
            {"scope": "document", "selector": "html > body > iframe"},
            {"scope": "frame", "selector": "#deep"},
            {"scope": "frame", "selector": "html > body > p:nth-of-type(2)"},
        ]
        assert len(reading.frame_ids) == 2
        assert await is_found_again(page, code, reading.path)


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1"], ids=["of another site", "of another port"]
)
async def test_a_path_leads_into_frames_of_other_origins(
    chromium: str, server: PageServer, host: str
) -> None:
    other = PageServer()
    try:
        other.put("/in", "<body style='margin:0'><p style='margin:0;height:20px'>1</p><p>2</p>")
        src = other.url("/in", host)
        server.put(
            "/",
            f"<body style='margin:0;padding-top:50px'><iframe src='{src}' "
            "style='border:5px solid;margin:0'></iframe>",
        )
        async with open_page(chromium) as page:
            await page.open(server.url("/"))
            session = await _session_of_frame(page, src)
            assert session is not None or host == "127.0.0.1"
            if session is None:
                node = await _node_in_frame(page, "p")
            else:
                await session.call("DOM.enable")
                node = await page.backend_node("document.querySelector('p')", session)
            reading = await read_element(
                [page.session, *page.children], session or page.session, node
            )
            assert reading.path == [
                {"scope": "document", "selector": "html > body > iframe"},
                {"scope": "frame", "selector": "html > body > p:nth-of-type(1)"},
            ]
            assert reading.rect is not None
            assert (reading.rect["x"], reading.rect["y"]) == (5, 55)
            assert len(reading.frame_ids) == 1
    finally:
        other.close()


async def _session_of_frame(page: Page, url: str) -> CdpSession | None:
    """The session of a frame, if it has one of its own."""
    for session in page.children:

        async def href(session: CdpSession = session) -> object:
            return await page.js("document.readyState === 'complete' && location.href", session)

        while not (found := await href()) or found == "about:blank":
            pass
        if found == url:
            return session
    return None


async def _node_in_frame(page: Page, selector: str) -> int:
    await page.session.call("DOM.enable")
    document = await page.session.call("DOM.getDocument", {"depth": -1, "pierce": True})

    def walk(node: Json) -> int | None:
        if node.get("localName") == selector:
            return int(str(node["backendNodeId"]))
        children = [*cast("list[Json]", node.get("children", [])), node.get("contentDocument")]
        inner = (walk(cast("Json", each)) for each in children if each)
        return next((found for found in inner if found), None)

    found = walk(cast("Json", document["root"]))
    assert found is not None
    return found


async def test_ten_megabytes_of_markup_are_cut_soon(chromium: str, server: PageServer) -> None:
    page_text = (
        "<body><main aria-label='"
        + "t" * 5_000_000
        + "'>"
        + "<p>word</p>" * 200_000
        + "x" * 5_000_000
        + "</main>"
    )
    async with open_page(chromium) as page:
        await page.open(server.put("/", page_text))
        before = time.process_time()
        reading = await read(page, "document.querySelector('main')")
        assert time.process_time() - before < 1
        assert len(reading.html) < 2 * MAX_HTML_CHARS
        assert reading.html.startswith('<main aria-label="ttt')
        assert reading.html.removesuffix("</main>").removesuffix("</p>").endswith("…")
        assert len(reading.text) <= 201
        assert len(reading.name) == 201


async def test_markup_is_as_in_the_page_without_what_is_secret(
    chromium: str, server: PageServer
) -> None:
    body = (
        "<form id=f><input type=password value=hunter2><input type=HIDDEN value=token>"
        "<input value='a &amp; \"b\"'><br><!-- no --><p>1 &lt; 2 <b>bold</b></p></form>"
    )
    async with open_page(chromium) as page:
        await page.open(server.put("/", body))
        reading = await read(page, "f")
        assert reading.html == (
            '<form id="f"><input type="password" value="…"><input type="HIDDEN" value="…">'
            '<input value="a &amp; &quot;b&quot;"><br><p>1 &lt; 2 <b>bold</b></p></form>'
        )
        assert reading.text == "1 < 2 bold"


async def test_roles_and_names_are_those_of_assistive_technology(
    chromium: str, server: PageServer
) -> None:
    async with open_page(chromium) as page:
        await page.open(server.put("/", "<button aria-label='Save all'>S</button>"))
        reading = await read(page, "document.querySelector('button')")
        assert (reading.role, reading.name, reading.text) == ("button", "Save all", "S")


async def test_halves_of_surrogate_pairs_become_replacement_characters(
    chromium: str, server: PageServer
) -> None:
    script = "<button id=b></button><script>b.textContent = b.title = '\\ud83d!'</script>"
    async with open_page(chromium) as page:
        await page.open(server.put("/", script))
        reading = await read(page, "b")
        assert reading.text == "\ufffd!"
        assert reading.name == "\ufffd!"
        assert "\ud83d" not in reading.html


@pytest.mark.parametrize(
    "code",
    [
        "document.createElement('p')",
        "document.createDocumentFragment().appendChild(document.createElement('p'))",
        "document",
        "document.body.firstChild",
        "new DOMParser().parseFromString('<p>', 'text/html').body",
    ],
)
async def test_what_is_no_element_of_the_page_is_refused(
    chromium: str, server: PageServer, code: str
) -> None:
    async with open_page(chromium) as page:
        await page.open(server.put("/", "<body>text"))
        with pytest.raises(NotFound):
            await read(page, code)


async def test_what_is_not_displayed_has_no_box(chromium: str, server: PageServer) -> None:
    async with open_page(chromium) as page:
        await page.open(server.put("/", "<p style='display:none'>x</p>"))
        reading = await read(page, "document.querySelector('p')")
        assert reading.rect is None
        assert reading.styles["display"] == "none"


async def test_deep_pages_have_no_endless_selector(chromium: str, server: PageServer) -> None:
    script = """<body><script>let at = document.body; for (let i = 0; i < 1500; i++)
      at = at.appendChild(document.createElement("div")); window.last = at</script>"""
    async with open_page(chromium) as page:
        await page.open(server.put("/", script))
        reading = await read(page, "window.last")
        assert reading.path == [{"scope": "document", "selector": ""}]
        assert js_path(reading.path) == ""
        assert path_text(reading.path) == "?"
