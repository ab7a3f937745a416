"""What the command line of `jupyter ac acp` means; `tests/hosts/acp` has what it does."""

from argparse import ArgumentParser

from jupyter_ac.hosts.acp.agent_process import AcpOptions
from jupyter_ac.hosts.assembly import HostOptions
from jupyter_ac.hosts.cli import acp, options
from jupyter_ac.settings.limit_overrides import LimitOverrides


def test_the_options() -> None:
    parser = ArgumentParser()
    options.acp(parser)
    assert acp.asked(parser.parse_args([])) == AcpOptions()
    words = ["--model", "m", "--max-steps", "3", "--max-usd", "0.5"]
    assert acp.asked(parser.parse_args(words)) == AcpOptions(
        HostOptions("m", limits=LimitOverrides(3, 0.5))
    )
