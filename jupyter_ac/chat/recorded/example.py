"""The recorded example: questions about the sample repository of the tour, with their answers.

It is data of this package, in `pocket_weather/`. A repository can't add to it: its files only
decide whether the example is offered, by their content.
"""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

FOLDER: Final = "pocket_weather"


@dataclass(frozen=True, slots=True)
class RecordedQuestion:
    """A question whose answer is recorded.

    Attributes:
        question_id: its name.
        label: says in a few words what it shows.
        text: the question.
        files: that are ticked for it.
        answer: the recorded answer, with its edits.
    """

    question_id: str
    label: str
    text: str
    files: tuple[str, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class FileState:
    """A content that a file of the sample has at some time.

    Attributes:
        path: of the file.
        sha256: of its text with plain line ends.
    """

    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class RecordedCommit:
    """A commit message for files that the example has changed.

    Attributes:
        of: the states of files that it is about.
        message: what is committed with them.
    """

    of: frozenset[FileState]
    message: str


@dataclass(frozen=True, slots=True)
class RecordedExample:
    """The example.

    Attributes:
        repository: name of the sample.
        recognised_by: files that the sample has, none of which an answer edits.
        words_per_second: how fast answers are played.
        questions: in the order in which they are offered.
        originals: path → text of the files that answers edit.
        created: files that answers make, as they make them.
        commits: messages, those about the most files first.
        beside: a file of the sample that was changed before → a sentence for a message.
    """

    repository: str
    recognised_by: tuple[FileState, ...]
    words_per_second: float
    questions: tuple[RecordedQuestion, ...]
    originals: Mapping[str, str]
    created: tuple[FileState, ...]
    commits: tuple[RecordedCommit, ...]
    beside: Mapping[FileState, str]

    def question(self, question_id: str) -> RecordedQuestion | None:
        """Return the question of this name; None if there is none."""
        return next((one for one in self.questions if one.question_id == question_id), None)

    def commit_message(self, states: Collection[FileState]) -> str:
        """Return the message for a commit of files in these states; "" if none is recorded."""
        found = set(states)
        known = found & self.beside.keys()
        for commit in self.commits:
            if commit.of <= found and found - commit.of == known:
                sentences = [text for state, text in self.beside.items() if state in known]
                return "\n\n".join((commit.message, *sentences))
        return ""


def state_of(path: str, text: str) -> FileState:
    """Return the state of a file with this text."""
    plain = text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")
    return FileState(path, hashlib.sha256(plain).hexdigest())


@cache
def example() -> RecordedExample:
    """Return the example, read from the package's data."""
    folder = resources.files("jupyter_ac.chat.recorded") / FOLDER
    data = json.loads(_text(folder, "example.json"))
    states = {name: FileState(**state) for name, state in data["states"].items()}
    originals = {path: _text(folder, file) for path, file in data["originals"].items()}
    return RecordedExample(
        repository=data["repository"],
        recognised_by=tuple(FileState(*pair) for pair in data["recognised_by"].items()),
        words_per_second=data["words_per_second"],
        questions=tuple(
            RecordedQuestion(
                row["id"],
                row["label"],
                row["question"],
                tuple(row["files"]),
                _text(folder, row["answer"]),
            )
            for row in data["questions"]
        ),
        originals=originals,
        created=tuple(state for state in states.values() if state.path not in originals),
        commits=tuple(
            RecordedCommit(frozenset(states[name] for name in row["of"]), row["message"])
            for row in data["commits"]
        ),
        beside={states[name]: text for name, text in data["beside"].items()},
    )


def _text(folder: Traversable, name: str) -> str:
    return folder.joinpath(*name.split("/")).read_text(encoding="utf-8")
