"""Whoever follows a feed has its state, whatever was missed, in whichever order things happen."""

import json
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.services.state_feed.feed import (
    CHANGES_OF_ONE,
    FeedCursor,
    StateFeed,
    canonical_json,
    content_hash,
    first_revision,
)

LARGEST_EXACT = 2**53
NAMES = ("page", "error", "workspace")

values = st.one_of(
    st.none(), st.integers(0, 3), st.text(max_size=4), st.lists(st.text(max_size=3), max_size=3)
)
states = st.fixed_dictionaries(dict.fromkeys(NAMES, values))


def data_of(frame: bytes) -> dict[str, object]:
    *fields, data, last, end = frame.decode("ascii").split("\n")
    assert fields[0].startswith("id: ")
    assert (len(fields), last, end) == (1, "", "")
    found = json.loads(data.removeprefix("data: "))
    assert isinstance(found, dict)
    assert f"id: {found['revision']}" == fields[0]
    return found


@dataclass
class Client:
    """As a browser's: it keeps what came, also across connections."""

    deltas: bool
    cursor: FeedCursor
    last_id: str = ""
    state: dict[str, object] = field(default_factory=dict)
    frames: int = 0

    def read(self) -> None:
        frame = self.cursor.take()
        if frame is None:
            return
        data = data_of(frame)
        self.frames += 1
        self.last_id = str(data.pop("revision"))
        if data.pop("delta", False):
            assert self.deltas
            self.state |= data
        else:
            self.state = data

    def connect(self, feed: StateFeed) -> None:
        self.cursor = FeedCursor(feed, deltas=self.deltas, last_event_id=self.last_id)


steps = st.one_of(
    st.tuples(st.just("change"), states),
    st.tuples(st.just("read"), st.integers(0, 3)),
    st.tuples(st.just("reconnect"), st.integers(0, 3)),
    st.tuples(st.just("restart"), states),
)


@given(states, st.lists(steps, max_size=40))
def test_every_client_ends_with_the_state_of_the_feed(
    first: dict[str, object], happens: list[tuple[str, object]]
) -> None:
    state, feed = first, StateFeed(first)
    clients = [Client(n % 2 == 0, FeedCursor(feed, deltas=n % 2 == 0)) for n in range(4)]
    for what, detail in happens:
        if isinstance(detail, dict) and what == "change":
            assert feed.update(detail) is (detail != state)
            state = detail
        elif isinstance(detail, dict):
            state, feed = detail, StateFeed(detail)
            for client in clients:
                client.connect(feed)
        elif isinstance(detail, int) and what == "read":
            clients[detail].read()
        elif isinstance(detail, int):
            clients[detail].connect(feed)
    for client in clients:
        client.read()
        assert client.state == state
        assert client.cursor.take() is None


@given(states, st.lists(states, max_size=8), st.data())
def test_a_difference_names_what_has_changed_since_and_nothing_else(
    first: dict[str, object], later: list[dict[str, object]], data: st.DataObject
) -> None:
    feed = StateFeed(first)
    seen = {feed.revision: first}
    changed_after: dict[int, set[str]] = {feed.revision: set()}
    before = first
    for state in later:
        if feed.update(state):
            changed = {name for name in NAMES if state[name] != before[name]}
            for names in changed_after.values():
                names.update(changed)
            changed_after[feed.revision] = set()
            seen[feed.revision], before = state, state
    since = data.draw(st.sampled_from(sorted(seen)))
    found = data_of(feed.frame(feed.recognise(str(since))))
    assert found.pop("revision") == feed.revision
    assert found.pop("delta") is True
    assert set(found) == changed_after[since]
    assert seen[since] | found == before


def test_a_whole_state_client_gets_it_at_once_whatever_it_has_seen() -> None:
    feed = StateFeed({"page": 1})
    cursor = FeedCursor(feed, deltas=False, last_event_id=str(feed.revision))
    frame = cursor.take()
    assert frame is not None
    assert data_of(frame) == {"revision": feed.revision, "page": 1}


def test_a_client_that_has_seen_the_newest_gets_nothing() -> None:
    feed = StateFeed({"page": 1})
    assert FeedCursor(feed, deltas=True, last_event_id=str(feed.revision)).take() is None


@pytest.mark.parametrize(
    "strange",
    ["", "0", "-1", "x", "1.0", " 1", "+1", "٣", "9" * 400, "16000000", "14999999", "15000002"],
)
def test_an_id_of_another_feed_or_none_means_the_whole_state(strange: str) -> None:
    feed = StateFeed({"page": 1}, start=15_000_000)
    feed.update({"page": 2})
    assert feed.recognise("15000000") == 15_000_000
    assert feed.recognise("15000001") == 15_000_001
    assert feed.recognise(strange) is None
    frame = FeedCursor(feed, deltas=True, last_event_id=strange).take()
    assert frame == feed.frame()


def test_revisions_are_exact_in_a_browser_and_count_changes_in_their_last_digits() -> None:
    first = first_revision()
    assert 0 < first < LARGEST_EXACT - CHANGES_OF_ONE
    assert first % CHANGES_OF_ONE == 0
    assert len({first_revision() for _ in range(50)}) == 50
    feed = StateFeed({"page": 1})
    feed.update({"page": 2})
    assert feed.revision % CHANGES_OF_ONE == 1


def test_one_frame_serves_all_clients_of_a_revision() -> None:
    feed = StateFeed({"page": 1})
    first = feed.revision
    assert feed.frame() is feed.frame()
    feed.update({"page": 2})
    assert feed.frame(first) is feed.frame(first)


def test_strange_ids_in_any_number_fill_no_memory() -> None:
    feed = StateFeed({"page": 0})
    first = feed.revision
    for number in range(1, 200):
        feed.update({"page": number})
    frames = [feed.frame(revision) for revision in range(first, feed.revision)]
    assert {data_of(frame)["page"] for frame in frames} == {199}
    assert feed.frame(feed.revision - 1) is not feed.frame(feed.revision - 1)


def test_a_frame_is_one_line_of_ascii_whatever_names_files_have() -> None:
    feed = StateFeed({"files": ["a\nb", "c\r", "ü", "\udcff", "\u2028"]})
    assert data_of(feed.frame())["files"] == ["a\nb", "c\r", "ü", "\udcff", "\u2028"]


def test_equal_values_have_equal_hashes_of_16_digits() -> None:
    assert canonical_json({"b": 1, "a": [True, None]}) == '{"a":[true,null],"b":1}'
    assert content_hash({"b": 1, "a": 2}) == content_hash({"a": 2, "b": 1})
    # printf '{}' | md5sum
    assert content_hash({}) == "99914b932bd37a50"
    assert content_hash({"a": 1}) != content_hash({"a": 2})
