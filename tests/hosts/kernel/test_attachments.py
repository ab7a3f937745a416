"""Attached values on their way to a page or to a question of the kernel's own."""

from collections.abc import Mapping

import pytest

from jupyter_ac.chat.context_items import MAX_ITEMS
from jupyter_ac.context_rows import ContextItemGiven
from jupyter_ac.errors import Conflict
from jupyter_ac.hosts.kernel.attachments import Attachments

IDLE = {"type": "state", "busy": False}
ASKING = {"type": "state", "busy": True}


def item(name: str, text: str = "") -> ContextItemGiven:
    return {"kind": "variable", "name": name, "text": text}


def made() -> tuple[Attachments, list[Mapping[str, object]]]:
    posted: list[Mapping[str, object]] = []
    return Attachments(posted.append), posted


def taken(attachments: Attachments) -> list[ContextItemGiven]:
    return [each.item for each in attachments.take()]


def test_without_a_page_they_wait_for_a_question() -> None:
    attachments, posted = made()
    attachments.add(item("a"))
    attachments.add(item("b", "old"))
    attachments.add(item("b", "new"))
    assert taken(attachments) == [item("a"), item("b", "new")]
    assert taken(attachments) == []
    assert posted == []


def test_the_first_page_gets_what_waits_and_then_each_at_once() -> None:
    attachments, posted = made()
    attachments.add(item("a"))
    attachments.receive({"type": "hello"})
    assert posted == []  # its panel isn't there yet
    attachments.receive(IDLE)
    attachments.add(item("b"))
    attachments.receive(IDLE)
    assert [message["item"] for message in posted] == [item("a"), item("b")]
    assert all(message["type"] == "attach" for message in posted)
    assert len({str(message["id"]) for message in posted}) == 2
    assert taken(attachments) == [item("a"), item("b")]  # the page may not hear while a cell runs


def test_a_question_of_the_page_takes_them() -> None:
    attachments, posted = made()
    attachments.receive(IDLE)
    attachments.add(item("a"))
    attachments.receive(ASKING)
    assert taken(attachments) == []
    late, _ = made()
    late.add(item("a"))
    late.receive(ASKING)  # the answer that runs began before
    assert taken(late) == [item("a")]
    assert len(posted) == 1


def test_a_page_that_is_opened_later_gets_what_one_that_is_gone_may_not_have_got() -> None:
    attachments, posted = made()
    attachments.receive(IDLE)
    attachments.add(item("a"))  # nobody may hear it: nothing tells that the page was closed
    attachments.receive({"type": "hello"})
    attachments.receive(IDLE)
    attachments.receive(IDLE)
    assert [message["item"] for message in posted] == [item("a"), item("a")]
    assert posted[0]["id"] == posted[1]["id"]
    assert taken(attachments) == [item("a")]


@pytest.mark.parametrize("first", [ASKING, {**IDLE, "status": "starting"}])
def test_an_answer_that_runs_when_a_page_is_opened_has_not_taken_them(
    first: Mapping[str, object],
) -> None:
    attachments, _ = made()
    attachments.receive(IDLE)
    attachments.add(item("a"))
    attachments.receive({"type": "hello"})
    attachments.receive(first)
    attachments.receive(ASKING)
    assert taken(attachments) == [item("a")]


def test_a_state_during_an_answer_takes_nothing_but_the_next_question_does() -> None:
    attachments, _ = made()
    attachments.receive(IDLE)
    attachments.receive(ASKING)
    attachments.add(item("a"))
    attachments.receive(ASKING)  # something was ticked
    failed = attachments.take()
    assert [each.item for each in failed] == [item("a")]
    attachments.put_back(failed)
    attachments.receive(IDLE)
    attachments.receive(ASKING)
    assert taken(attachments) == []


def test_what_was_not_asked_comes_back_unless_it_is_newer() -> None:
    attachments, _ = made()
    attachments.add(item("a", "old"))
    attachments.add(item("b"))
    failed = attachments.take()
    attachments.add(item("a", "new"))
    attachments.put_back(failed)
    assert taken(attachments) == [item("a", "new"), item("b")]


def test_there_may_be_so_many() -> None:
    attachments, _ = made()
    for number in range(MAX_ITEMS):
        attachments.add(item(str(number)))
    attachments.add(item("3", "again"))
    with pytest.raises(Conflict, match="At most 20 values"):
        attachments.add(item("more"))
    assert len(attachments.take()) == MAX_ITEMS
