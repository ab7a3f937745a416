"""Links in documents, and code names in backticks: where they stand, where they lead."""

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.links import LinkTargets
from jupyter_ac.index.navigation.scopes import Goal, goal_of
from jupyter_ac.index.navigation.text import SourceText, TextPosition, Word
from jupyter_ac.index.records import NOBODY, DocumentLink, FileRecord
from jupyter_ac.index.view import IndexView


def link_at(
    record: FileRecord, place: TextPosition, source: SourceText
) -> tuple[DocumentLink, Word] | None:
    """Return the link that a place is in: its text, its target, or the name in backticks."""
    if record.outline is None:
        return None
    here = [link for link in record.outline.links if link.line == place.line]
    for link in here:
        word = source.span_of(place.line, link.target, place)
        if word is not None:
            return link, word
    for link in here:
        word = source.label_of(link.target, place) if not link.is_code else None
        if word is not None:
            return link, word
    return None


def target_of(
    view: IndexView, files: LinkTargets, path: RepoPath, link: DocumentLink
) -> Goal | None:
    """Return what a link of a document leads to in the repository."""
    if link.is_code:
        return _named(view, files, path, link.target)
    place = files.link(path, link.target)
    if place is None:
        return None
    return Goal(place.path, heading=_heading(view.record(place.path), place.slug))


def _named(view: IndexView, files: LinkTargets, path: RepoPath, name: str) -> Goal | None:
    """Return the file or the symbol that a name in backticks means."""
    if "/" in name or "." in name:
        file = files.named(path, name)
        if file is not None:
            return Goal(file)
    found = view.defining(name.partition("(")[0].rpartition(".")[2])
    return goal_of(found[0]) if len(found) == 1 else None


def _heading(record: FileRecord | None, slug: str) -> int:
    if not slug:
        return NOBODY
    headings = record.outline.headings if record and record.outline else ()
    return next((at for at, heading in enumerate(headings) if heading.slug == slug), NOBODY)
