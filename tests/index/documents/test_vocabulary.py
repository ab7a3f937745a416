import asyncio
import zlib
from collections.abc import Iterable, Mapping

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.markdown import markdown_outline
from jupyter_ac.index.documents.terms import encode_terms, terms_of
from jupyter_ac.index.documents.vocabulary import DocumentVocabulary
from jupyter_ac.index.indexing.cache import Key

TEXT = "# A\nThe rudder and the keel, the rudder and the keel of this boat\n"
OUTLINE = markdown_outline(TEXT)
DATA = encode_terms(terms_of(TEXT, OUTLINE.headings))


def _blobs(**hashes: str) -> dict[RepoPath, str]:
    return {RepoPath(f"{name}.md"): blob for name, blob in hashes.items()}


class MemoryCache:
    def __init__(self) -> None:
        self.entries: dict[Key, bytes] = {}

    async def read(self, keys: Iterable[Key], /) -> dict[Key, bytes]:
        return {key: self.entries[key] for key in keys if key in self.entries}

    async def write(self, entries: Mapping[Key, bytes], /) -> None:
        self.entries.update(entries)


def test_words_that_were_saved_are_recalled_by_content() -> None:
    async def scene() -> None:
        cache = MemoryCache()
        await DocumentVocabulary(cache).save({"blob": DATA})
        other = DocumentVocabulary(cache)
        blobs = _blobs(a="blob", copy="blob", b="else")
        await other.recall(list(blobs), blobs)
        assert other.missing(blobs) == ["b.md"]
        assert other.keywords(RepoPath("a.md"), OUTLINE) == (("rudder", "keel", "boat"),)
        assert other.keywords(RepoPath("b.md"), OUTLINE) == ()

    asyncio.run(scene())


def test_damaged_entries_are_nothing() -> None:
    async def scene() -> None:
        cache = MemoryCache()
        await DocumentVocabulary(cache).save({"blob": b"no such thing"})
        await DocumentVocabulary(cache).recall([RepoPath("a.md")], _blobs(a="blob"))
        for damaged in (
            b"",
            b"{}",
            b"[1]",
            b"[[1,2]]",
            b'[[1,2,[["a"]],[]]]',
            b"7",
            b"[[1,1,3,4]]",
        ):
            await DocumentVocabulary(cache).save({"blob": zlib.compress(damaged)})
            other = DocumentVocabulary(cache)
            await other.recall([RepoPath("a.md")], _blobs(a="blob"))
            assert other.keywords(RepoPath("a.md"), OUTLINE) == ()

    asyncio.run(scene())


def test_documents_that_are_gone_no_longer_weigh() -> None:
    vocabulary = DocumentVocabulary(MemoryCache())
    vocabulary.take(RepoPath("a.md"), "1", DATA)
    vocabulary.take(RepoPath("b.md"), "2", DATA)
    assert vocabulary.has_more_than(_blobs(a="1"))
    vocabulary.keep_only(_blobs(a="1"))
    assert not vocabulary.has_more_than(_blobs(a="1"))
    alone = DocumentVocabulary(MemoryCache())
    alone.take(RepoPath("a.md"), "1", DATA)
    assert vocabulary.keywords(RepoPath("a.md"), OUTLINE) == alone.keywords(
        RepoPath("a.md"), OUTLINE
    )
    vocabulary.drop(RepoPath("a.md"))
    vocabulary.drop(RepoPath("a.md"))
    assert vocabulary.missing(_blobs(a="1")) == ["a.md"]
