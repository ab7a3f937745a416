import pytest

from jupyter_ac.index.documents.kinds import doc_type
from jupyter_ac.index.documents.markdown import markdown_outline


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("README.md", "readme"),
        ("docs/guides/README.de.md", "readme"),
        ("CHANGELOG.md", "changelog"),
        ("docs/guides/2_0_release_notes.md", "changelog"),
        ("docs/decisions/0001-layers.md", "decision"),
        ("docs/adr/index.md", "decision"),
        ("specs/wire.md", "spec"),
        ("docs/guide/start.md", "guide"),
        ("docs/CONTRIBUTING.md", "guide"),
        ("docs/reference/x.rst", "reference"),
        ("notes/monday.md", "notes"),
        ("a/b.svg", "drawing"),
        ("a/b.ipynb", "notebook"),
        ("docs/thoughts.md", "unknown"),
    ],
)
def test_the_place_and_the_name_tell_the_kind(path: str, kind: str) -> None:
    assert doc_type(path, markdown_outline("")) == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("# X\n## Status\n## Decision\n", "decision"),
        ("# 1. A\n## 1.1 B\n## 2 C\n", "spec"),
        ("# X\n## Installation\n", "guide"),
        ("# X\n## Parameters\n", "reference"),
        ("# X\n## Else\n", "unknown"),
    ],
)
def test_headings_tell_the_kind_where_the_place_does_not(text: str, kind: str) -> None:
    assert doc_type("docs/x.md", markdown_outline(text)) == kind
