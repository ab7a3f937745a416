from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.graph import is_document
from jupyter_ac.index.records import NOBODY
from tests.support.document_tree import graph_of

TEXTS = {
    "README.md": "# Top\n[guide](docs/guide.md#second-part) [again](docs/guide.md#second-part)\n"
    "## More\n[guide](docs/guide.md#second-part) [whole](docs/guide.md) [self](#top)\n",
    "docs/guide.md": "# Guide\n## Second part\nSee [core](../src/core.py) and `src/core.py`.\n",
    "docs/other.md": "[gone](nowhere.md) [out](../../x) [slug](guide.md#unknown)",
}


def test_links_count_once_for_each_section_and_target() -> None:
    graph = graph_of(TEXTS, ["src/core.py"])
    rows = [
        (one.section, one.target, one.heading) for one in graph.references(RepoPath("README.md"))
    ]
    assert rows == [
        (0, "docs/guide.md", 1),
        (1, "docs/guide.md", 1),
        (1, "docs/guide.md", NOBODY),
    ]


def test_incoming_counts_are_of_other_documents() -> None:
    graph = graph_of(TEXTS, ["src/core.py"])
    assert graph.incoming(RepoPath("docs/guide.md"), 1) == 2
    assert graph.incoming(RepoPath("docs/guide.md")) == 2  # the whole, and a slug that isn't there
    assert graph.incoming(RepoPath("README.md")) == 0
    assert graph.sources(RepoPath("docs/guide.md")) == {"README.md": 3, "docs/other.md": 1}
    assert graph.targets(RepoPath("README.md")) == {"docs/guide.md": 3}


def test_files_of_code_that_documents_link_to_or_name_count() -> None:
    graph = graph_of(TEXTS, ["src/core.py"])
    assert graph.sources(RepoPath("src/core.py")) == {"docs/guide.md": 1}


def test_labels_of_sphinx_lead_across_documents() -> None:
    graph = graph_of(
        {
            "a.rst": "Title\n=====\n\nSee :ref:`far`, :ref:`twice` and :doc:`b`.\n",
            "b.rst": ".. _far:\n\nFar away\n========\n\n.. _twice:\n\nXx\n--\n",
            "c.rst": ".. _twice:\n\nYy\n==\n",
        }
    )
    rows = [(one.target, one.heading) for one in graph.references(RepoPath("a.rst"))]
    assert rows == [("b.rst", 0), ("b.rst", NOBODY)]


def test_what_is_a_document_is_told_by_the_name() -> None:
    assert is_document("a/B.MD")
    assert is_document("x.svg")
    assert not is_document("a.py")
    assert not is_document("md")
