"""What is offered where there is no repository, and what has to be confirmed."""

from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, Conflict, InvalidParams, NotFound, RefusedPath
from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.nearby_repositories import (
    Nearby,
    look_around,
    open_confirmed,
    surroundings_shape,
)
from tests.support.repositories import make_repository


async def openable(marked: Path) -> Nearby | None:
    try:
        return Nearby(marked, str((await discover(marked)).root))
    except AcError:
        return None


async def test_what_is_near_is_worded_for_a_page(tmp_path: Path) -> None:
    make_repository(tmp_path / "work/garden")
    make_repository(tmp_path / "work/group/shed")
    assert surroundings_shape(await look_around(tmp_path / "work", openable)) == {
        "folder": str(tmp_path / "work"),
        "above": [],
        "below": [
            {"path": str(tmp_path / "work/garden"), "name": "garden"},
            {"path": str(tmp_path / "work/group/shed"), "name": "group/shed"},
        ],
        "complete": True,
        "refusal": "",
        "plain_refusal": "",
    }


async def test_above_is_what_may_be_opened(tmp_path: Path) -> None:
    outer = make_repository(tmp_path / "outer")
    make_repository(tmp_path / "outer/refused/inner")

    async def not_the_nearest(marked: Path) -> Nearby | None:
        return None if marked.name == "inner" else await openable(marked)

    around = await look_around(tmp_path / "outer/refused/inner/.git/hooks", not_the_nearest)
    assert around.above == (Nearby(outer.root, str(outer.root)),)
    assert "git directory" in around.refusal


async def test_the_home_directory_says_why_it_is_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert "home directory" in (await look_around(tmp_path, openable)).refusal


async def test_the_folder_that_was_confirmed_becomes_a_repository(tmp_path: Path) -> None:
    repository = await open_confirmed(tmp_path, str(tmp_path))
    assert repository.root == tmp_path
    assert (tmp_path / ".git").is_dir()


@pytest.mark.parametrize(
    ("confirmed", "error"),
    [
        (None, InvalidParams),
        ("", InvalidParams),
        (True, Conflict),
        ("yes", Conflict),
        (".", Conflict),
        ("/", Conflict),
        ("inner/", Conflict),
        (["inner"], Conflict),
    ],
)
async def test_without_just_that_folder_nothing_is_made_and_the_remedy_is_named(
    tmp_path: Path, confirmed: object, error: type[AcError]
) -> None:
    folder = tmp_path / "inner"
    folder.mkdir()
    with pytest.raises(error, match="ask the person") as caught:
        await open_confirmed(folder, confirmed)
    assert repr(str(folder)) in str(caught.value)
    assert '"confirm"' in str(caught.value)
    assert not (folder / ".git").exists()


async def test_no_confirmation_makes_the_home_directory_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "link").symlink_to(home)
    monkeypatch.setenv("HOME", str(home))
    for folder in (home, tmp_path / "link", tmp_path):
        with pytest.raises(RefusedPath, match="home directory"):
            await open_confirmed(folder, str(folder))
        with pytest.raises(NotFound):
            await discover(folder)


async def test_the_folder_that_was_confirmed_is_opened_without_a_repository(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path_factory.mktemp("data")))
    with pytest.raises(InvalidParams, match="open without a repository"):
        await open_confirmed(tmp_path, None, with_git=False)
    with pytest.raises(Conflict):
        await open_confirmed(tmp_path, "/", with_git=False)
    opened = await open_confirmed(tmp_path, str(tmp_path), with_git=False)
    assert opened.is_plain_folder
    assert not list(tmp_path.iterdir())
