from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.record_codec import seal
from jupyter_ac.index.graph.state import LoadedIndex
from jupyter_ac.index.navigation.symbol_vocabulary import SymbolVocabulary
from jupyter_ac.index.parsing import parse


class Tree:
    """An index, and the hash of each file's content."""

    def __init__(self) -> None:
        self.view = LoadedIndex()
        self.blobs: dict[RepoPath, str] = {}

    def write(self, name: str, text: str) -> None:
        path = RepoPath(name)
        self.blobs[path] = f"{hash(text) % 2**64:040x}"
        self.view.put(path, self.blobs[path], seal(parse("python", text.encode())))
        self.view.update()

    def remove(self, name: str) -> None:
        del self.blobs[RepoPath(name)]
        self.view.remove(RepoPath(name))
        self.view.update()

    def blob_of(self, path: RepoPath) -> str:
        return self.blobs.get(path, "")


async def test_the_names_are_those_of_all_files_as_they_are() -> None:
    tree = Tree()
    tree.write("a.py", "one = 1\ntwo = 2\n")
    tree.write("b.py", "two = 2\nthree = 3\n")
    vocabulary = SymbolVocabulary(tree.view, tree.blob_of)
    assert await vocabulary.catch_up(5.0)
    assert sorted(vocabulary.names()) == ["one", "three", "two"]
    tree.write("a.py", "four = 4\n")
    assert await vocabulary.catch_up(5.0)
    assert sorted(vocabulary.names()) == ["four", "three", "two"]
    tree.remove("b.py")
    assert await vocabulary.catch_up(5.0)
    assert sorted(vocabulary.names()) == ["four"]


async def test_what_is_not_read_in_time_is_read_the_next_time() -> None:
    tree = Tree()
    for at in range(5):
        tree.write(f"{at}.py", f"name_{at} = 1\n")
    vocabulary = SymbolVocabulary(tree.view, tree.blob_of)
    tries = 1
    while not await vocabulary.catch_up(0.0):
        tries += 1
    assert tries > 1
    assert len(vocabulary.names()) == 5
