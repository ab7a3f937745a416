from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.links import LinkTargets
from jupyter_ac.index.navigation.links import link_at, target_of
from jupyter_ac.index.navigation.scopes import Goal
from jupyter_ac.index.navigation.text import SourceText, TextPosition
from jupyter_ac.index.records import NOBODY, DocumentLink, FileRecord, Heading, Outline
from tests.index.navigation.trees import Tree

LINKS = (
    DocumentLink("b.md#two", is_code=False, line=1, heading=NOBODY),
    DocumentLink("make", is_code=True, line=1, heading=NOBODY),
)
RECORD = FileRecord("markdown", outline=Outline((Heading("A", 1, 1, 1, "a", ()),), LINKS))
SOURCE = SourceText("See [the other](b.md#two) and `make`.")


def test_a_link_is_where_its_text_or_its_target_stands() -> None:
    for column, target in [(6, "b.md#two"), (18, "b.md#two"), (32, "make"), (1, "")]:
        found = link_at(RECORD, TextPosition(1, column), SOURCE)
        assert (found[0].target if found else "") == target
    assert link_at(FileRecord("python"), TextPosition(1, 6), SOURCE) is None


def test_no_link_leads_out_of_the_tree() -> None:
    tree = Tree({"a.md": "# A\n", "docs/b.md": "# B\n"})
    files = LinkTargets(tree.view.paths())
    for target in ("../../etc/passwd", "/etc/passwd", "https://x.org/a.md", "C:/a.md", "..", ""):
        link = DocumentLink(target, is_code=False, line=1, heading=NOBODY)
        assert target_of(tree.view, files, RepoPath("docs/b.md"), link) is None
    up = DocumentLink("../a.md", is_code=False, line=1, heading=NOBODY)
    assert target_of(tree.view, files, RepoPath("docs/b.md"), up) == Goal(RepoPath("a.md"))


def test_a_code_name_is_a_symbol_when_there_is_one_of_it() -> None:
    tree = Tree({"a.py": "def make(): ...\ndef twice(): ...\n", "b.py": "def twice(): ...\n"})
    files = LinkTargets(tree.view.paths())
    for name, path in [("make()", "a.py"), ("a.make", "a.py"), ("twice", ""), ("b.py", "b.py")]:
        link = DocumentLink(name, is_code=True, line=1, heading=NOBODY)
        goal = target_of(tree.view, files, RepoPath("README.md"), link)
        assert (goal.path if goal else "") == path
