"""The index of the repository."""

from pathlib import Path

import pytest

from jupyter_ac.hosts.cli.checks.context import CheckState
from jupyter_ac.hosts.cli.checks.index import index
from jupyter_ac.index.languages.language import Language
from jupyter_ac.index.languages.registry import LANGUAGES
from tests.hosts.cli.checks.conftest import Look
from tests.support.hidden_modules import hide
from tests.support.repositories import RepositoryFolder


async def test_the_files_the_languages_and_the_cache(look: Look, garden: RepositoryFolder) -> None:
    (garden.root / "b.md").write_text("# B\n", encoding="utf-8")
    (garden.root / "c.bin").write_bytes(b"\0")
    (garden.root / "d.js").write_bytes(b"x" * (3 << 20))
    found = await index(await look())
    assert found.state is CheckState.OK
    text = "4 files, 3 of them read: python 1, markdown 1, javascript 1; cache "
    assert sorted(found.text.partition("; cache")[0]) == sorted(text.partition("; cache")[0])
    assert found.text.endswith(" MiB")
    assert found.details == ("left out or read in part: 1",)


async def test_a_repository_that_can_not_be_indexed(look: Look, garden: RepositoryFolder) -> None:
    here = await look()
    (garden.root / ".git" / "HEAD").write_text("nonsense", encoding="utf-8")
    found = await index(here)
    assert found.state is CheckState.WARN
    assert Path(found.text).name  # says why, in git's words
    assert "no maps and no navigation" in found.remedy


async def test_what_jupyter_writes_counts_when_the_settings_say_so(
    look: Look, garden: RepositoryFolder, config: Path
) -> None:
    garden.write(".ipynb_checkpoints/a-checkpoint.py", "print(1)\n")
    assert (await index(await look())).text.startswith("1 files, 1 of them read: python 1;")
    settings = '{"files": {"show_jupyter_files": true}}'
    (config / "jupyter_ac" / "app.json").write_text(settings, encoding="utf-8")
    assert (await index(await look())).text.startswith("2 files, 2 of them read: python 2;")


@pytest.mark.parametrize(
    "language", [each for each in LANGUAGES if each.extra], ids=lambda each: each.name
)
async def test_a_grammar_that_is_not_installed_is_named_where_files_need_it(
    look: Look, garden: RepositoryFolder, monkeypatch: pytest.MonkeyPatch, language: Language
) -> None:
    package = language.grammar[0].partition(".")[0]
    with monkeypatch.context() as patch:
        hide(patch, package)
        assert (await index(await look())).state is CheckState.OK  # no file needs it
    garden.write(f"a{language.extensions[0]}", "x <- 1\n")
    assert (await index(await look())).state is CheckState.OK
    hide(monkeypatch, package)
    found = await index(await look())
    assert found.state is CheckState.WARN
    assert found.text.endswith(f"for want of a grammar: {language.name}")
    assert found.remedy == f"Run `pip install 'jupyter_ac[{language.extra}]'`."
