"""Events: their names and arguments are those of the seeds' front ends."""

import pytest

from jupyter_ac.events import (
    CompactionEvent,
    Event,
    FilesChanged,
    SessionChanged,
    StartupProgress,
    StreamComplete,
    UserMessage,
)


@pytest.mark.parametrize(
    ("event", "name", "args"),
    [
        (StartupProgress("ready", "Ready", 100), "startupProgress", ("ready", "Ready", 100)),
        (FilesChanged(["a.py"]), "filesChanged", (["a.py"],)),
        (UserMessage({"content": "hi"}), "userMessage", ({"content": "hi"},)),
        (SessionChanged({"session_id": "s"}), "sessionChanged", ({"session_id": "s"},)),
        (CompactionEvent("1-a", {"stage": "x"}), "compactionEvent", ("1-a", {"stage": "x"})),
        (StreamComplete("1-a", {"response": ""}), "streamComplete", ("1-a", {"response": ""})),
    ],
)
def test_an_event_gives_its_name_and_its_arguments_in_order(
    event: Event, name: str, args: tuple[object, ...]
) -> None:
    assert event.name == name
    assert event.args == args
