"""What the widget's page may say to the kernel."""

from pathlib import Path

import pytest

from jupyter_ac.errors import InvalidParams
from jupyter_ac.hosts.assets import Build
from jupyter_ac.hosts.kernel.messages import (
    MAX_SELECTED,
    STATUSES,
    PageState,
    chunk_message,
    error_message,
    opened_message,
    read_state,
    repository_message,
    surroundings_message,
    ui_message,
)
from jupyter_ac.hosts.nearby_repositories import Surroundings


@pytest.mark.parametrize("status", STATUSES)
def test_a_whole_state_is_taken_as_it_is(status: str) -> None:
    content = {"selected_files": ["b.py", "a.py"], "busy": True, "status": status}
    assert read_state(content) == PageState(["b.py", "a.py"], busy=True, status=status)


@pytest.mark.parametrize(
    "change",
    [
        {"selected_files": "a.py"},
        {"selected_files": ["a.py", 1]},
        {"selected_files": ["a"] * (MAX_SELECTED + 1)},
        {"busy": 1},
        {"status": "asleep"},
        {"status": None},
    ],
)
def test_a_state_that_is_none_is_refused(change: dict[str, object]) -> None:
    content = {"selected_files": [], "busy": False, "status": "ready"} | change
    with pytest.raises(InvalidParams):
        read_state(content)


def test_messages_to_the_page_carry_their_kind() -> None:
    assert error_message("no") == {"type": "error", "message": "no"}
    assert repository_message("work") == {"type": "repository", "name": "work"}
    assert opened_message(Path("/w/a")) == {"type": "open", "folder": "/w/a"}
    around = Surroundings(Path("/w"), (), (), is_complete=False, refusal="")
    assert surroundings_message(around) == {
        "type": "surroundings",
        "folder": "/w",
        "above": [],
        "below": [],
        "complete": False,
        "refusal": "",
    }
    assert ui_message(Build("1a2b3c", "ui-1a2b3c.js", "0.1.0"), "export {}") == {
        "type": "ui",
        "hash": "1a2b3c",
        "source": "export {}",
    }
    assert chunk_message("maths", Build("1a2b3c", "ui-1a2b3c.js", "0.1.0"), "x")["type"] == "maths"
