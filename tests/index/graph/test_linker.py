"""Where a file's imports and uses lead."""

from jupyter_ac.ids import RepoPath
from tests.support.indexed import put, state_of

A, B = RepoPath("a.py"), RepoPath("b.py")


def test_an_edge_counts_imports_and_uses() -> None:
    files = {"a.py": "def helper(): pass\n", "b.py": "from a import helper\nhelper()\nhelper()\n"}
    state = state_of(files)
    assert state.targets(B) == {A: 3}
    assert state.sources(A) == {B: 3}
    assert state.targets(A) == {}


def test_a_file_has_no_edge_to_itself() -> None:
    state = state_of({"a.py": "import a\ndef helper(): pass\nhelper()\n"})
    assert state.targets(A) == state.sources(A) == {}


def test_edges_go_with_the_reference() -> None:
    state = state_of({"a.py": "def helper(): pass\n", "b.py": "from a import helper\n"})
    put(state, "b.py", "x = 1\n")
    state.update()
    assert state.sources(A) == {}


def test_a_class_that_lacks_the_member_is_referred_to_all_the_same() -> None:
    files = {"a.py": "class Ledger: pass\n", "b.py": "from a import Ledger\nLedger.absent()\n"}
    assert state_of(files).targets(B) == {A: 2}
