import asyncio
import json
import stat
from pathlib import Path

import pytest

from jupyter_ac.agent import grant_store
from jupyter_ac.agent.grant_store import FILE, MAX_GRANTS, GrantStore, StoredGrants
from jupyter_ac.errors import AcError, NotFound, TooLarge
from jupyter_ac.git.allowed_programs import repository_key
from jupyter_ac.git.repository import Repository

PYTEST = ("pytest", "-q")


def repository(tmp_path: Path, name: str = "r") -> Repository:
    root = tmp_path / name
    (root / ".git").mkdir(parents=True)
    return Repository(root, root / ".git", root / ".git", name)


def prefixes(found: StoredGrants) -> list[tuple[str, ...]]:
    return [grant.prefix for grant in found.grants]


async def test_a_grant_is_kept_for_its_repository_alone(tmp_path: Path) -> None:
    one = GrantStore(tmp_path / "config", repository(tmp_path))
    other = GrantStore(tmp_path / "config", repository(tmp_path, "other"))
    assert await one.read() == StoredGrants()
    await one.add(PYTEST)
    await one.add(["make", "test"])
    await one.add(PYTEST)
    assert prefixes(await one.read()) == [("make", "test"), PYTEST]
    assert all(grant.granted_at.endswith("+00:00") for grant in (await one.read()).grants)
    assert prefixes(await other.read()) == []
    assert stat.S_IMODE((tmp_path / "config" / FILE).stat().st_mode) == 0o600


async def test_nothing_is_written_into_the_repository(tmp_path: Path) -> None:
    found = repository(tmp_path)
    await GrantStore(tmp_path / "config", found).add(PYTEST)
    assert list(found.root.rglob("*")) == [found.git_dir]


async def test_another_repository_at_the_same_place_is_allowed_nothing(tmp_path: Path) -> None:
    found = repository(tmp_path)
    store = GrantStore(tmp_path / "config", found)
    await store.add(PYTEST)
    found.git_dir.rename(found.root / "moved")
    found.git_dir.mkdir()
    assert prefixes(await store.read()) == []


async def test_another_host_sees_what_is_taken_back(tmp_path: Path) -> None:
    found = repository(tmp_path)
    one, other = GrantStore(tmp_path / "c", found), GrantStore(tmp_path / "c", found)
    await one.add(PYTEST)
    assert prefixes(await other.read()) == [PYTEST]
    await other.remove(["pytest", "-q"])
    assert prefixes(await one.read()) == []
    with pytest.raises(NotFound, match="aren't allowed"):
        await one.remove(PYTEST)


async def test_grants_of_many_hosts_at_once_are_all_kept(tmp_path: Path) -> None:
    found = repository(tmp_path)
    wanted = [("make", f"target{at}") for at in range(20)]
    await asyncio.gather(*(GrantStore(tmp_path / "c", found).add(each) for each in wanted))
    assert sorted(prefixes(await GrantStore(tmp_path / "c", found).read())) == sorted(wanted)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"version": 2}', '{"version": 1, "repositories": 3}', "[" * 100_000],
)
async def test_a_broken_file_allows_nothing_and_is_said(tmp_path: Path, text: str) -> None:
    store = GrantStore(tmp_path, repository(tmp_path))
    (tmp_path / FILE).write_text(text)
    found = await store.read()
    assert found.grants == ()
    assert "can't be read" in found.problem
    await store.add(PYTEST)
    assert await store.read() != found
    assert prefixes(await store.read()) == [PYTEST]
    assert (tmp_path / FILE).with_suffix(".unreadable").read_text() == text


@pytest.mark.parametrize(
    "row",
    [
        None,
        {},
        ["pytest", "-q"],
        {"prefix": "pytest -q"},
        {"prefix": []},
        {"prefix": ["pytest"]},
        {"prefix": ["pytest", ""]},
        {"prefix": ["pytest", 3]},
        {"prefix": ["pytest", "-q", None]},
        {"prefix": ["pytest", "a\0b"]},
        {"prefix": ["pytest", "x" * 5000]},
    ],
)
async def test_entries_that_are_not_valid_allow_nothing(tmp_path: Path, row: object) -> None:
    found = repository(tmp_path)
    rows = [row, {"prefix": ["make", "test"], "granted_at": 3}, {"prefix": ["make", "test"]}]
    text = json.dumps({"version": 1, "repositories": {repository_key(found): rows}})
    (tmp_path / FILE).write_text(text)
    stored = await GrantStore(tmp_path, found).read()
    assert [(each.prefix, each.granted_at) for each in stored.grants] == [(("make", "test"), "")]
    assert stored.problem == ""


@pytest.mark.parametrize("prefix", [(), ("pytest",), ("pytest", ""), ("a", "x" * 5000)])
async def test_what_could_allow_too_much_is_not_stored(
    tmp_path: Path, prefix: tuple[str, ...]
) -> None:
    store = GrantStore(tmp_path, repository(tmp_path))
    with pytest.raises(TooLarge, match="at least 2 words"):
        await store.add(prefix)
    assert not (tmp_path / FILE).exists()


async def test_the_grants_of_a_repository_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grant_store, "MAX_GRANTS", 3)
    store = GrantStore(tmp_path, repository(tmp_path))
    for at in range(3):
        await store.add(("make", f"target{at}"))
    with pytest.raises(TooLarge, match="take some back"):
        await store.add(("make", "target3"))
    await store.add(("make", "target0"))
    await store.remove(("make", "target1"))
    await store.add(("make", "target3"))
    assert len(prefixes(await store.read())) == 3
    assert MAX_GRANTS == 200


async def test_a_folder_that_can_not_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = GrantStore(tmp_path / "file" / "config", repository(tmp_path))
    with pytest.raises(AcError, match="Make the configuration folder writable"):
        await store.add(PYTEST)
    assert "can't be read" in (await store.read()).problem


async def test_a_repository_that_is_gone_is_allowed_nothing(tmp_path: Path) -> None:
    found = repository(tmp_path)
    store = GrantStore(tmp_path, found)
    await store.add(PYTEST)
    found.git_dir.rmdir()
    assert prefixes(await store.read()) == []
