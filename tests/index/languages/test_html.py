"""HTML: ids are symbols, scripts and links lead to files, classes to rules."""

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.navigation.source_text import SourceText, TextPosition
from jupyter_ac.index.navigation.symbol_at import rule_at
from tests.support.indexed import imported, record_of, state_of

PAGE = '<link rel="stylesheet" href="a.css"><script src="b.js"></script><p id="top" class="big">'


def test_what_a_page_says() -> None:
    state = state_of({"page.html": PAGE, "a.css": ".big { color: red }\n", "b.js": ""})
    assert [symbol.name for symbol in record_of(state, "page.html").symbols] == ["top"]
    assert imported(state, "page.html") == ["a.css", "b.js"]
    place = TextPosition(1, PAGE.index("big"))
    found = rule_at(state, RepoPath("page.html"), "html", place, SourceText(PAGE))
    assert found is not None
    assert found.goal.path == "a.css"
