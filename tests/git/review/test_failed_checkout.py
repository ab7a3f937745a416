from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.git.review.failed_checkout import take_back
from tests.support.changing import changer_of
from tests.support.repositories import RepositoryFolder, make_repository


async def test_only_what_is_the_other_commits_is_taken_back(tmp_path: Path) -> None:
    folder = make_repository(
        tmp_path / "r", {"a": "1\n", "b": "1\n", "gone": "1\n", "link": "1\n", "same": "1\n"}
    )
    folder.git("checkout", "-q", "-b", "other")
    for path in ("a", "b", "new", "mine", "line\nbreak"):
        folder.write(path, "2\n")
    for path in ("gone", "link"):
        (folder.root / path).unlink()
    (folder.root / "link").symlink_to("a")
    target = folder.commit("other")
    folder.git("checkout", "-q", "main")
    # What git has done of it, and what the user has done beside it.
    for path in ("a", "new", "line\nbreak"):
        folder.write(path, "2\n")
    (folder.root / "gone").unlink()
    for path in ("b", "mine"):
        folder.write(path, "the user's\n")
    await changer_of(await discover(folder.root)).change(lambda git: take_back(git, target))
    assert folder.git("status", "--porcelain", "-z").split("\0")[:-1] == [
        " M b",
        "?? line\nbreak",
        "?? mine",
    ]
    assert (folder.root / "b").read_text() == "the user's\n"


async def test_where_nothing_was_begun_nothing_is_done(tmp_path: Path) -> None:
    folder: RepositoryFolder = make_repository(tmp_path / "r", {"a": "1\n"})
    head = folder.git("rev-parse", "HEAD")
    folder.write("a", "mine\n")
    await changer_of(await discover(folder.root)).change(lambda git: take_back(git, head))
    assert (folder.root / "a").read_text() == "mine\n"
