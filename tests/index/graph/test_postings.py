"""Which files hold a key."""

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.index.graph.keys import key_of
from jupyter_ac.index.graph.postings import Postings

pairs = st.sets(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 1 << 20)), max_size=60)


@given(pairs, pairs)
def test_what_was_added_and_not_discarded_is_there(
    added: set[tuple[str, int]], gone: set[tuple[str, int]]
) -> None:
    postings = Postings()
    for word, value in added:
        postings.add([key_of(word)], value)
    for word, value in gone:
        postings.discard([key_of(word)], value)
    for word in "abcdefgh":
        assert set(postings.of(key_of(word))) == {v for w, v in added - gone if w == word}


def test_rows_become_more_with_what_they_hold() -> None:
    postings = Postings()
    keys = [key_of(f"word{number}") for number in range(3000)]
    for value in range(60):
        postings.add(keys, value)
    assert len(postings._rows) > 1 << 11
    assert all(sorted(postings.of(key)) == list(range(60)) for key in keys[:50])


def test_a_key_of_nearly_all_files_has_a_row_of_its_own() -> None:
    postings = Postings()
    for value in range(3000):
        postings.add([7 << 24], value)
    assert sorted(postings.of(7 << 24)) == list(range(3000))
    assert postings._own
    postings.add([7 << 24], 3000)
    postings.discard([7 << 24], 5)
    assert set(postings.of(7 << 24)) == set(range(3001)) - {5}
    copy = Postings.of_parts(postings.parts(100))
    assert sorted(copy.of(7 << 24)) == sorted(postings.of(7 << 24))
