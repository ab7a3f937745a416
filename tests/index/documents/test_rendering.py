from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.graph import DocumentGraph
from jupyter_ac.index.documents.keywords import Keywords
from jupyter_ac.index.documents.rendering import Detail, render
from tests.support.document_tree import graph_of

TEXTS = {
    "docs/guide.md": """# Guide
Intro

## First step
See [the other](other.md#its-part) and [code](../src/core.py).

```
code
```

| a |
|---|

### Deeper

#### Deepest

## Second step
""",
    "docs/other.md": "## Its part\n[back](guide.md#first-step)\n## [x] `y`\n",
    "docs/flow.svg": "<svg><title>Flow</title><text>a</text><text>b</text></svg>",
    "docs/empty.md": "",
    "README.md": "[all](docs/guide.md)",
}
GRAPH = graph_of(TEXTS, ["src/core.py"])
KEYWORDS: Keywords = (("begin",), ("stairs", "ladder"), (), (), ())


def shown(
    path: str, detail: Detail, keywords: Keywords = KEYWORDS, graph: DocumentGraph = GRAPH
) -> str:
    return render(RepoPath(path), graph, keywords, detail)


def test_a_title_stands_behind_the_name() -> None:
    assert shown("docs/guide.md", Detail.TITLE) == " guide.md: Guide [guide] ~18 ←2\n"
    assert shown("docs/other.md", Detail.TITLE) == " other.md: Its part ←1\n"
    assert shown("docs/empty.md", Detail.TITLE) == " empty.md\n"


def test_top_headings_say_what_is_below_them() -> None:
    assert shown("docs/guide.md", Detail.TOP) == (
        " guide.md: Guide [guide] ~18 ←2\n  First step +2 below\n  Second step\n"
    )


def test_headings_have_keywords_marks_lines_and_counts() -> None:
    assert shown("docs/guide.md", Detail.HEADINGS) == (
        " guide.md: Guide (begin) [guide] ~18 ←2\n"
        "  First step (stairs, ladder) [code, table] ~10 ←1\n"
        "   Deeper\n"
        "    Deepest\n"
        "  Second step\n"
    )


def test_references_stand_behind_their_section() -> None:
    text = shown("docs/guide.md", Detail.REFERENCES)
    assert "~10 ←1 →other.md#its-part →src/core.py\n" in text
    assert shown("README.md", Detail.REFERENCES, ()) == " README.md [readme] →docs/guide.md\n"


def test_a_document_without_a_title_lists_its_headings() -> None:
    assert shown("docs/other.md", Detail.HEADINGS, ()) == (" other.md ←1\n  Its part ←1\n  [x] y\n")


def test_a_drawing_takes_one_line() -> None:
    assert shown("docs/flow.svg", Detail.TITLE) == " flow.svg: Flow\n"
    assert shown("docs/flow.svg", Detail.HEADINGS) == " flow.svg: Flow, a, b\n"


def test_of_very_many_headings_the_upper_levels_are_shown() -> None:
    text = "# T\n" + "".join(f"## H{at}\n" + "### Sub\n" * 20 for at in range(10))
    shown_text = shown("a.md", Detail.HEADINGS, (), graph_of({"a.md": text}))
    assert shown_text.count("\n") == 11
    assert "  H3 +20 below\n" in shown_text
    flat = shown("a.md", Detail.HEADINGS, (), graph_of({"a.md": "# T\n" + "## H\n" * 500}))
    assert flat.endswith("  +460 more\n")


def test_hostile_names_stay_on_their_line() -> None:
    graph = graph_of({"a\nb.md": "# T\x07itle\u2028x\n", "c.md": "[x](<a%0Ab.md>)"})
    for path in graph.outlines:
        assert shown(path, Detail.REFERENCES, (), graph).count("\n") == 1
