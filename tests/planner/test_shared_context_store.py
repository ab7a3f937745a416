import asyncio
import hashlib
import sqlite3
from pathlib import Path

import pytest

from jupyter_ac.errors import InvalidParams
from jupyter_ac.git.repository import discover
from jupyter_ac.ids import Identity
from jupyter_ac.planner.shared_context import ContextUpdate
from jupyter_ac.planner.shared_context_store import SharedContextStore
from tests.support.plans import plans_in
from tests.support.repositories import make_repository

ADA, BOB = Identity("ada"), Identity("bob")


async def store_in(folder: Path, key: bytes = b"k" * 32) -> SharedContextStore:
    root = folder / "r"
    if not root.exists():
        make_repository(root, {"a.py": "x\n", "b.py": "y\n"})
    return SharedContextStore(plans_in(folder, key), await discover(root))


async def test_a_context_is_kept_for_each_person(tmp_path: Path) -> None:
    store = await store_in(tmp_path)
    await store.update(ADA, ContextUpdate("add", "state", {"a": [1]}))
    await store.update(ADA, ContextUpdate("add", "file", {"./a.py": ""}))
    await store._database.aclose()
    again = await store_in(tmp_path)
    found = await again.get(ADA)
    assert (found.version, found.state) == (2, {"a": [1]})
    assert found.files == {"a.py": hashlib.sha256(b"x\n").hexdigest()}
    assert (await again.get(BOB)).version == 0
    await again._database.aclose()


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "gone.py", ".git/config", "a\0"])
async def test_paths_outside_are_refused(tmp_path: Path, path: str) -> None:
    store = await store_in(tmp_path)
    with pytest.raises(InvalidParams) as raised:
        await store.update(ADA, ContextUpdate("add", "file", {path: ""}))
    assert raised.value.details["path"] == "$.data.path"
    await store._database.aclose()


async def test_a_hash_must_be_the_files(tmp_path: Path) -> None:
    store = await store_in(tmp_path)
    with pytest.raises(InvalidParams, match="hash"):
        await store.update(ADA, ContextUpdate("add", "file", {"a.py": "0" * 64}))
    right = hashlib.sha256(b"x\n").hexdigest()
    await store.update(ADA, ContextUpdate("add", "file", {"a.py": right}))
    (tmp_path / "r" / "a.py").unlink()
    _, after = await store.update(ADA, ContextUpdate("remove", "file", {"a.py": ""}))
    assert after.files == {}
    await store._database.aclose()


async def test_changes_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    one, other = await store_in(tmp_path), await store_in(tmp_path)
    await one.get(ADA)
    await asyncio.gather(
        *(
            store.update(ADA, ContextUpdate("add", "state", {f"{name}{number}": number}))
            for name, store in (("a", one), ("b", other))
            for number in range(10)
        )
    )
    found = await one.get(ADA)
    assert (found.version, len(found.state)) == (20, 20)
    await one._database.aclose()
    await other._database.aclose()


async def test_a_context_of_somebody_else_is_not_read(tmp_path: Path) -> None:
    store = await store_in(tmp_path)
    await store.update(ADA, ContextUpdate("add", "state", {"a": 1}))
    await store._database.aclose()
    stranger = await store_in(tmp_path, b"o" * 32)
    assert (await stranger.get(ADA)).version == 0
    await stranger._database.aclose()
    with sqlite3.connect(tmp_path / "plans.sqlite") as db:
        db.execute("UPDATE planner_contexts SET version = 7")
    changed = await store_in(tmp_path)
    assert (await changed.get(ADA)).version == 0
    await changed._database.aclose()
