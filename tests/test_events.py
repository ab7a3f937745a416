"""Events: their names and arguments are those that front ends expose."""

import pytest

from jupyter_ac.events import (
    CompactionEvent,
    Event,
    FilesChanged,
    FilesModified,
    ReviewEnded,
    ReviewStarted,
    SessionChanged,
    StartupProgress,
    StreamChunk,
    StreamDelta,
    TurnProgress,
    UserMessage,
)
from jupyter_ac.git.review.state import NO_REVIEW
from jupyter_ac.message_rows import AskedQuestion, SessionSnapshot
from jupyter_ac.review_rows import ReviewState
from tests.chat.memory import completion

ASKED = AskedQuestion(content="hi", request_id="1-a")
SESSION = SessionSnapshot(session_id="s", messages=[], earlier=0)
PROGRESS = TurnProgress(stage="notice", message="x")
REVIEW: ReviewState = {**NO_REVIEW, "active": True}
END = completion("1-a", "hello")


@pytest.mark.parametrize(
    ("event", "name", "args"),
    [
        (StartupProgress("ready", "Ready", 100), "startupProgress", ("ready", "Ready", 100)),
        (FilesChanged(["a.py"]), "filesChanged", (["a.py"],)),
        (FilesChanged(["a.py", "b.py"], ["b.py"]), "filesChanged", (["a.py", "b.py"], ["b.py"])),
        (FilesModified(["a.py"]), "filesModified", (["a.py"],)),
        (ReviewStarted(REVIEW), "reviewStarted", (REVIEW,)),
        (ReviewEnded(NO_REVIEW), "reviewEnded", (NO_REVIEW,)),
        (UserMessage(ASKED), "userMessage", (ASKED,)),
        (SessionChanged(SESSION), "sessionChanged", (SESSION,)),
        (CompactionEvent("1-a", PROGRESS), "compactionEvent", ("1-a", PROGRESS)),
        (END, "streamComplete", ("1-a", END.result)),
        (StreamChunk("1-a", "hel"), "streamChunk", ("1-a", "hel")),
        (StreamDelta("1-a", 3, "lo"), "streamDelta", ("1-a", 3, "lo")),
    ],
)
def test_an_event_gives_its_name_and_its_arguments_in_order(
    event: Event, name: str, args: tuple[object, ...]
) -> None:
    assert event.name == name
    assert event.args == args
