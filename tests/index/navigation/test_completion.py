from jupyter_ac.ids import RepoPath
from jupyter_ac.index.navigation.completion import MOST, best, completions
from jupyter_ac.index.navigation.rows import Completion
from jupyter_ac.index.navigation.source_text import SourceText, TextPosition
from tests.index.navigation.trees import Tree, python_tree


def offered(path: str, mark: str, prefix: str = "") -> list[str]:
    """The labels where `|` stands in a line that is added to the file."""
    tree = python_tree()
    text = tree.texts[path]
    before, _, after = mark.partition("|")
    source = SourceText(f"{text}{before}{after}\n")
    place = TextPosition(text.count("\n") + 1, len(before))
    rows = completions(tree.view, RepoPath(path), place, source, prefix)
    return [row["label"] for row in rows]


def test_the_symbols_of_the_file_and_the_imported_names_are_offered() -> None:
    assert offered("app/client.py", "|") == [
        "Base",
        "Client",
        "DEFAULT",
        "json",
        "Shape",
        "size",
    ]


def test_case_does_not_matter_and_the_same_case_comes_first() -> None:
    assert offered("app/client.py", "s|") == ["size", "Shape"]
    assert offered("app/client.py", "S|") == ["Shape", "size"]
    assert offered("app/client.py", "|", "CLI") == ["Client"]


def test_members_are_offered_behind_a_dot() -> None:
    assert offered("main.py", "shapes.|") == ["area", "Shape"]
    assert offered("main.py", "shapes.a|") == ["area"]
    assert offered("main.py", "Client.|") == ["close", "draw", "fetch_page"]
    assert offered("main.py", "unknown.|") == []


def test_self_has_the_members_of_the_class_around_it() -> None:
    tree = python_tree()
    path = RepoPath("app/client.py")
    place = tree.place("app/client.py", "self.|close()")
    rows = completions(tree.view, path, place, tree.source("app/client.py"), "")
    assert rows == [
        {"label": "close", "kind": "method", "detail": "close()->None"},
        {"label": "draw", "kind": "method", "detail": "draw(x,n)"},
        {"label": "fetch_page", "kind": "method", "detail": rows[2]["detail"]},
    ]


def test_an_imported_name_says_where_it_is_from() -> None:
    tree = python_tree()
    source = tree.source("app/client.py")
    rows = completions(tree.view, RepoPath("app/client.py"), TextPosition(1, 0), source, "Ba")
    assert rows == [{"label": "Base", "kind": "import", "detail": "from app.base"}]


def test_nothing_is_offered_behind_the_end_of_a_line_or_of_the_file() -> None:
    tree = python_tree()
    path = RepoPath("app/client.py")
    for place in (TextPosition(1, 99), TextPosition(999, 0)):
        assert completions(tree.view, path, place, tree.source(path), "") == []


def test_a_star_is_no_name() -> None:
    tree = Tree({"a.py": "def fa(): ...\ndef _own(): ...\n", "b.py": "from a import *\n\n"})
    rows = completions(tree.view, RepoPath("b.py"), TextPosition(2, 0), tree.source("b.py"), "")
    assert [row["label"] for row in rows] == ["fa"]


def test_names_of_included_files_are_offered_as_those_of_the_file_itself() -> None:
    tree = Tree({"a.h": "int buf_len(int);\n", "m.c": '#include "a.h"\nint buf;\nint x = bu;\n'})
    place = tree.place("m.c", "bu|;")
    rows = completions(tree.view, RepoPath("m.c"), place, tree.source("m.c"), "")
    assert [row["label"] for row in rows] == ["buf", "buf_len"]


def test_there_are_at_most_so_many_and_each_once() -> None:
    tree = Tree({"a.py": "".join(f"name_{at} = 1\nname_{at} = 2\n" for at in range(99))})
    rows = completions(tree.view, RepoPath("a.py"), TextPosition(1, 0), SourceText(""), "")
    assert len(rows) == len({row["label"] for row in rows}) == MOST


def test_an_unknown_file_has_none() -> None:
    tree = python_tree()
    assert completions(tree.view, RepoPath("x.py"), TextPosition(1, 0), SourceText(""), "") == []


def test_what_is_meant_to_be_private_comes_last() -> None:
    rows = [Completion(label=label, kind="", detail="") for label in ("_a", "b", "B", "a", "a")]
    assert [row["label"] for row in best(rows, "")] == ["a", "B", "b", "_a"]
