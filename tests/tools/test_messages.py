"""The message catalogue: complete, current, and where JupyterLab finds it."""

import json
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from jupyterlab_server.translation_utils import get_installed_packages_locale

from tools import messages

GERMAN = messages.ROOT / "jupyter_ac/locale/de_DE/LC_MESSAGES/jupyter_ac.po"


@pytest.fixture(scope="module")
def made() -> dict[Path, str]:
    return messages.documents()


def test_the_catalogues_have_the_messages_of_the_sources(made: dict[Path, str]) -> None:
    stale = [
        path for path, text in made.items() if (messages.ROOT / path).read_text("utf-8") != text
    ]
    assert not stale, "run: make messages, and translate what is new in the .po files"


def test_german_is_complete() -> None:
    assert list(messages.faults(messages.read(GERMAN))) == []


def test_settings_are_in_the_catalogue(made: dict[Path, str]) -> None:
    assert 'msgid "Review edits first"' in made[messages.TEMPLATE]


def test_jupyterlab_finds_the_catalogue() -> None:
    found, problems = get_installed_packages_locale("de_DE")
    assert not problems.strip()
    german = found["jupyter_ac"]
    assert german["Send"] == ["Senden"]
    assert german[""]["language"] == "de-DE"  # as in its own language packs


def catalog(text: str | tuple[str, str], string: str | tuple[str, str]) -> Catalog:
    made = Catalog(locale="de_DE")
    made.add(text, string)
    return made


@pytest.mark.parametrize(
    ("text", "string"),
    [
        ("Send", ""),
        ("Send %1", "Senden"),
        ("Send", "%1 senden"),
        ("%1 to %2", "%1 an %3"),
        (("%1 file", "%1 files"), ("%1 Datei", "")),
        (("%1 file in %2", "%1 files in %2"), ("Eine Datei in %2", "%1 Dateien")),
    ],
)
def test_a_faulty_translation_is_named(
    text: str | tuple[str, str], string: str | tuple[str, str]
) -> None:
    (fault,) = messages.faults(catalog(text, string))
    assert "Send" in fault or "%1" in fault


@pytest.mark.parametrize(
    ("text", "string"),
    [
        ("Send %1 to %2", "An %2 %1 senden"),
        (("%1 file", "%1 files"), ("Eine Datei", "%1 Dateien")),
    ],
)
def test_a_good_translation_is_not(
    text: str | tuple[str, str], string: str | tuple[str, str]
) -> None:
    assert list(messages.faults(catalog(text, string))) == []


def test_translations_survive_an_update_and_unused_ones_go() -> None:
    known = Catalog(locale="de_DE")
    known.add("Send", "Senden")
    known.add("Old", "Alt")
    known.add("Now counted", "Einzahl")
    template = Catalog()
    template.add("Send", locations=[("a.ts", 0)])
    template.add("New")
    template.add(("Now counted", "%1 counted"))
    catalog = messages.translated(template, known)
    assert {str(each.id): each.string for each in catalog if each.id} == {
        "Send": "Senden",
        "New": "",
        "('Now counted', '%1 counted')": ("", ""),
    }
    written = json.loads(messages.json_text(catalog))
    assert set(written) == {"", "Send"}


def test_a_check_names_what_is_not_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(messages, "documents", lambda _root: {messages.TEMPLATE: "new"})
    (tmp_path / messages.FOLDER).mkdir(parents=True)
    assert messages.main(["--check"], tmp_path) == 1
    assert "jupyter_ac.pot is not up to date" in capsys.readouterr().err
    assert messages.main([], tmp_path) == 0
    assert messages.main(["--check"], tmp_path) == 0
