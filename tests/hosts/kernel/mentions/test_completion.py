"""Completion of mentions."""

from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.hosts.kernel.mentions.completion import begun_mention, completions
from tests.hosts.kernel.test_last_error import run


@pytest.mark.parametrize(
    ("text", "begun"),
    [
        ("Why is @", "@"),
        ("Why is @ce", "@ce"),
        ("(@var:d", "@var:d"),
        ("@file:src/a.", "@file:src/a."),
        ('@file:"a b', ""),
        ('@file:"a', '@file:"a'),
        ("me@home", ""),
        ("`@cell", ""),
        ("@var:df ", ""),
        ("", ""),
    ],
)
def test_the_mention_before_the_cursor(text: str, begun: str) -> None:
    assert begun_mention(text) == begun


def test_words_names_and_numbers(shell: InteractiveShell) -> None:
    run(shell, "frame = 1\nfraction = 2\n_hidden = 3", "frame", "print(1)")
    assert completions(shell, "@") == ["@cell", "@error", "@file:", "@output", "@var:"]
    assert completions(shell, "@c") == ["@cell"]
    assert completions(shell, "@var:fra") == ["@var:frame", "@var:fraction"]
    assert completions(shell, "@var:_") == []
    assert completions(shell, "@cell:") == ["@cell:3", "@cell:2", "@cell:1"]
    assert completions(shell, "@output:") == ["@output:2"]
    assert completions(shell, "@error:") == []


def test_paths_of_the_folder_and_of_the_repository(
    shell: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (".git/config", "docs/b.md", "docs/with blank.md", "docs/.hidden", "top.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    monkeypatch.chdir(tmp_path / "docs")
    assert completions(shell, "@file:") == [
        "@file:b.md",
        '@file:"with blank.md"',
        "@file:docs/",
        "@file:top.py",
    ]
    assert completions(shell, "@file:docs/b") == ["@file:docs/b.md"]
    assert completions(shell, '@file:"with') == ['@file:"with blank.md"']
    assert completions(shell, "@file:.h") == ["@file:.hidden"]
    assert completions(shell, "@file:nowhere/x") == []
    assert completions(shell, f"@file:{tmp_path}/to") == [f"@file:{tmp_path}/top.py"]
