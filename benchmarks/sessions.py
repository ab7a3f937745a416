"""Draws sessions with the assistant at random: what is selected, asked, edited, and when.

A session belongs to a seed and to a repository's files, and is the same on every machine. It knows
nothing of how prompts are made. What happens in a turn, weighted as below: a question alone, edits
of selected files, an edit of a file that isn't selected, a change from outside, a new file; before
it files may be selected and deselected. Some sessions talk so much that they are compacted.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

Happening: TypeAlias = Literal["ask", "edit", "edit_outside", "external", "new_file"]

WEIGHTS: Final[Mapping[Happening, int]] = {
    "ask": 30,
    "edit": 45,
    "edit_outside": 8,
    "external": 9,
    "new_file": 8,
}
LONGEST_FILE: Final = 60_000
"""Bytes; people seldom select longer ones."""

PAUSE_S: Final = 600
_VOCABULARY: Final = (
    *("the", "a", "this", "that", "when", "where", "why", "does", "should", "function", "class"),
    *("value", "returns", "fails", "after", "before", "test", "name", "path", "please", "change"),
    *("error", "list", "empty", "first", "last", "call", "caller", "cache", "line", "wrong"),
)


@dataclass(frozen=True, slots=True)
class Edit:
    """Some lines of a file give way to others.

    Attributes:
        path: which; a file that isn't there is made.
        place: where in the file, from 0 to 1.
        lines: how many go.
        new: what comes.
    """

    path: str
    place: float
    lines: int
    new: tuple[str, ...]

    def apply(self, text: str) -> tuple[str, str, str]:
        """Return the file as it then is, the old lines and the new ones."""
        kept = text.splitlines(keepends=True)
        at = min(int(self.place * len(kept)), max(0, len(kept) - self.lines))
        old = kept[at : at + self.lines]
        new = "".join(f"{line}\n" for line in self.new)
        return "".join((*kept[:at], new, *kept[at + self.lines :])), "".join(old), new


@dataclass(frozen=True, slots=True)
class Step:
    """One turn.

    Attributes:
        happening: what it is about.
        pause_s: how long the user waits before it.
        external: what somebody else changes before it.
        selection: the selected files, in order.
        question: the user's text.
        answer: the model's, without its edits.
        edits: that the model makes.
    """

    happening: Happening
    pause_s: int
    external: tuple[Edit, ...]
    selection: tuple[str, ...]
    question: str
    answer: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Session:
    """A drawn session.

    Attributes:
        seed: what it was drawn with.
        trigger_tokens: of talk, beyond which it is compacted.
        steps: its turns.
    """

    seed: int
    trigger_tokens: int
    steps: tuple[Step, ...]


@dataclass(slots=True)
class _Draw:
    """A session while it is drawn."""

    chance: random.Random
    paths: Sequence[str]
    selection: list[str] = field(default_factory=list)
    made: int = 0

    def fresh(self) -> str:
        """Choose a file; the next ones of a session are often neighbours of the last."""
        others = [path for path in self.paths if path not in self.selection]
        if self.selection and self.chance.random() < 0.5:
            folder = self.chance.choice(self.selection).rpartition("/")[0]
            others = [path for path in others if path.rpartition("/")[0] == folder] or others
        return self.chance.choice(others)

    def words(self, least: int, most: int) -> str:
        """Write as many words, with names of files among them."""
        count = self.chance.randint(least, most)
        found = self.chance.choices(_VOCABULARY, k=count)
        if self.chance.random() < 0.4:
            name = self.chance.choice(self.paths).rpartition("/")[2]
            found.insert(self.chance.randrange(len(found) + 1), f"`{name}`")
        return " ".join(found)

    def edit(self, path: str) -> Edit:
        """Change a few lines of a file."""
        lines = self.chance.choice((1, 1, 2, 3, 6, 12))
        new = tuple(f"    {self.words(2, 9)}" for _ in range(self.chance.randint(1, lines + 2)))
        return Edit(path, self.chance.random(), lines, new)

    def step(self, pauses: float) -> Step:
        """Draw one turn."""
        self._reselect()
        happening = self.chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        external: list[Edit] = []
        edits: list[Edit] = []
        match happening:
            case "edit":
                few = min(len(self.selection), self.chance.choice((1, 1, 1, 2)))
                edits = [self.edit(path) for path in self.chance.sample(self.selection, few)]
            case "edit_outside":
                edits = [self.edit(self.fresh())]
            case "external":
                external = [self.edit(self.chance.choice(self.selection))]
            case "new_file":
                self.made += 1
                new = tuple(self.words(3, 9) for _ in range(self.chance.randint(5, 60)))
                edits = [Edit(f"made_{self.made}.py", 0, 0, new)]
        step = Step(
            happening=happening,
            pause_s=PAUSE_S if self.chance.random() < pauses else 0,
            external=tuple(external),
            selection=tuple(self.selection),
            question=self.words(5, 80),
            answer=self.words(20, 350),
            edits=tuple(edits),
        )
        self.selection += [edit.path for edit in edits if edit.path not in self.selection]
        return step

    def _reselect(self) -> None:
        """Select and deselect some files; one stays."""
        if self.chance.random() < 0.3:
            self.selection += [self.fresh() for _ in range(self.chance.choice((1, 1, 2)))]
            self.selection = list(dict.fromkeys(self.selection))
        while len(self.selection) > 1 and self.chance.random() < 0.15:
            self.selection.remove(self.chance.choice(self.selection))


def draw(seed: int, sizes: Mapping[str, int], pauses: float = 0.0) -> Session:
    """Draw a session.

    Args:
        seed: another one gives another session.
        sizes: the repository's text files and their bytes.
        pauses: how likely the user comes back after ten minutes, from 0 to 1.
    """
    chance = random.Random(f"session {seed}")
    paths = sorted(path for path, size in sizes.items() if 0 < size <= LONGEST_FILE)
    drawing = _Draw(chance, paths)
    drawing.selection = chance.sample(paths, chance.randint(1, 4))
    trigger = chance.choice((24_000, 24_000, 5_000))
    steps = [drawing.step(0.0)]
    steps += [drawing.step(pauses) for _ in range(chance.randint(9, 23))]
    return Session(seed, trigger, tuple(steps))
