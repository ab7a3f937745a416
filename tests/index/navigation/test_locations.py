from typing import TYPE_CHECKING

from jupyter_ac.index.documents.graph import DocumentGraph
from jupyter_ac.index.navigation.locations import (
    definition,
    linking,
    on_its_line,
    range_of,
    references,
)
from tests.index.navigation.trees import document_tree, python_tree

if TYPE_CHECKING:
    from jupyter_ac.index.navigation.rows import Target


def test_a_range_is_spelt_in_both_ways() -> None:
    assert range_of(3, 4, 9) == {
        "start": {"line": 2, "character": 4},
        "end": {"line": 2, "character": 9},
        "startLineNumber": 3,
        "startColumn": 5,
        "endLineNumber": 3,
        "endColumn": 10,
    }


def test_a_definition_is_the_name_where_it_is_defined() -> None:
    tree = python_tree()
    found = tree.found("app/client.py", "return si|ze")
    assert found is not None
    assert definition(tree.view, found) == {"file": "app/shapes.py", "range": range_of(5, 4, 8)}


def test_a_definition_leads_to_itself() -> None:
    tree = python_tree()
    found = tree.found("app/shapes.py", "def ar|ea")
    assert found is not None
    assert definition(tree.view, found) == {"file": "app/shapes.py", "range": range_of(5, 4, 8)}


def test_a_file_begins_at_its_beginning_and_a_section_at_its_heading() -> None:
    for tree, path, mark, file, line in [
        (python_tree(), "main.py", "import app.shapes as sha|pes", "app/shapes.py", 1),
        (document_tree(), "README.md", "](docs/gui|de.md#first", "docs/guide.md", 3),
    ]:
        found = tree.found(path, mark)
        assert found is not None
        assert definition(tree.view, found) == {"file": file, "range": range_of(line, 0, 0)}


def test_references_are_sorted_and_each_there_once() -> None:
    tree = python_tree()
    found = tree.found("app/shapes.py", "def ar|ea")
    assert found is not None
    places = references(tree.view, found)
    shown = [(each["file"], each["range"]["startLineNumber"]) for each in places]
    assert shown == sorted(set(shown))
    assert ("app/client.py", 20) in shown
    assert ("main.py", 6) in shown
    assert all(file != "app/shapes.py" for file, _ in shown)


def test_a_file_is_referred_to_by_the_imports_that_lead_to_it() -> None:
    tree = python_tree()
    found = tree.found("main.py", "import app.shapes as sha|pes")
    assert found is not None
    assert [each["file"] for each in references(tree.view, found)] == ["app/client.py", "main.py"]


def test_a_section_is_referred_to_by_the_links_that_name_it_and_a_document_by_all() -> None:
    tree = document_tree()
    records = {path: tree.view.record(path) for path in tree.view.paths()}
    outlines = {path: each.outline for path, each in records.items() if each and each.outline}
    graph = DocumentGraph(outlines, tree.view.paths())
    section = tree.found("docs/guide.md", "## First| steps")
    document = tree.found("README.md", "[a|ll](docs/guide.md)")
    assert section is not None
    assert document is not None
    lines = [
        [each["range"]["startLineNumber"] for each in references(tree.view, found, linked)]
        for found in (section, document)
        for linked in [linking(graph, found.goal)]
    ]
    assert lines == [[3], [3, 4]]


def test_a_whole_line_becomes_the_name_on_it() -> None:
    target: Target = {"file": "a.ts", "range": range_of(1, 0, 0)}
    line = '  import "./shapes" // 😀'
    for names, columns in ((["x", "shapes"], (12, 18)), (["x"], (2, 25))):
        found = on_its_line(target, line, names)["range"]
        assert (found["start"]["character"], found["end"]["character"]) == columns
