"""The relay's messages, as a page that means well or ill would send them."""

import json

import pytest

from jupyter_ac.hosts.kernel.relay.endpoint import Envelope
from jupyter_ac.hosts.kernel.relay.envelopes import (
    Carrying,
    Closing,
    OpenLink,
    carrying,
    closed,
    read_message,
)
from jupyter_ac.hosts.kernel.relay.resend_window import FramePart, FrameRun


@pytest.mark.parametrize(
    "envelope",
    [
        Envelope(FrameRun(1)),
        Envelope(
            FrameRun(7, (FramePart('{"a":1}'), FramePart("[", continues=True), FramePart("]"))),
            ack=3,
        ),
        Envelope(FrameRun(2), ack=1, ping=True, resend=True),
    ],
)
def test_what_is_spelt_is_read_again(envelope: Envelope) -> None:
    wire = json.loads(json.dumps(carrying("link-1", envelope)))
    assert read_message(wire) == Carrying("link-1", envelope)


def test_a_page_opens_and_closes() -> None:
    opening = {"type": "relay.open", "link": "a.b-c_1", "client": "tab"}
    assert read_message(opening) == OpenLink("a.b-c_1", "tab")
    assert read_message(opening | {"client": "not a name"}) == OpenLink("a.b-c_1", "")
    assert read_message({"type": "relay.close", "link": "x"}) == Closing("x")
    assert closed("x", 4404, "why")["code"] == 4404


GOOD: dict[str, object] = {"type": "relay", "link": "x", "seq": 1, "ack": 0, "frames": []}


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [],
        "relay",
        {},
        GOOD | {"type": "relay.other"},
        GOOD | {"link": "no name"},
        GOOD | {"link": "x" * 65},
        GOOD | {"link": 1},
        GOOD | {"seq": 0},
        GOOD | {"ack": -1},
        GOOD | {"seq": "1"},
        GOOD | {"frames": "[]"},
        GOOD | {"frames": [1]},
        {"type": "relay.open", "link": "x"},
    ],
)
def test_what_makes_no_sense_is_not_read(wrong: object) -> None:
    assert read_message(GOOD) is not None
    assert read_message(wrong) is None
