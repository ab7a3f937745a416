"""Resolves the class of an HTML element to the rule of a style sheet."""

import re
from typing import Final, NamedTuple

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.languages.registry import described
from jupyter_ac.index.navigation.candidates import closest
from jupyter_ac.index.navigation.rows import Certainty
from jupyter_ac.index.navigation.scopes import Goal, goal_of
from jupyter_ac.index.navigation.source_text import SourceText, TextPosition, Word, units
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
