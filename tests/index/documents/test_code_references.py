from collections.abc import Mapping

import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.code_references import CodeReferences
from jupyter_ac.index.records import NOBODY, DocumentLink
from jupyter_ac.index.view import Definition
from tests.support.document_tree import DocumentTree, graph_of

SYMBOLS = {
    "src/core.py": ["Keeper", "Keeper.refresh", "parse_it", "run", "only"],
    "src/other.py": ["Other", "Other.refresh", "run", "array"],
}
TEXTS = {
    "README.md": "# A\n`Keeper` and `parse_it()`\n## B\n`Keeper` in `src/core.py`\n",
    "docs/x.md": "`run` `other.run` `only` `np.array` [code](../src/other.py) [doc](../README.md)",
}


def references(texts: Mapping[str, str] = TEXTS) -> CodeReferences:
    return CodeReferences(graph_of(texts, SYMBOLS), DocumentTree(texts, SYMBOLS))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Keeper", Definition(RepoPath("src/core.py"), 0)),
        ("Keeper.refresh", Definition(RepoPath("src/core.py"), 1)),
        ("Other.refresh()", Definition(RepoPath("src/other.py"), 1)),
        ("src.core.Keeper", Definition(RepoPath("src/core.py"), 0)),
        ("Keeper::refresh", Definition(RepoPath("src/core.py"), 1)),
        ("parse_it()", Definition(RepoPath("src/core.py"), 2)),
        ("only()", Definition(RepoPath("src/core.py"), 4)),
        ("other.run", Definition(RepoPath("src/other.py"), 2)),
        ("core.py", "src/core.py"),
        ("run", None),
        ("run()", None),
        ("refresh", None),
        ("only", None),
        ("np.array", None),
        ("Nothing", None),
    ],
)
def test_a_name_counts_where_it_can_mean_one_thing_only(name: str, expected: object) -> None:
    assert (
        references().meaning(RepoPath("README.md"), DocumentLink(name, True, 1, NOBODY)) == expected
    )


def test_mentions_of_a_symbol_say_where() -> None:
    found = references().mentions(Definition(RepoPath("src/core.py"), 0))
    assert [tuple(one) for one in found] == [("README.md", 0, 2), ("README.md", 1, 4)]
    assert references().mentions(Definition(RepoPath("src/core.py"), 99)) == ()
    assert references().mentions(Definition(RepoPath("src/core.py"), NOBODY)) == ()
    assert references().mentions(Definition(RepoPath("gone.py"), 0)) == ()


def test_documents_and_files_are_joined_both_ways() -> None:
    found = references()
    assert found.files(RepoPath("README.md")) == {"src/core.py": 4}
    assert found.documents(RepoPath("src/core.py")) == {"README.md": 4}
    assert found.documents(RepoPath("src/other.py")) == {"docs/x.md": 2}
    assert found.files(RepoPath("docs/x.md")) == {"src/other.py": 2}
    assert found.documents(RepoPath("README.md")) == {}
