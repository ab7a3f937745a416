"""Whatever a model writes, no reading of its Markdown does anything."""

import html.parser
import re

import mistune
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from jupyter_ac.hosts.kernel.sanitize_markdown import inert, literally

TAGS = {
    *("p", "h1", "h2", "h3", "h4", "h5", "h6", "strong", "em", "code", "pre", "a", "ul", "ol"),
    *("span", "li", "blockquote", "hr", "br", "del", "table", "thead", "tbody", "tr", "th", "td"),
}
HARMLESS_LINK = re.compile(r"(https?://|mailto:|#)|[^:&\\]*$", re.IGNORECASE)

# Both as lax as they can be: raw HTML goes through, and every link.
COMMONMARK = MarkdownIt("commonmark", {"html": True}).enable("table")
vars(COMMONMARK)["validateLink"] = lambda _url: True
MISTUNE = mistune.create_markdown(
    renderer=mistune.HTMLRenderer(escape=False, allow_harmful_protocols=True),
    plugins=["table", "strikethrough", "url"],
)

NASTY = [
    *("<script>", "</script>", "<img src=x onerror=a()>", "<!--", "-->", "<?", "<![CDATA[", "<a "),
    *("<javascript:a()>", "[x](javascript:a())", "[x](java&#115;cript:a())", "[x]( <data:x>)"),
    *("![x](http://a/b)", "![x][y]", "[y]: javascript:a()", "\n[y]: http://a/b 'c'\n", "[y]"),
    *("`", "``", "```", "````", "~~~", "\n```\n", "\n````py\n", "\n~~~\n", "```js\n", "\n   ```\n"),
    *("\\", "\\\\", "\n", "\n\n", " ", "    ", "\t", "> ", "- ", "1. ", "\n> ", "\n- ", "\n    "),
    *("|", "\n|a|b|\n|-|-|\n|", "$", "$$", "*", "_", "**", "#", "text", "(", ")", "[", "]", "!"),
    *("&lt;", "&", "&#60;", ":", "\r\n", "\r", "\x0b", "\x1b[2J", "\u2028", "<", ">", "é"),
]


