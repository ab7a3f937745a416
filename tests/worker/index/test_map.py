from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.index.client import IndexClient
from tests.support.repositories import RepositoryFolder, make_repository

FILES: dict[str, str | bytes] = {
    "src/store.py": "def read_page(n):\n    pass\n",
    "src/shop.py": "from store import read_page\n\n\ndef sell():\n    read_page(1)\n",
    **{f"src/part{at}.py": f"def part_{at}(): ...\n" for at in range(60)},
}


@pytest.fixture
def made(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "r", FILES)


@asynccontextmanager
async def opened(made: RepositoryFolder, cache: Path) -> AsyncIterator[IndexClient]:
    client = IndexClient(made.root, cache)
    try:
        assert await client.ready(60.0)
        yield client
    finally:
        await client.aclose()


def shown(**texts: str) -> dict[str, list[str]]:
    return {name: list(filter(None, [texts.get(name)])) for name in ("maps", "ranked", "files")}


async def drawn(client: IndexClient, name: str, *args: object) -> tuple[str, int]:
    found = await client.call(f"Index.{name}", *args, timeout_s=60.0)
    assert isinstance(found, dict)
    assert set(found) == {"text", "tokens", "files", "generation"}
    assert found["generation"] == client.status.generation
    return found["text"], found["tokens"]


async def test_what_is_asked_never_disturbs_the_stable_part(
    made: RepositoryFolder, tmp_path: Path
) -> None:
    async with opened(made, tmp_path / "cache") as client:
        before = await drawn(client, "stable_map", 400)
        await drawn(client, "whole_map", ["src/shop.py"], "sell pages", 400)
        made.git("commit", "-q", "--allow-empty", "-m", "a commit is no change of the tree")
        await client.refresh()
        assert await drawn(client, "stable_map", 400) == before
        assert await drawn(client, "whole_map", [], " ", 400) == before
    async with opened(made, tmp_path / "another cache") as other:
        assert await drawn(other, "stable_map", 400) == before


async def test_the_whole_map_is_ranked_and_counted_by_cl100k_base(
    made: RepositoryFolder, tmp_path: Path
) -> None:
    async with opened(made, tmp_path / "cache") as client:
        text, tokens = await drawn(client, "whole_map", [], "part_7 and src/part8.py", 100)
        assert 30 < tokens <= 100
        assert len(text) / 6 < tokens < len(text)
        assert "part7.py: part_7" in text
        assert "part8.py: part_8" in text
        for budget in (-1, 0, 63, 200_001):
            with pytest.raises(RemoteError, match="Invalid params"):
                await client.call("Index.stable_map", budget, timeout_s=60.0)


async def test_the_ranked_part_has_what_the_prompt_lacks(
    made: RepositoryFolder, tmp_path: Path
) -> None:
    async with opened(made, tmp_path / "cache") as client:
        stable, _ = await drawn(client, "stable_map", 2000)
        await drawn(client, "whole_map", [], "ready when this has answered", 64)
        text, _ = await drawn(
            client, "ranked_map", ["src/store.py"], "sell", ["page"], 200, shown()
        )
        assert "shop.py: sell" in text
        assert "store.py" not in text
        alone, _ = await drawn(client, "ranked_map", ["src/store.py"], "sell", [], 2000, shown())
        assert "part59.py" in alone
        nothing = "", 0
        asked: tuple[object, ...] = ["src/store.py"], "sell", [], 2000
        assert await drawn(client, "ranked_map", *asked, shown(ranked=alone)) == nothing
        assert await drawn(client, "ranked_map", *asked, shown(maps=stable)) == nothing


async def test_a_changed_file_gives_its_new_names_only(
    made: RepositoryFolder, tmp_path: Path
) -> None:
    async with opened(made, tmp_path / "cache") as client:
        await drawn(client, "whole_map", [], "ready when this has answered", 64)
        asked: tuple[object, ...] = ["src/store.py"], "sell", [], 2000
        before, _ = await drawn(client, "ranked_map", *asked, shown())
        shop = made.root / "src/shop.py"
        shop.write_text(shop.read_text() + "\n\ndef buy():\n    pass\n")
        await client.refresh()
        again, _ = await drawn(client, "ranked_map", *asked, shown(ranked=before))
        assert again == "src/\n shop.py: buy()\n"
        blob = made.git("hash-object", "src/shop.py").strip()
        whole = shown(ranked=before, files=f"{blob} src/shop.py")
        assert await drawn(client, "ranked_map", *asked, whole) == ("", 0)
