import json
from pathlib import Path

from jupyter_ac.settings.live import LiveSettings
from jupyter_ac.settings.snippet_store import SnippetStore
from jupyter_ac.settings.snippets import Mode, bundled_snippets


class Place:
    """A configuration folder and a repository."""

    def __init__(self, folder: Path) -> None:
        self.config, self.repo = folder / "config", folder / "repo"
        self.config.mkdir()
        (self.repo / ".jupyter_ac").mkdir(parents=True)
        self.file = self.repo / ".jupyter_ac" / "snippets.json"

    def store(self, *, uses_repository: bool = True) -> SnippetStore:
        return SnippetStore(LiveSettings(self.config), self.repo, uses_repository=uses_repository)


def messages(store: SnippetStore, mode: Mode = "code") -> list[str]:
    return [snippet.message for snippet in store.get(mode)]


def lists(**modes: list[str]) -> str:
    return json.dumps(
        {mode: [{"message": text} for text in texts] for mode, texts in modes.items()}
    )


def test_the_repositorys_come_before_the_users_before_ours(tmp_path: Path) -> None:
    place = Place(tmp_path)
    store = place.store()
    ours = [snippet.message for snippet in bundled_snippets()["code"]]
    assert messages(store) == ours
    (place.config / "snippets.json").write_text(lists(code=["mine"], doc=[]))
    assert messages(store) == ["mine"]
    assert messages(store, "doc") == []
    assert messages(store, "review") != []
    place.file.write_text(lists(code=["the project's"]))
    assert messages(store) == ["the project's"]
    assert messages(store, "doc") == []
    place.file.unlink()
    assert messages(store) == ["mine"]


def test_a_broken_file_of_the_repository_leaves_what_it_said_before(tmp_path: Path) -> None:
    place = Place(tmp_path)
    store = place.store()
    place.file.write_text(lists(code=["one"]))
    assert messages(store) == ["one"]
    place.file.write_text('{"code": [{}]}')
    assert messages(store) == ["one"]
    (notice,) = store.notices()
    assert notice.startswith(".jupyter_ac/snippets.json, line 1: code[0].message is missing.")
    place.file.write_text(lists(code=["two"]))
    assert messages(store) == ["two"]
    assert store.notices() == []


def test_a_link_in_the_repository_is_not_followed(tmp_path: Path) -> None:
    place = Place(tmp_path)
    outside = tmp_path / "secret.json"
    outside.write_text(lists(code=["outside"]))
    place.file.symlink_to(outside)
    assert "outside" not in messages(place.store())
    place.file.unlink()
    place.file.parent.rmdir()
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "snippets.json").write_text(lists(code=["outside"]))
    place.file.parent.symlink_to(folder)
    assert "outside" not in messages(place.store())


def test_where_the_administrator_has_locked_them_the_repository_has_no_say(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.file.write_text(lists(code=["the project's"]))
    assert "the project's" not in messages(place.store(uses_repository=False))
