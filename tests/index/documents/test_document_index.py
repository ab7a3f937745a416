import asyncio

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.document_index import DocumentIndex
from jupyter_ac.index.view import Definition
from tests.support.document_tree import DocumentTree

TEXTS = {"README.md": "# A\n[b](b.md) `Keeper`\n", "b.md": "# B\n", "x.py": ""}


def test_the_graph_is_made_once_for_each_content_of_the_tree() -> None:
    async def story() -> None:
        tree = DocumentTree(TEXTS)
        documents = DocumentIndex(tree)
        assert documents.generation == ""
        first = await documents.graph()
        assert first is await documents.graph()
        assert first.targets(RepoPath("README.md")) == {"b.md": 1}
        assert documents.generation == tree.generation
        tree.texts[RepoPath("b.md")] = "# B\n[a](README.md)\n"
        second = await documents.graph()
        assert second.targets(RepoPath("b.md")) == {"README.md": 1}

    asyncio.run(story())


def test_a_change_of_code_alone_makes_no_other_graph() -> None:
    async def story() -> None:
        tree = DocumentTree(TEXTS)
        documents = DocumentIndex(tree)
        first = await documents.graph()
        tree.texts[RepoPath("x.py")] = "changed"
        assert first is await documents.graph()
        assert documents.generation == tree.generation
        tree.texts[RepoPath("y.py")] = "new"
        assert first is not await documents.graph()

    asyncio.run(story())


def test_only_changed_documents_are_decoded_again() -> None:
    async def story() -> None:
        tree = DocumentTree(TEXTS)
        documents = DocumentIndex(tree)
        await documents.graph()
        assert tree.decoded == ["README.md", "b.md"]
        tree.decoded.clear()
        tree.texts[RepoPath("b.md")] += "more"
        tree.texts[RepoPath("c.md")] = "new"
        del tree.texts[RepoPath("README.md")]
        await documents.graph()
        assert tree.decoded == ["b.md", "c.md"]
        assert sorted((await documents.graph()).outlines) == ["b.md", "c.md"]

    asyncio.run(story())


def test_a_tree_that_changes_meanwhile_is_read_again() -> None:
    async def story() -> None:
        tree = DocumentTree({f"{at}.md": f"# {at}\n" for at in range(500)})
        documents = DocumentIndex(tree)

        async def change() -> None:
            await asyncio.sleep(0)
            tree.texts[RepoPath("new.md")] = "# New\n"

        graph, _ = await asyncio.gather(documents.graph(), change())
        assert documents.generation in {"", tree.generation} or "new.md" not in graph.outlines
        assert "new.md" in (await documents.graph()).outlines

    asyncio.run(story())


def test_what_documents_say_about_code_follows_the_graph() -> None:
    async def story() -> None:
        tree = DocumentTree(TEXTS, {"x.py": ["Keeper"]})
        documents = DocumentIndex(tree)
        code = await documents.code()
        assert code is await documents.code()
        keeper = Definition(RepoPath("x.py"), 0)
        assert documents.mentions(keeper) == code.mentions(keeper) != ()
        assert [one.path for one in code.mentions(Definition(RepoPath("x.py"), 0))] == ["README.md"]
        tree.texts[RepoPath("README.md")] = "# A\n"
        assert documents.mentions(keeper) == ()
        assert (await documents.code()).mentions(Definition(RepoPath("x.py"), 0)) == ()
        tree.texts[RepoPath("y.py")] = "other code may give names another meaning"
        assert (await documents.code()) is not code

    asyncio.run(story())
