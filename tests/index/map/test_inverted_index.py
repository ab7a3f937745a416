import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.inverted_index import Field, InvertedIndex
from jupyter_ac.index.parsing import parse

A, B = RepoPath("pkg/alpha.py"), RepoPath("pkg/\udcff\n.txt")


def word_index() -> InvertedIndex:
    made = InvertedIndex()
    made.put(A, "1", parse("python", b"def parse_line():\n    return parser\n"))
    made.put(B, "2", None)
    return made


def test_words_lead_to_files_by_where_they_stand() -> None:
    made = word_index()
    assert made.find(Field.DEFINED, "pars") == {A: 1}
    assert made.find(Field.USED, "pars")[A] >= 1
    assert made.find(Field.PATH, "alpha") == {A: 1}
    assert set(made.find(Field.FOLDER, "pkg")) == {A, B}
    assert made.find(Field.CORE, "alpha") == {A: 1}
    assert made.find(Field.DEFINED, "nothing") == {}


def test_a_file_that_is_replaced_or_removed_is_not_found_by_its_old_words() -> None:
    made = word_index()
    made.put(A, "3", parse("python", b"def write():\n    pass\n"))
    assert made.find(Field.DEFINED, "pars") == {}
    assert made.blob(A) == "3"
    made.remove(A)
    made.remove(A)
    assert A not in made
    assert list(made) == [B]
    assert made.wasted == 2


def test_what_was_dumped_is_restored() -> None:
    made, again = word_index(), InvertedIndex()
    again.restore(made.dump())
    assert list(again) == [A, B]
    assert again.find(Field.DEFINED, "pars") == {A: 1}
    assert again.blob(B) == "2"
    assert again.size(A) == made.size(A)
    again.put(A, "3", None)
    assert again.find(Field.DEFINED, "pars") == {}


@given(st.binary(max_size=200))
def test_other_bytes_are_refused_and_change_nothing(data: bytes) -> None:
    made = word_index()
    with pytest.raises(ValueError, match="no inverted index"):
        made.restore(data)
    with pytest.raises(ValueError, match="no inverted index"):
        made.restore(made.dump()[: -1 - len(data) % 3])
    assert made.find(Field.DEFINED, "pars") == {A: 1}
