"""The commands behind the magics share one conversation, which a reset ends."""

import io

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.hosts.kernel.cell_commands import CellCommands
from jupyter_ac.hosts.kernel.notebook_cells import NotebookCells
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder


def test_they_share_a_conversation_until_a_reset(
    garden: RepositoryFolder,
    scripted_child: RunningModelServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert scripted_child
    monkeypatch.chdir(garden.root)
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    shell = InteractiveShell.instance()
    commands = CellCommands(shell, NotebookCells(shell))
    try:
        assert "none was begun" in commands.reset()
        with pytest.raises(UsageError, match="no cell has run"):
            commands.explain()
        shell.run_cell("pear = 1", store_history=True)
        commands.ask("", "What is an apple?")
        commands.explain()
        assert commands.status().endswith(", 4 messages")
        assert "stays in the history" in commands.reset()
        assert commands.status().endswith(", 0 messages")
        commands.fix("name it apple")
    finally:
        commands.close()
        InteractiveShell.clear_instance()
    assert capsys.readouterr().out.count("Here is an answer") == 3
