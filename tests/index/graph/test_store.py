"""The records of files."""

from jupyter_ac.index.graph.record_codec import Digest, seal
from jupyter_ac.index.graph.store import Store
from jupyter_ac.index.records import FileRecord, Use


def put(store: Store, slot: int, path: str, blob: str, record: FileRecord | None = None) -> None:
    sealed = seal(record) if record else b""
    store.put(slot, path, blob, sealed, Digest(sealed) if sealed else None)


def test_a_record_comes_back_as_it_was() -> None:
    store, record = Store(), FileRecord("python", words=("one",))
    put(store, 0, "a", "1", record)
    assert store.record(0) == record
    put(store, 0, "a", "2", record._replace(note="odd"))
    assert store.record(0) == record._replace(note="odd")
    store.remove(0, "a")
    assert store.record(0) is None
    assert store.digest(0) is None


def test_a_record_is_read_without_its_uses() -> None:
    store, record = Store(), FileRecord("python", words=("one",), uses=(Use("f", "", 1, 2, 3),))
    put(store, 0, "a", "1", record)
    assert store.record_without_uses(0) == record._replace(uses=())
    assert store.record(0) == record
    put(store, 1, "b", "1")
    assert store.record_without_uses(1) is None


def test_a_file_without_a_language_has_no_record() -> None:
    store = Store()
    put(store, 0, "a", "1")
    assert store.record(0) is None
    assert store.blobs == ["1"]


def test_the_generation_names_the_content_whatever_the_order() -> None:
    one, other = Store(), Store()
    for slot, (path, blob) in enumerate([("a", "1"), ("b", "2")]):
        put(one, slot, path, blob)
    for slot, path, blob in ((0, "b", "2"), (1, "a", "0"), (1, "a", "1")):
        put(other, slot, path, blob)
    assert one.generation == other.generation
    put(other, 1, "a", "2")
    assert one.generation != other.generation
    put(other, 1, "a", "1")
    assert one.generation == other.generation
