"""What the command line of `jupyter ac mcp` means; `tests/hosts/mcp` has what it does."""

from argparse import ArgumentParser
from pathlib import Path

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
