"""What the command line of `jupyter ac mcp` means; `tests/hosts/mcp` has what it does."""

import importlib.util
from argparse import ArgumentParser
from pathlib import Path

import pytest

from jupyter_ac.errors import NotReady
from jupyter_ac.hosts.assembly import HostOptions
from jupyter_ac.hosts.cli import mcp, options
from jupyter_ac.hosts.mcp.mcp_server import McpOptions


def test_the_options() -> None:
    parser = ArgumentParser()
    options.mcp(parser)
    words = ["--repo", "x", "--allow-plans", "--model", "m"]
    assert mcp.asked(parser.parse_args(words)) == McpOptions(
        Path.cwd() / "x", allows_plans=True, host=HostOptions("m")
    )
    assert mcp.asked(parser.parse_args([])) == McpOptions(Path.cwd())


def test_without_the_sdk_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    parser = ArgumentParser()
    options.mcp(parser)
    with pytest.raises(NotReady, match=r"pip install 'jupyter-ac\[mcp\]'"):
        mcp.run(parser.parse_args([]))
