import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.navigation.doc_lines import doc_lines
from tests.index.navigation.trees import Tree

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
