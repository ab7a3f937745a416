from jupyter_ac.index.documents.stop_words import STOP_WORDS


def test_stop_words_are_compared_in_lower_case() -> None:
    assert {"the", "which", "because"} <= STOP_WORDS
    assert all(word == word.lower() for word in STOP_WORDS)
