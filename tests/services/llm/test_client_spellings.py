from dataclasses import replace

from jupyter_ac.chat.shapes import HistoryStatus
from jupyter_ac.chat.turn.preview import HistoryRoom
from jupyter_ac.models.client import Retry
from jupyter_ac.services.llm.client_spellings import history_status, retry_row
from tests.support.conformance import problems

ROOM = HistoryRoom("s", 50, 60, 4, is_compacted=True, is_compacting=False, compactions=1)


def test_a_repeated_request_has_the_names_of_both_vintages() -> None:
    row = retry_row(Retry(2, 4, 7.5, "The provider is busy."))
    assert row["attempts"] == row["max_attempts"] == 4
    assert row["wait_s"] == row["wait_seconds"] == 7.5
    assert (row["attempt"], row["error_type"]) == (2, "provider_unavailable")


def test_the_room_of_the_talk_has_the_names_of_both_vintages() -> None:
    status = history_status(ROOM)
    assert problems(status, HistoryStatus) == []
    assert status["tokens"] == status["history_tokens"] == status["current_tokens"] == 50
    assert status["max"] == status["max_history_tokens"] == status["trigger_tokens"] == 60
    assert (status["percent"], status["remaining"]) == (83, 10)
    assert (status["enabled"], status["needs_compaction"]) == (True, False)


def test_what_is_due_says_so_unless_compaction_is_off() -> None:
    long = replace(ROOM, tokens=61)
    assert history_status(long)["needs_compaction"]
    assert history_status(long)["remaining"] == 0
    assert not history_status(replace(long, is_compacted=False))["needs_compaction"]
    assert history_status(replace(ROOM, tokens=10**9))["percent"] == 999
    assert history_status(replace(ROOM, limit=0))["percent"] == 0
