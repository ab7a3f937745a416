"""Records and facts as one piece of bytes."""

import pytest

from jupyter_ac.index.graph.extract_facts import gather
from jupyter_ac.index.graph.facts import Facts
from jupyter_ac.index.graph.record_codec import Digest, is_sealed, seal
from jupyter_ac.index.parsing import parse
from jupyter_ac.index.records import FileRecord

SOURCE = b"""
from . import helper
import os.path as p
class Child(helper.Parent, Other):
    def go(self):
        self.go(p.join("a"))
"""


def told(facts: Facts) -> dict[str, object]:
    return {name: getattr(facts, name) for name in Facts.__slots__ if not name.startswith("_")}


@pytest.mark.parametrize("source", [SOURCE, b"", b"x = 1\n"])
def test_facts_come_back_as_they_were(source: bytes) -> None:
    record = parse("python", source)._replace(note="odd")
    facts, keys = gather(record)
    digest = Digest(seal(record))
    assert told(digest.facts("a.py")) == told(facts)
    assert digest.names == facts.names
    assert set(digest.keys) == keys
    assert digest.imports == facts.imports
    assert digest.note == "odd"
    assert digest.is_placed == (source == SOURCE)


def test_equal_records_give_equal_bytes() -> None:
    assert seal(parse("python", SOURCE)) == seal(parse("python", SOURCE))


@pytest.mark.parametrize("data", [b"", b"not sealed", bytes(200), seal(FileRecord("c"))[:30]])
def test_other_bytes_are_refused(data: bytes) -> None:
    assert not is_sealed(data)
