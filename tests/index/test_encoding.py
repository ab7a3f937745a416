import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.index.encoding import decode, encode
from jupyter_ac.index.records import DocumentLink, FileRecord, Heading, Import, Outline, Symbol, Use

names = st.text(max_size=8)
numbers = st.integers(-1, 100_000)
texts = st.lists(names, max_size=3).map(tuple)
symbols = st.builds(
    Symbol,
    names,
    st.sampled_from(["class", "key"]),
    numbers,
    numbers,
    numbers,
    numbers,
    numbers,
    names,
    names,
    texts,
)
imports = st.builds(
    Import, names, st.lists(st.tuples(names, names), max_size=2).map(tuple), names, numbers, numbers
)
uses = st.builds(Use, names, names, numbers, numbers, numbers)
headings = st.builds(Heading, names, numbers, numbers, numbers, names, texts)
links = st.builds(DocumentLink, names, st.booleans(), numbers, numbers)
outlines = st.builds(
    Outline, st.lists(headings, max_size=3).map(tuple), st.lists(links, max_size=3).map(tuple)
)
records = st.builds(
    FileRecord,
    names,
    st.lists(symbols, max_size=3).map(tuple),
    st.lists(imports, max_size=3).map(tuple),
    st.lists(uses, max_size=4).map(tuple),
    texts,
    st.none() | outlines,
    names,
)


@given(record=records)
def test_what_was_written_is_read_again(record: FileRecord) -> None:
    data = encode(record)
    assert decode(data) == record
    assert encode(decode(data)) == data
    assert decode(data, with_uses=False) == record._replace(uses=())


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"[]", b"[1,2,3,4,5,6,7,8]", b"\xff", orjson.dumps(["a"] * 8)],
)
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="no record"):
        decode(data)
