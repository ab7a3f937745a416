"""The session of `reference/prompt-cost.md`, on any repository of Python files.

Twelve turns: eight edits of selected files, two questions, an edit of a file outside the selection
(turn 7), a new file (turn 10); the selection changes before turns 5, 7, 8, 10, 11 and 12. Edits are
small and answers short. Questions name what they are about, as people do.
"""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from benchmarks.sessions import Edit, Happening, Session, Step

_Change: TypeAlias = Literal["edit", "edit both", "ask", "outside", "new"]

_TURNS: Final[Sequence[tuple[str, str, _Change, str]]] = (
    # selected, deselected, what happens, what is asked
    ("ab", "", "edit", "`{a}` in {file} should refuse an empty value, with a clear message."),
    ("", "", "edit", "Now {file}: rename what is unclear in `{a}` and keep its callers working."),
    ("", "", "edit", "`{a}` does the same work twice when it is called from `{b}`; fix that."),
    ("", "", "ask", "Who calls `{a}`, and what happens there if it fails?"),
    ("cd", "b", "edit", "The same mistake is in `{a}` of {file}. Please correct it there too."),
    ("", "", "edit", "Add a check to `{a}` so that `{b}` never sees a negative number."),
    ("", "c", "outside", "The tests say that {file} is wrong when the list is empty: see `{a}`."),
    ("f", "a", "edit", "Make `{a}` faster for long inputs; it is called for each line."),
    ("", "", "ask", "Is `{a}` safe when two threads use it, or is `{b}` needed for that?"),
    ("", "d", "new", "Write a small module that does what `{a}` and `{b}` share."),
    ("h", "", "edit", "`{a}` in {file} still has the old name of the option; change it."),
    ("ij", "f", "edit both", "Last: log in `{a}` and `{b}` what was left out, one line each."),
)
_WORKED_ON: Final = "abaacdeffghi"
"""The file that each turn is about."""
_HAPPENINGS: Final[Mapping[_Change, Happening]] = {
    "edit": "edit",
    "edit both": "edit",
    "ask": "ask",
    "outside": "edit_outside",
    "new": "new_file",
}
_NAME: Final = re.compile(r"^ *(?:async )?(?:def|class) (\w{5,})", re.MULTILINE)
_SIZES: Final = range(1_500, 8_000)
_FIRST_SIZES: Final = range(8_000, 16_000)
"""Bytes of the files that are worked on, and of the two that the session begins with."""
_ANSWER_WORDS: Final = 150
_TRIGGER: Final = 24_000
_WORDS: Final = ("the", "value", "is", "checked", "before", "it", "so", "that", "an", "error")


@dataclass(frozen=True, slots=True)
class _Cast:
    """The files of a session.

    Attributes:
        paths: by letter.
        names: defined in each.
        chance: draws what doesn't matter.
    """

    paths: Mapping[str, str]
    names: Mapping[str, Sequence[str]]
    chance: random.Random

    def question(self, template: str, letter: str) -> str:
        """Ask about a file."""
        one, other = self.chance.sample(self.names[letter], 2)
        return template.format(a=one, b=other, file=self.paths[letter].rpartition("/")[2])

    def edit(self, letter: str) -> Edit:
        """Change two or three lines of a file."""
        new = tuple(f"    # {self.words(6)}" for _ in range(self.chance.randint(2, 4)))
        return Edit(self.paths[letter], self.chance.random(), 2, new)

    def words(self, count: int) -> str:
        """Say something."""
        return " ".join(self.chance.choices(_WORDS, k=count))


def replayed(files: Mapping[str, str], seed: int) -> Session:
    """Cast the session with files of a repository.

    Args:
        files: its texts, by path.
        seed: another one gives other files.
    """
    cast = _cast(files, random.Random(f"replay {seed}"))
    selection: list[str] = []
    steps: list[Step] = []
    for (came, went, change, template), letter in zip(_TURNS, _WORKED_ON, strict=True):
        selection = [one for one in selection if one not in went] + list(came)
        asked_of = letter if letter in cast.names else selection[-1]
        edits = _edits(cast, change, letter, selection)
        question = cast.question(template, asked_of)
        chosen = tuple(cast.paths[one] for one in selection)
        answer = cast.words(_ANSWER_WORDS)
        steps.append(Step(_HAPPENINGS[change], 0, (), chosen, question, answer, edits))
        # What was edited is selected by the program.
        if change in {"outside", "new"}:
            selection.append(letter)
    return Session(seed, _TRIGGER, tuple(steps))


def _cast(files: Mapping[str, str], chance: random.Random) -> _Cast:
    """Choose the files: two to begin with, later ones half from the folder of the first."""
    able, large = _able(files, _SIZES), _able(files, _FIRST_SIZES)
    first = chance.choice(list(large))
    folder = first.rpartition("/")[0]
    near = [path for path in able if path.rpartition("/")[0] == folder]
    some = [first, chance.choice([path for path in large if path != first])]
    some += chance.sample(near, min(len(near), 4))
    some += chance.sample(list(able), min(len(able), 10))
    letters = dict(zip("abcdefhij", dict.fromkeys(some), strict=False))
    names = {letter: {**able, **large}[path] for letter, path in letters.items()}
    new = f"{folder}/shared_part_{len(files)}.py".lstrip("/")
    return _Cast({**letters, "g": new}, names, chance)


def _able(files: Mapping[str, str], sizes: range) -> dict[str, Sequence[str]]:
    """Return the Python files of these sizes that define two things at least, with the names."""
    return {
        path: found
        for path, text in sorted(files.items())
        if path.endswith(".py") and len(text.encode()) in sizes
        if len(found := list(dict.fromkeys(_NAME.findall(text)))) > 1
    }


def _edits(cast: _Cast, change: _Change, letter: str, selection: Sequence[str]) -> tuple[Edit, ...]:
    if change == "ask":
        return ()
    if change == "new":
        lines = tuple(cast.words(8) for _ in range(20))
        return (Edit(cast.paths[letter], 0.0, 0, lines),)
    edited = selection[-2:] if change == "edit both" else [letter]
    return tuple(cast.edit(one) for one in edited)
