import json
from pathlib import Path

from jupyter_ac.settings.live import LiveSettings
from jupyter_ac.settings.snippet_store import SnippetShelf
from jupyter_ac.settings.snippets import Mode, bundled_snippets


class Place:
    """A configuration folder and a repository."""

    def __init__(self, folder: Path) -> None:
        self.config, self.repo = folder / "config", folder / "repo"
        self.config.mkdir()
        (self.repo / ".jupyter_ac").mkdir(parents=True)
        self.file = self.repo / ".jupyter_ac" / "snippets.json"

    def shelf(self, *, uses_repository: bool = True) -> SnippetShelf:
        return SnippetShelf(LiveSettings(self.config), self.repo, uses_repository=uses_repository)


def messages(shelf: SnippetShelf, mode: Mode = "code") -> list[str]:
    return [snippet.message for snippet in shelf.take(mode)]


def lists(**modes: list[str]) -> str:
    return json.dumps(
        {mode: [{"message": text} for text in texts] for mode, texts in modes.items()}
    )


def test_the_repositorys_come_before_the_users_before_ours(tmp_path: Path) -> None:
    place = Place(tmp_path)
    shelf = place.shelf()
    ours = [snippet.message for snippet in bundled_snippets()["code"]]
    assert messages(shelf) == ours
    (place.config / "snippets.json").write_text(lists(code=["mine"], doc=[]))
    assert messages(shelf) == ["mine"]
    assert messages(shelf, "doc") == []
    assert messages(shelf, "review") != []
    place.file.write_text(lists(code=["the project's"]))
    assert messages(shelf) == ["the project's"]
    assert messages(shelf, "doc") == []
    place.file.unlink()
    assert messages(shelf) == ["mine"]


def test_a_broken_file_of_the_repository_leaves_what_it_said_before(tmp_path: Path) -> None:
    place = Place(tmp_path)
    shelf = place.shelf()
    place.file.write_text(lists(code=["one"]))
    assert messages(shelf) == ["one"]
    place.file.write_text('{"code": [{}]}')
    assert messages(shelf) == ["one"]
    (notice,) = shelf.notices()
    assert notice.startswith(".jupyter_ac/snippets.json, line 1: code[0].message is missing.")
    place.file.write_text(lists(code=["two"]))
    assert messages(shelf) == ["two"]
    assert shelf.notices() == []


def test_a_link_in_the_repository_is_not_followed(tmp_path: Path) -> None:
    place = Place(tmp_path)
    outside = tmp_path / "secret.json"
    outside.write_text(lists(code=["outside"]))
    place.file.symlink_to(outside)
    assert "outside" not in messages(place.shelf())
    place.file.unlink()
    place.file.parent.rmdir()
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "snippets.json").write_text(lists(code=["outside"]))
    place.file.parent.symlink_to(folder)
    assert "outside" not in messages(place.shelf())


def test_where_the_administrator_has_locked_them_the_repository_has_no_say(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.file.write_text(lists(code=["the project's"]))
    assert "the project's" not in messages(place.shelf(uses_repository=False))
