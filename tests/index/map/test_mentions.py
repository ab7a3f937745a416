from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.inverted_index import InvertedIndex
from jupyter_ac.index.map.mentions import mentioned_files
from tests.support.indexed import state_of

FILES = {
    "pkg/alpha.py": "def grow_tree():\n    pass\n\n\ndef run():\n    pass\n",
    "pkg/beta.py": "class SeedBed:\n    pass\n",
    "gamma.txt": "",
}


def mentioned(question: str) -> set[RepoPath]:
    state, library = state_of(FILES), InvertedIndex()
    for path in state.paths():
        library.put(path, "", state.record(path))
    return mentioned_files(state, library, question)


def test_a_path_or_a_name_of_a_file_mentions_it() -> None:
    assert mentioned("look at `pkg/alpha.py`, please") == {"pkg/alpha.py"}
    assert mentioned("what is in gamma.txt?") == {"gamma.txt"}


def test_a_symbol_mentions_the_file_that_defines_it() -> None:
    assert mentioned("does grow_tree() call SeedBed?") == {"pkg/alpha.py", "pkg/beta.py"}


def test_plain_words_mention_nothing() -> None:
    assert mentioned("run it and see") == set()
    assert mentioned("") == set()
