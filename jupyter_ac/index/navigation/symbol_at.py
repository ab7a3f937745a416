"""Finds the symbol, file or section that the text at a position refers to."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.link_targets import LinkTargets
from jupyter_ac.index.languages.registry import SELF_NAMES, described
from jupyter_ac.index.navigation.candidates import closest
from jupyter_ac.index.navigation.rows import Certainty
from jupyter_ac.index.navigation.scopes import Goal, Scopes, bound_name, class_around, goal_of
from jupyter_ac.index.navigation.source_text import SourceText, TextPosition, Word, units
from jupyter_ac.index.records import NOBODY, DocumentLink, FileRecord
from jupyter_ac.index.view import Definition, IndexView

_CLASSES: Final = re.compile(r"""\bclass(?:Name)?\s*=\s*(?:"([^"]*)|'([^']*))""")
_NAME: Final = re.compile(r"[^\s\"']+")
_RULE: Final = "rule"
_MOST: Final = 400
"""Rules of one class that are compared."""


class Styled(NamedTuple):
    """The rule that a class of an element means.

    Attributes:
        goal: the rule.
        word: the name of the class.
        certainty: `likely` when the page names the style sheet.
    """

    goal: Goal
    word: Word
    certainty: Certainty


def rule_at(
    view: IndexView, path: RepoPath, language: str, place: TextPosition, source: SourceText
) -> Styled | None:
    """Return the rule that the class at a place of a page means, None for no idea."""
    word = _class_at(source, place) if described(language).has_class_attributes else None
    if word is None:
        return None
    rules = [each for each in view.defining(f".{word.text}")[:_MOST] if _is_rule(view, each)]
    named = view.targets(path)
    near = [each for each in rules if each.path in named]
    if not near and len({each.path for each in rules}) != 1:
        return None
    certainty: Certainty = "likely" if near else "guess"
    return Styled(closest(path, list(map(goal_of, near or rules))), word, certainty)


def _class_at(source: SourceText, place: TextPosition) -> Word | None:
    line = source.line(place.line)
    for match in _CLASSES.finditer(line):
        for name in _NAME.finditer(line, match.start(match.lastindex or 0), match.end()):
            start = units(line[: name.start()])
            word = Word(name.group(), start, start + units(name.group()))
            if word.column <= place.column <= word.end_column:
                return word
    return None


def _is_rule(view: IndexView, each: Definition) -> bool:
    record = view.record_without_uses(each.path)
    return record is not None and record.symbols[each.symbol].kind == _RULE


_COMMON: Final = 3
"""Names up to this length say nothing by themselves."""

_PARTS: Final = re.compile(r"[./]|::")
_STATEMENT: Final = 200
"""Lines that one import may be spread over."""


class SymbolAt(NamedTuple):
    """The symbol, file or section that the text at a position refers to.

    Attributes:
        goal: what is meant.
        word: the text that says so.
        certainty: how sure that is.
    """

    goal: Goal
    word: Word
    certainty: Certainty = "certain"


def find(
    view: IndexView, files: LinkTargets, path: RepoPath, place: TextPosition, source: SourceText
) -> SymbolAt | None:
    """Return what stands at a place of a file, None when the index doesn't know.

    Args:
        view: the index.
        files: of the index, as links name them.
        path: of the file.
        place: in it.
        source: its text, of the same state as the index.
    """
    record = view.record(path)
    if record is None:
        return None
    own = _symbol_at(path, record, place)
    if own is not None:
        return own
    link = link_at(record, place, source)
    if link is not None:
        goal = target_of(view, files, path, link[0])
        return SymbolAt(goal, link[1]) if goal is not None else None
    section = _heading_at(path, record, place, source)
    # A notebook has an outline and code; names in other documents are no names of symbols.
    is_code = record.symbols or record.uses or record.imports
    if section is not None or (record.outline is not None and not is_code):
        return section
    return _Names(view, path, record, source).find(place)


def _symbol_at(path: RepoPath, record: FileRecord, place: TextPosition) -> SymbolAt | None:
    named = ((symbol.name, symbol.line, symbol.column) for symbol in record.symbols)
    at, word = _nearest(named, place)
    return None if word is None else SymbolAt(Goal(path, symbol=at), word)


def _nearest(named: Iterable[tuple[str, int, int]], place: TextPosition) -> tuple[int, Word | None]:
    """Return which of some names a place is in; of two that touch there, the later."""
    best, word = NOBODY, None
    for at, (name, line, column) in enumerate(named):
        end = column + units(name)
        is_here = line == place.line and column <= place.column <= end
        if is_here and (word is None or column > word.column):
            best, word = at, Word(name, column, end)
    return best, word


def _heading_at(
    path: RepoPath, record: FileRecord, place: TextPosition, source: SourceText
) -> SymbolAt | None:
    for at, heading in enumerate(record.outline.headings if record.outline else ()):
        if heading.line == place.line:
            shown = source.line(place.line)
            return SymbolAt(Goal(path, heading=at), Word(heading.text, 0, units(shown)))
    return None


class _Names:
    """Finds what the index has no use for: names in imports, attributes, values.

    Args:
        view: the index.
        path: of the file.
        record: of the file.
        source: its text.
    """

    def __init__(
        self, view: IndexView, path: RepoPath, record: FileRecord, source: SourceText
    ) -> None:
        self._view = view
        self._path = path
        self._record = record
        self._source = source
        self._rules = described(record.language).names
        self._super_words = described(record.language).syntax.super_words
        self._scopes = Scopes(view)

    def find(self, place: TextPosition) -> SymbolAt | None:
        found = self._in_path(place) or self._rule(place)
        if found is not None:
            return found
        used = ((use.name, use.line, use.column) for use in self._record.uses)
        at, word = _nearest(used, place)
        if word is None:
            word = self._source.word_at(place)
        if word is None:
            return None
        meaning = self._view.meaning(self._path, at) if at != NOBODY else None
        if meaning is not None:
            return SymbolAt(goal_of(meaning), word, self._certainty(meaning, at))
        goal = self._in_import(place, word.text)
        if goal is not None:
            return SymbolAt(goal, word)
        found = self._visible(place, word)
        # What the index has left open as a use is not for guessing either.
        return found or (self._guess(place, word) if at == NOBODY else None)

    def _certainty(self, meaning: Definition, at: int) -> Certainty:
        """Say how sure it is that a use means a symbol."""
        use = self._record.uses[at]
        if use.base in SELF_NAMES and meaning.path == self._path:
            return "certain"
        if use.base:
            owner = self._scopes.visible(self._path, use.base, use.line)
            is_known = owner is not None and self._scopes.has_members(owner)
        else:
            is_here = meaning.path == self._path
            is_known = is_here or self._scopes.imported(self._path, use.name) is not None
        return "likely" if is_known else "guess"

    def _visible(self, place: TextPosition, word: Word) -> SymbolAt | None:
        """Find what a name means by what is defined or imported around it."""
        before = self._source.before_word(place)
        if not before.is_member:
            goal = self._scopes.visible(self._path, word.text, place.line)
            return None if goal is None else SymbolAt(goal, word, "likely")
        base = before.base
        owner = self._owner(place, base)
        inherited = base in self._super_words
        goal = None
        if owner is not None:
            goal = self._scopes.member(owner, word.text, inherited=inherited)
        if goal is None and self._rules.imports_folders:
            goal = self._scopes.packaged(self._path, base, word.text)
        certainty: Certainty = "certain" if base in SELF_NAMES else "likely"
        return None if goal is None else SymbolAt(goal, word, certainty)

    def _owner(self, place: TextPosition, base: str) -> Goal | None:
        """Return the class or module that the name before a dot stands for."""
        if base in SELF_NAMES | self._super_words:
            within = class_around(self._record, place.line)
            return Goal(self._path, within) if within != NOBODY else None
        return self._scopes.visible(self._path, base, place.line) if base else None

    def _guess(self, place: TextPosition, word: Word) -> SymbolAt | None:
        """Take the only symbol of a name for what it means, where that is likely at all."""
        shares = self._rules.bare_names != "imported" or self._source.before_word(place).is_member
        is_telling = shares and len(word.text) > _COMMON
        goal = self._scopes.unique(word.text) if is_telling else None
        return None if goal is None else SymbolAt(goal, word, "guess")

    def _in_path(self, place: TextPosition) -> SymbolAt | None:
        """Find the file that a path in an import leads to, wherever in the path the place is."""
        if self._rules.imports_folders:
            return None
        for position, line in enumerate(self._record.imports):
            # The dots of Python climb as those of a path do.
            written = "." * line.level + line.module
            is_path = bool(line.module) and (line.level > 0 or "/" in line.module)
            word = self._source.span_of(place.line, written, place) if is_path else None
            if word is not None and self._is_in_statement(line.line, place.line):
                target = self._view.imported(self._path, position)
                return SymbolAt(Goal(target), word) if target is not None else None
        return None

    def _rule(self, place: TextPosition) -> SymbolAt | None:
        """Find the rule of a style sheet that the class at a place means."""
        language = self._record.language
        styled = rule_at(self._view, self._path, language, place, self._source)
        return SymbolAt(*styled) if styled is not None else None

    def _in_import(self, place: TextPosition, name: str) -> Goal | None:
        """Return what a name in an import means."""
        for position, line in enumerate(self._record.imports):
            if not self._is_in_statement(line.line, place.line):
                continue
            here = next((here for there, here in line.names if name in {there, here}), "")
            if here and (found := self._scopes.imported(self._path, here)) is not None:
                return found
            target = self._view.imported(self._path, position)
            is_module = name in {
                bound_name(line),
                *_PARTS.split(line.module),
                *line.module.split("/"),
            }
            if is_module and not here and target is not None:
                return Goal(target)
        return None

    def _is_in_statement(self, first: int, line: int) -> bool:
        """Tell whether a line belongs to the statement that begins on another, by its brackets."""
        if first == line:
            return True
        if not first < line < first + _STATEMENT:
            return False
        depth = 0
        for number in range(first, line):
            shown = self._source.line(number)
            depth += shown.count("(") + shown.count("{") - shown.count(")") - shown.count("}")
            if depth <= 0:
                return False
        return True


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
        return _code_named(view, files, path, link.target)
    place = files.link(path, link.target)
    if place is None:
        return None
    return Goal(place.path, heading=_heading_of_slug(view.record(place.path), place.slug))


def _code_named(view: IndexView, files: LinkTargets, path: RepoPath, name: str) -> Goal | None:
    """Return the file or the symbol that a name in backticks means."""
    if "/" in name or "." in name:
        file = files.named(path, name)
        if file is not None:
            return Goal(file)
    found = view.defining(name.partition("(")[0].rpartition(".")[2])
    return goal_of(found[0]) if len(found) == 1 else None


def _heading_of_slug(record: FileRecord | None, slug: str) -> int:
    if not slug:
        return NOBODY
    headings = record.outline.headings if record and record.outline else ()
    return next((at for at, heading in enumerate(headings) if heading.slug == slug), NOBODY)
