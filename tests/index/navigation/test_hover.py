import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.code_references import Mention
from jupyter_ac.index.navigation.hover import doc_lines, fenced, hover, mentioned, plain, quoted
from tests.index.navigation.trees import Tree, document_tree, python_tree


def said(tree: Tree, path: str, mark: str) -> str:
    found = tree.found(path, mark)
    assert found is not None
    return hover(tree.view, found, tree.source(found.goal.path))["contents"]


def test_a_function_is_said_with_its_signature_and_its_docstring() -> None:
    contents = said(python_tree(), "main.py", "client.fetch_pa|ge")
    assert "def fetch_page(self, url: str, n: int = 3)" in contents
    assert "Get it from `url`." in contents
    assert contents.count("More.") == 1
    assert "method of `Client` in `app/client.py:11`" in contents


def test_a_class_is_said_with_what_it_extends() -> None:
    contents = said(python_tree(), "main.py", "client = Cli|ent()")
    assert "class Client" in contents
    assert "extends `Base`" in contents


def test_an_import_is_said_with_its_file_and_what_is_in_it() -> None:
    contents = said(python_tree(), "main.py", "import app.shapes as sha|pes")
    assert contents == "python file `app/shapes.py`\n\n`Shape`, `area`"


def test_a_heading_is_said_with_its_section() -> None:
    contents = said(document_tree(), "README.md", "](docs/gui|de.md#first")
    assert contents.startswith("**First steps**")
    assert "section of `docs/guide.md`" in contents


def test_no_source_breaks_out_of_what_it_is_shown_in() -> None:
    assert fenced("python", "a```b") == "````python\na```b\n````"
    assert quoted("a`b") == "``a`b``"
    assert quoted("`") == "`` ` ``"
    assert plain("<img src=x> [a](b) *c*") == r"\<img src=x\> \[a\](b) \*c\*"
    tree = Tree({"a.py": 'def f():\n    """<script>[x](javascript:y)"""\n'})
    assert r"\<script\>\[x\]" in said(tree, "a.py", "def f|")


def test_documents_that_name_a_symbol_are_said() -> None:
    places = tuple(Mention(RepoPath("docs/a.md"), 0, line) for line in range(1, 6))
    assert mentioned(()) == []
    assert mentioned(places[:1]) == ["named in `docs/a.md:1`"]
    assert mentioned(places) == ["named in `docs/a.md:1`, `docs/a.md:2`, `docs/a.md:3` and 2 more"]


PYTHON = '''def one(a,
        b={"x": (1, 2)},  # not: this
) -> None:
    # nor this
    r"""Do it.

    More.
    """


def two(): pass


class Three:
    """
    On the next line.
    """

    def four(self):
        return "no docstring"

    def five(self): # a comment:
        'Short.'
'''
GO = """package a

// Serve answers.
//
// More.
func Serve(port int) error { return nil }

/*
 * Close lets go.
 */
func Close() {}

func Bare() {}
"""
LONG = "#' Mean of it all.\n" + 100 * "#' More.\n" + "mean_of <- function(x) x\n"
RUST = "/// Adds <b>.\n#[inline]\nfn add() {}\n"


@pytest.mark.parametrize(
    ("name", "text", "symbol", "said"),
    [
        ("a.py", PYTHON, "one", "Do it."),
        ("a.py", PYTHON, "two", ""),
        ("a.py", PYTHON, "Three", "On the next line."),
        ("a.py", PYTHON, "four", ""),
        ("a.py", PYTHON, "five", "Short."),
        ("a.go", GO, "Serve", "Serve answers."),
        ("a.go", GO, "Close", "Close lets go."),
        ("a.go", GO, "Bare", ""),
        ("a.rs", RUST, "add", "Adds <b>."),
        ("a.R", LONG, "mean_of", "Mean of it all."),
    ],
)
def test_the_first_line_of_what_the_author_wrote(
    name: str, text: str, symbol: str, said: str
) -> None:
    tree = Tree({name: text})
    record = tree.view.record(RepoPath(name))
    assert record is not None
    found = next(each for each in record.symbols if each.name == symbol)
    lines = doc_lines(record.language, tree.source(name), found)
    assert lines[:1] == ([said] if said else [])


@pytest.mark.parametrize(
    ("name", "text", "symbol", "said"),
    [
        ("a.py", PYTHON, "one", ["Do it.", "", "More."]),
        ("a.py", PYTHON, "Three", ["On the next line."]),
        ("a.go", GO, "Serve", ["Serve answers.", "", "More."]),
        ("a.c", "/**\n * Adds.\n *\n * @param n one\n */\nint f(int n);\n", "f", ["Adds."]),
        ("a.sh", "# Runs.\n# All.\nrun() { :; }\n", "run", ["Runs.", "All."]),
        ("a.rb", "# Makes one.\ndef make; end\n", "make", ["Makes one."]),
        ("A.java", "/** Holds. */\n@Deprecated\nclass A {}\n", "A", ["Holds."]),
        ("a.ts", "/**\n * Sums.\n */\nexport const f = () => 1\n", "f", ["Sums."]),
        ("a.py", 'def f():\n    """A.\n' + "    b\n" * 40 + '    """\n', "f", ["A.", *["b"] * 11]),
    ],
)
def test_hover_shows_the_whole_of_what_the_author_wrote_up_to_twelve_lines(
    name: str, text: str, symbol: str, said: list[str]
) -> None:
    tree = Tree({name: text})
    record = tree.view.record(RepoPath(name))
    assert record is not None
    found = next(each for each in record.symbols if each.name == symbol)
    assert doc_lines(record.language, tree.source(name), found) == said