class Seen(html.parser.HTMLParser):
    """Notes the tags, and fails on what is active besides them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            assert name in {"href", "title", "class", "style", "start", "align"}, name
            if name == "href":
                assert HARMLESS_LINK.match(value or ""), value

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)

    def handle_pi(self, data: str) -> None:
        raise AssertionError(data)

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(data)


def tags_of(shown: object) -> set[str]:
    seen = Seen()
    seen.feed(str(shown))
    seen.close()
    return seen.tags


@given(st.lists(st.sampled_from(NASTY), max_size=24).map("".join))
def test_nothing_active_is_left_in_any_reading(text: str) -> None:
    safe = inert(text)
    assert tags_of(COMMONMARK.render(safe)) <= TAGS
    assert tags_of(MISTUNE(safe)) <= TAGS


def test_the_readers_here_would_let_it_through() -> None:
    for evil in ("<img src=x onerror=a()>", "[x](javascript:a())", "![x](http://a/b)"):
        for reading in (COMMONMARK.render(evil), MISTUNE(evil)):
            with pytest.raises(AssertionError):
                assert tags_of(reading) <= TAGS


def test_code_stays_as_it_is_to_the_letter() -> None:
    code = "if a<b and c[0](x): print('![x]')\n\n    #include <stdio.h>\n"
    for text in (
        f"```python\n{code}```",
        f"~~~~\n{code}~~~~",
        f"```\n{code}",
        f"a\n```\n{code}```",
    ):
        (block,) = [token for token in COMMONMARK.parse(inert(text)) if token.type == "fence"]
        assert block.content.rstrip("\n") == code.rstrip("\n")


def test_an_indented_block_is_taken_out_of_its_list_and_keeps_its_inner_indent() -> None:
    shown = inert("1. first\n\n   ```py\n   def f():\n       pass\n   ```\n2. second")
    (block,) = [token for token in COMMONMARK.parse(shown) if token.type == "fence"]
    assert (block.info, block.content) == ("py", "def f():\n    pass\n")
    assert "<li>second</li>" in COMMONMARK.render(shown).replace("\n", "")


def test_nothing_in_a_block_ends_it() -> None:
    text = "````\n```\n<script>\n````\n<script>"
    shown = COMMONMARK.render(inert(text))
    assert "<pre><code>```\n&lt;script&gt;\n</code></pre>" in shown
    assert "<p>&lt;script&gt;</p>" in shown


@pytest.mark.parametrize(
    "line",
    [
        'A@{ img: "https://evil.example/a.png" }',
        "style A fill:url (#x)",
        '%%{init: {"themeCSS": "@import x"}}%%',
        r'A@{ img: "\x68ttps" }',
        "a" * 20_001,
    ],
)
def test_a_diagram_that_may_fetch_stays_code(line: str) -> None:
    for name in ("mermaid", "Mermaid"):
        (block,) = COMMONMARK.parse(inert(f"```{name}\ngraph TD\n{line}\n```"))
        assert (block.info, block.content) == ("text", f"graph TD\n{line}\n")


def test_a_diagram_is_drawn_once_it_is_whole() -> None:
    assert "```mermaid\ngraph TD\n```" in inert("```mermaid\ngraph TD\n```")
    assert "```text\ngraph TD\n```" in inert("```mermaid\ngraph TD")


@pytest.mark.parametrize(
    "harmless",
    [
        "a < b, `a[0]`, **bold**, [docs](https://docs.python.org/3/#x) and [file](src/a_b-c.py)",
        "[mail](mailto:a@b.c) [here](#part) [line](src/app.py#L10)\n\n- x\n\n> z\n\n| a |\n|-|",
        "$x^2 < y$ costs 5 $, 2 > 1; it's a 50% <- arrow & more!",
    ],
)
def test_what_is_harmless_is_not_touched(harmless: str) -> None:
    assert inert(harmless) == harmless


def test_a_tag_is_shown_as_it_was_written() -> None:
    assert "List&lt;int&gt; or &lt;b&gt;" in COMMONMARK.render(inert("List<int> or <b>"))


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("for $i<n$ and List<int>", "for $i< n$ and List&lt;int>"),
        ("$$\na<b\n$$\nc<d", "$$\na< b\n$$\nc&lt;d"),
        ("$$\n```\na<b\n```\nc<d", "$$\n\n```\na<b\n```\n\nc&lt;d"),
    ],
)
def test_tex_has_no_entities(written: str, shown: str) -> None:
    assert inert(written) == shown


def test_our_own_words_are_shown_literally() -> None:
    words = "a_b.py [x](y) *not* `code` <b> # 1\n2 & ~~c~~ | $d$"
    shown = COMMONMARK.render(f"*{literally(words)}*")
    assert "not* `code` &lt;b&gt; # 1 2 &amp; ~~c~~ | $d$" in shown
    assert tags_of(shown) == {"p", "em"}


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (r"so \(a\,b\) and \( c \)", r"so $a\,b$ and $c$"),
        (r"\[x \\ y\]", r"$$x \\ y$$"),
        ("\\[\na < b\n\\]\ntext", "$$\na < b\n$$\ntext"),
        (r"`\(a\)` and \\(b\\)", r"`\(a\)` and \\(b\\)"),
        ("```\n\\[\n```", "\n```\n\\[\n```\n"),
        (r"\(a", r"\(a"),
        (r"\(a<b>c\)", "$a< b>c$"),
        ("($5) or $6, $x$ | $7 |", "(@5) or @6, $x$ | @7 |"),
        ("$5 and `$6` and $6a$", "@5 and `$6` and $6a$"),
        ("[a](http://b/$5) x$5 $HOME", "[a](http://b/$5) x$5 $HOME"),
        ("    echo $1 $2", "    echo $1 $2"),
    ],
)
def test_formulas_are_written_as_jupyter_knows_them(written: str, shown: str) -> None:
    assert inert(written) == shown.replace("@", "<span>&#36;</span>")
