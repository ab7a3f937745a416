import errno
import stat
from pathlib import Path

import pytest

from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.images import QuestionImage, image_of
from jupyter_ac.errors import Busy, NotFound, RefusedPath, TooLarge
from tests.support.pictures import GIF, png

PNG = image_of(png(), "a")


async def test_an_image_is_kept_once_for_its_owner_only(tmp_path: Path) -> None:
    folder = ImageFolder(tmp_path)
    await folder.put(PNG)
    file = tmp_path / "images" / PNG.name
    first = file.stat()
    await folder.put(PNG)
    assert file.stat().st_ino == first.st_ino
    assert stat.S_IMODE(first.st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert [path.name for path in file.parent.iterdir()] == [PNG.name]
    assert await folder.get(PNG.name) == PNG
    assert await folder.find([PNG.name]) == [file]


@pytest.mark.parametrize(
    "name", ["", "a.png", "../history.sqlite", f"{'0' * 64}.png", f"{'0' * 64}.svg", "0" * 500]
)
async def test_an_image_that_is_not_there_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotFound, match="is not kept here; send it with put_image"):
        await ImageFolder(tmp_path).get(name)
    assert await ImageFolder(tmp_path).find([name]) == [None]


async def test_a_file_that_is_not_what_its_name_says_is_missing_and_mended(
    tmp_path: Path,
) -> None:
    folder = ImageFolder(tmp_path)
    await folder.put(PNG)
    file = tmp_path / "images" / PNG.name
    for damage in (b"", png()[:-1], png(colour=9), GIF, b"text"):
        file.write_bytes(damage)
        assert await folder.find([PNG.name]) == [None]
    await folder.put(PNG)
    assert await folder.get(PNG.name) == PNG


async def test_a_link_in_the_state_folder_is_not_followed(tmp_path: Path) -> None:
    folder = ImageFolder(tmp_path)
    (tmp_path / "elsewhere").write_bytes(PNG.data)
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / PNG.name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotFound):
        await folder.get(PNG.name)
    await folder.put(PNG)
    assert not (tmp_path / "images" / PNG.name).is_symlink()


async def test_a_disk_that_refuses_is_said_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(TooLarge, match="The image couldn't be written: the disk is full"):
        await ImageFolder(tmp_path).put(QuestionImage(PNG.name, PNG.data))
    assert list((tmp_path / "images").iterdir()) == []


@pytest.mark.parametrize("what", ["link", "file"])
async def test_what_takes_the_place_of_the_folder_is_said(tmp_path: Path, what: str) -> None:
    place, elsewhere = tmp_path / "images", tmp_path / "elsewhere"
    elsewhere.mkdir()
    if what == "link":
        place.symlink_to(elsewhere)
    else:
        place.write_text("in the way")
    with pytest.raises(RefusedPath, match="'images' is behind a link, or is no folder"):
        await ImageFolder(tmp_path).put(PNG)
    assert list(elsewhere.iterdir()) == []
    place.unlink()
    await ImageFolder(tmp_path).put(PNG)


async def test_an_image_that_can_not_be_read_for_now_is_not_said_to_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(*_: object) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    folder = ImageFolder(tmp_path)
    await folder.put(PNG)
    with monkeypatch.context() as limited:
        limited.setattr("os.open", exhausted)
        with pytest.raises(Busy, match="too many files are open"):
            await folder.get(PNG.name)
        with pytest.raises(Busy):
            await folder.find([PNG.name])
    assert await folder.get(PNG.name) == PNG


async def test_images_are_removed_and_nothing_else_is(tmp_path: Path) -> None:
    folder = ImageFolder(tmp_path)
    await folder.remove([PNG.name])
    await folder.put(PNG)
    other = tmp_path / "history.sqlite"
    other.write_bytes(b"kept")
    await folder.remove(["../history.sqlite", "x", PNG.name])
    assert await folder.find([PNG.name]) == [None]
    assert other.read_bytes() == b"kept"
