"""What readers are told."""

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.records import NOBODY
from jupyter_ac.index.view import Definition, IndexView, Spot
from tests.support.indexed import state_of

A, B, C = RepoPath("a.py"), RepoPath("b.py"), RepoPath("c.py")
FILES = {
    "a.py": "def helper(): pass\nhelper()\n",
    "b.py": "from a import helper as h\nx = [h(), h()]\n",
    "c.py": "import a\n\na.helper()\n",
    "d.txt": "helper",
}


def test_references_are_uses_with_columns_and_lines_that_import() -> None:
    view: IndexView = state_of(FILES)
    assert view.references(Definition(A, 0)) == [
        Spot(A, 2, 0, 6),
        Spot(B, 1, 0, 0),
        Spot(B, 2, 5, 6),
        Spot(B, 2, 10, 11),
        Spot(C, 3, 2, 8),
    ]


def test_nothing_is_known_of_what_isnt_there() -> None:
    view: IndexView = state_of(FILES)
    nowhere = RepoPath("nowhere")
    assert view.references(Definition(nowhere, 0)) == view.references(Definition(A, 9)) == []
    assert view.meaning(nowhere, 0) is None
    assert view.meaning(A, 99) is None
    assert view.imported(A, 5) is None
    assert view.targets(nowhere) == view.sources(nowhere) == {}
    assert view.record(RepoPath("d.txt")) is None


def test_holders_are_the_files_with_exactly_this_word() -> None:
    view: IndexView = state_of(FILES)
    assert view.holders("helper") == [A, B, C]
    assert view.holders("Helper") == []


def test_files_are_told_sorted_and_notes_with_them() -> None:
    view: IndexView = state_of({"b.py": "x =", "a.py": ""})
    assert list(view.paths()) == [A, B]
    assert list(view.skipped()) == [B]
    assert view.defining("nothing") == []


def test_what_imports_make_known_is_told_by_name() -> None:
    files = FILES | {"e.py": "from b import h\nfrom a import missing\nimport os\n"}
    view: IndexView = state_of(files)
    e = RepoPath("e.py")
    assert view.bound(B, "h") == view.bound(e, "h") == Definition(A, 0)
    assert view.bound(C, "a") == view.bound(e, "missing") == Definition(A, NOBODY)
    assert view.bound(e, "os") is view.bound(e, "other") is None
    assert view.exported(A, "helper") == view.exported(B, "h") == Definition(A, 0)
    assert view.exported(A, "missing") is None
    nowhere = RepoPath("nowhere")
    assert view.bound(nowhere, "h") is view.exported(nowhere, "h") is None


def test_the_bases_of_a_class_are_of_its_family_of_languages() -> None:
    files = {
        "a.py": "from b import Base\nclass Own(Base, Distinctive, Unknown): pass\n",
        "b.py": "class Base: pass\n",
        "c.py": "class Distinctive: pass\n",
        "d.rb": "class Distinctive\nend\nclass Other < Base\nend\n",
    }
    view: IndexView = state_of(files)
    assert view.bases(Definition(A, 0)) == [Definition(B, 0), Definition(C, 0)]
    assert view.bases(Definition(RepoPath("d.rb"), 1)) == []
    assert view.bases(Definition(RepoPath("nowhere"), 0)) == view.bases(Definition(A, 9)) == []


def test_parts_of_a_class_and_classes_that_are_opened_are_told() -> None:
    files = {
        "a.cs": "namespace N;\npartial class Row { }\n",
        "b.cs": "namespace N;\nclass Other { }\npartial class Row { }\n",
        "c.cs": "using static N.Row;\nusing static N.Nothing;\n",
    }
    view: IndexView = state_of(files)
    first, second = Definition(RepoPath("a.cs"), 0), Definition(RepoPath("b.cs"), 1)
    assert (view.parts(first), view.parts(second)) == ([second], [first])
    assert view.parts(Definition(RepoPath("a.cs"), 9)) == []
    assert view.opened_classes(RepoPath("c.cs")) == [first]
    nowhere = RepoPath("nowhere")
    assert view.parts(Definition(nowhere, 0)) == view.opened_classes(nowhere) == []
