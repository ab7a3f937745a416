"""The index of the repository."""

from pathlib import Path

from jupyter_ac.hosts.cli.checks.index import index
from jupyter_ac.hosts.cli.checks.result import CheckState
from tests.hosts.cli.checks.conftest import Look
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
