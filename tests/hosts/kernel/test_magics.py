"""`%load_ext jupyter_ac` and `%ac`."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.hosts.kernel import magics
from jupyter_ac.hosts.kernel.rendering import PANEL_MARK, PANEL_MIME
from tests.support.kernels import WIDGET_VIEW, printed, running_kernel, shown


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


def test_loading_and_unloading_may_be_repeated(shell: InteractiveShell) -> None:
    magics.unload(shell)
    magics.load(shell)
    first = shell.find_line_magic("ac")
    magics.load(shell)
    assert shell.find_line_magic("ac") == first
    magics.unload(shell)
    magics.unload(shell)
    assert shell.find_line_magic("ac") is None
    assert shell.find_cell_magic("ac") is None
    for name in magics.LINE_MAGICS:
        assert shell.find_line_magic(name) is None
    magics.load(shell)
    for name in (magics.MAGIC, *magics.LINE_MAGICS):
        assert shell.find_line_magic(name) is not None


def test_without_a_notebook_it_says_where_to_run_it(shell: InteractiveShell) -> None:
    magics.load(shell)
    with pytest.raises(UsageError, match="start JupyterLab"):
        shell.run_line_magic("ac", "")


async def test_the_magic_shows_one_panel_for_each_folder(tmp_path: Path) -> None:
    (tmp_path / "other folder").mkdir()
    async with running_kernel(tmp_path) as kernel:
        assert printed(await kernel.run("%load_ext jupyter_ac")) == ""
        (first,) = shown(await kernel.run("%ac"))
        (again,) = shown(await kernel.run("%ac ."))
        (other,) = shown(await kernel.run("%ac 'other folder'"))
    models = [bundle[WIDGET_VIEW]["model_id"] for bundle in (first, again, other)]
    assert models[0] == models[1] != models[2]
    assert "%load_ext jupyter_ac" in first["text/html"]
    assert first[PANEL_MIME] == PANEL_MARK
    assert str(tmp_path) not in str(first)


async def test_a_wrong_folder_is_one_sentence(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        await kernel.run("%load_ext jupyter_ac")
        missing = printed(await kernel.run("%ac missing"))
        two = printed(await kernel.run("%ac a b"))
        broken = printed(await kernel.run("%ac 'a"))
        options = printed(await kernel.run("%ac -f README.md"))
        await kernel.run("import os; os.mkdir('g'); os.chdir('g'); os.rmdir('../g')")
        gone = printed(await kernel.run("%ac"))
    assert "there is no folder 'missing'" in missing
    assert "one folder at most" in two
    assert "quotes" in broken
    assert "no options; %%ac takes some" in options
    assert "the kernel's folder is gone" in gone


async def test_a_closed_panel_is_made_anew(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        await kernel.run("%load_ext jupyter_ac")
        (first,) = shown(await kernel.run("%ac"))
        await kernel.run("import ipywidgets; ipywidgets.Widget.close_all()")
        (second,) = shown(await kernel.run("%ac"))
    assert first[WIDGET_VIEW] != second[WIDGET_VIEW]
