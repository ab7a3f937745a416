import asyncio
from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.rpc.codec import decode, encode
from jupyter_ac.services.repo.tree import TreePart
from tests.support.repositories import make_repository


async def test_the_tree_goes_over_the_wire_whole(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"d/a": "x\n", "l\udce9": "x\n"})
    part = TreePart(await discover(folder.root))
    tree = await part.get_file_tree()
    assert decode(encode(tree)) == tree
    assert await part.get_flat_file_list() == "d/a\nl\udce9"


async def test_pages_that_reload_at_once_get_the_same_tree(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    part = TreePart(await discover(folder.root))
    trees = await asyncio.gather(*(part.get_file_tree() for _ in range(5)))
    assert all(tree == trees[0] for tree in trees)


async def test_a_change_is_in_the_next_tree(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    part = TreePart(await discover(folder.root))
    await part.get_file_tree()
    folder.write("a", "x\ny\n")
    tree = await part.get_file_tree()
    assert tree["modified"] == ["a"]
    assert tree["tree"]["children"][0]["lines"] == 2
