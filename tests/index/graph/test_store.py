"""The records of files."""

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.encoding import encode
from jupyter_ac.index.graph.store import Store, Stored, pack
from jupyter_ac.index.records import FileRecord

A, B = RepoPath("a"), RepoPath("b")


def test_a_record_comes_back_as_it_was() -> None:
    store, record = Store(), FileRecord("python", words=("one",))
    store.put(A, Stored("1", pack(encode(record))))
    assert store.record(A) == record
    store.put(A, Stored("2", pack(encode(record._replace(note="odd")))))
    assert store.record(A) == record._replace(note="odd")
    store.remove(A)
    assert store.record(A) is None


def test_a_file_without_a_language_has_no_record() -> None:
    store = Store()
    store.put(A, Stored("1", b""))
    assert store.record(A) is None


def test_the_generation_names_the_content_whatever_the_order() -> None:
    one, other = Store(), Store()
    for path, blob in ((A, "1"), (B, "2")):
        one.put(path, Stored(blob, b""))
    for path, blob in ((B, "2"), (A, "0"), (A, "1")):
        other.put(path, Stored(blob, b""))
    assert one.generation == other.generation
    other.put(A, Stored("2", b""))
    assert one.generation != other.generation
    other.put(A, Stored("1", b""))
    assert one.generation == other.generation
