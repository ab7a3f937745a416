from jupyter_ac.browser.request_store import RecordLimits, RequestStore
from jupyter_ac.browser.row_ids import RowIds


def test_the_oldest_goes_and_with_it_its_request_id() -> None:
    store = RequestStore(RowIds(), RecordLimits(2, 10**9))
    for name in "abc":
        store.add(name, "", "")
    assert [record.request_id for record in store] == ["b", "c"]
    assert store.current("a") is None
    assert store.dropped == 1


def test_what_is_held_goes_only_when_there_is_nothing_else() -> None:
    store = RequestStore(RowIds(), RecordLimits(2, 10**9))
    for name in "abcd":
        store.add(name, "", "").pause_stage = "Request"
    assert [record.request_id for record in store] == ["c", "d"]


def test_one_record_stays_however_heavy_it_is() -> None:
    store = RequestStore(RowIds(), RecordLimits(10, 100))
    for name in "ab":
        record = store.add(name, "", "")
        record.url = "u" * 1000
        store.changed(record)
    assert [record.request_id for record in store] == ["b"]


def test_a_chain_is_given_from_its_first_and_is_bounded() -> None:
    store = RequestStore(RowIds(), RecordLimits(100, 10**9))
    before = None
    for _ in range(5):
        record = store.add("a", "", "")
        record.redirected_from = before
        before = record.id
    assert [record.id for record in store.chain("a", 10)] == [1, 2, 3, 4, 5]
    assert [record.id for record in store.chain("a", 2)] == [4, 5]
    assert store.chain("b", 2) == []


def test_an_error_counts_once() -> None:
    store = RequestStore(RowIds(), RecordLimits(10, 10**9))
    record = store.add("a", "", "")
    record.ended_as = "failed"
    store.changed(record)
    store.changed(record)
    assert (store.outcomes, record.outcome) == (1, 1)
