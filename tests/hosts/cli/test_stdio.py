"""What the command line of `jupyter ac stdio` means; `tests/hosts/stdio` has what it does."""

from argparse import ArgumentParser
from pathlib import Path

import pytest

from jupyter_ac.hosts.assembly import HostOptions
from jupyter_ac.hosts.cli import options, stdio
from jupyter_ac.hosts.stdio.host import StdioOptions


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ([], StdioOptions(Path.cwd())),
        (["--repo", "x", "--jrpc-oo"], StdioOptions(Path.cwd() / "x", jrpc_oo=True)),
        (
            ["--links", "--model", "m"],
            StdioOptions(Path.cwd(), links=True, host=HostOptions("m", is_child=True)),
        ),
    ],
)
def test_the_options(
    words: list[str], asked: StdioOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []

    async def serve(*arguments: object) -> int:
        seen.extend(arguments)
        return 0

    monkeypatch.setattr(stdio, "_serve", serve)
    monkeypatch.setattr(stdio, "claim_pipes", lambda: (7, 8))
    parser = ArgumentParser()
    options.stdio(parser)
    assert stdio.run(parser.parse_args(words)) == 0
    assert seen == [asked, 7, 8]
