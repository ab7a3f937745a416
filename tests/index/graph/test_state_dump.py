"""A state in parts."""

import os
import pickle
from pathlib import Path

import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.state_dump import dumped, restored
from tests.support.indexed import put, state_of

HELPER = "def helper_one(): pass\n"


def test_a_state_survives_being_kept_in_parts(tmp_path: Path) -> None:
    state = state_of({"a.py": HELPER, "b.py": "from a import helper_one\nhelper_one()\n"})
    put(state, "gone.py", HELPER)
    put(state, "go/go.mod", "module ex.io/a\n")
    state.remove(RepoPath("gone.py"))
    state.update()
    archive = tmp_path / "archive"
    archive.write_bytes(b"".join(state.graph.tables.store.archive.pieces()))
    parts = [pickle.dumps(part) for part in dumped(state)]
    copy = restored(map(pickle.loads, parts), os.open(archive, os.O_RDONLY), tmp_path)
    assert copy.generation == state.generation
    assert copy.popularity() == state.popularity() == {"a.py": 1}
    put(copy, "c.py", "import a\na.helper_one()\n")
    copy.update()
    assert copy.sources(RepoPath("a.py")) == {"b.py": 2, "c.py": 2}
    assert copy.record(RepoPath("b.py")) == state.record(RepoPath("b.py"))
    assert copy.graph.tables.tree.manifests.folders("go.mod") == {"ex.io/a": ["go"]}
    copy.graph.tables.store.archive.close()


def test_parts_of_something_else_are_no_state(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="no index"):
        restored(iter([{"no": "index"}]), -1, tmp_path)
