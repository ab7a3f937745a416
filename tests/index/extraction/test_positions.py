from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.index.extraction.positions import ParsedText


@given(line=st.text(st.characters(exclude_characters="\n", codec="utf-8")), data=st.data())
def test_a_column_counts_what_editors_count(line: str, data: st.DataObject) -> None:
    end = data.draw(st.integers(0, len(line)))
    source = ParsedText.of(f"first\n{line}\n".encode())
    column = source.column(1, len(line[:end].encode()))
    assert column == len(line[:end].encode("utf-16-le")) // 2


@given(text=st.text(st.characters(codec="utf-8")), data=st.data())
def test_a_text_is_cut_at_bytes(text: str, data: st.DataObject) -> None:
    encoded = text.encode()
    start = data.draw(st.integers(0, len(encoded)))
    end = data.draw(st.integers(start, len(encoded)))
    assert ParsedText.of(encoded).between(start, end) == encoded[start:end].decode(
        "utf-8", "ignore"
    )
