"""The command `jupyter-ac`, which Jupyter also finds as `jupyter ac`.

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.
"""

import io
import logging
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Final

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.cli import exit_codes, options
from jupyter_ac.hosts.cli.command import Command, WrongUsage
from jupyter_ac.terminal import terminal_output
from jupyter_ac.version import __version__

_logger = logging.getLogger(__name__)

COMMANDS: Final = (
    Command(
        "serve",
        "serve a repository to a browser and to any jrpc-oo client, without Jupyter",
        options.serve,
        "jupyter_ac.hosts.cli.serve",
    ),
    Command(
        "stdio",
        "serve a repository as JSON-RPC over standard input and output",
        options.stdio,
        "jupyter_ac.hosts.cli.stdio",
    ),
    Command(
        "mcp",
        "offer the tools of a repository to other agents, as an MCP server",
        options.mcp,
        "jupyter_ac.hosts.cli.mcp",
    ),
    Command(
        "acp",
        "be the agent of an editor, by the Agent Client Protocol",
        options.acp,
        "jupyter_ac.hosts.cli.acp",
    ),
    Command(
        "panel",
        "show a panel that is written in Python, on a server of its own or on another one",
        options.panel,
        "jupyter_ac.hosts.cli.panel_command",
    ),
    Command(
        "ask",
        "ask one question; the answer goes to standard output",
        options.ask,
        "jupyter_ac.hosts.cli.ask",
    ),
    Command(
        "map",
        "print a map of a repository for some files and a question",
        options.index_map,
        "jupyter_ac.hosts.cli.map",
    ),
    Command(
        "history",
        "take in the history of another program",
        options.history,
        "jupyter_ac.hosts.cli.history",
    ),
    Command(
        "grants",
        "list the commands that agents may run from now on, or take them back",
        options.grants,
        "jupyter_ac.hosts.cli.grants",
    ),
    Command(
        "doctor",
        "check that everything is in place, and say what to do",
        options.doctor,
        "jupyter_ac.hosts.cli.doctor",
    ),
    Command(
        "install-demo-model",
        "install the small model that answers when no provider's key is set",
        options.nothing,
        "jupyter_ac.hosts.cli.install_demo_model",
    ),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # An answer may hold what a terminal's encoding lacks, a question what it doesn't know.
            stream.reconfigure(errors="replace")
    with terminal_output():
        try:
            return _run(arguments)
        except Exception:
            # Python itself would write the traceback past the guard, with what stands in it.
            _logger.exception("jupyter-ac failed; please report it with these lines.")
            return exit_codes.FAILED


def _run(arguments: Sequence[str]) -> int:
    try:
        command, asked = _read(arguments)
        code = command.load()(asked)
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return exit_codes.INTERRUPTED
    except BrokenPipeError:  # the reader has closed the output
        _drop_unwritten()
        return exit_codes.FAILED
    except OSError as error:
        print(f"jupyter-ac: {error.strerror or error}.", file=sys.stderr)
        _drop_unwritten()
        return exit_codes.FAILED
    except AcError as error:
        print(f"jupyter-ac: {error}", file=sys.stderr)
        return exit_codes.USAGE if isinstance(error, WrongUsage) else exit_codes.FAILED
    return code


def _drop_unwritten() -> None:
    """Drop output that can't be written: Python would report it at its exit, with another code."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _read(arguments: Sequence[str]) -> tuple[Command, Namespace]:
    """Return the command that is asked for and its options.

    Raises:
        SystemExit: help was asked for, or it is wrong usage; that is said already.
    """
    parser = ArgumentParser(
        prog="jupyter-ac", description="AI pair programming on a git repository, inside Jupyter."
    )
    parser.add_argument("--version", action="version", version=f"jupyter-ac {__version__}")
    entries = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        entry = entries.add_parser(command.name, help=command.summary, description=command.summary)
        command.declare(entry)
        entry.set_defaults(command=command, entry=entry)
    if not arguments:
        parser.print_help(sys.stderr)
        raise SystemExit(exit_codes.USAGE)
    asked, surplus = parser.parse_known_args(arguments)
    entry = asked.entry
    if surplus:
        # By the command's own parser, which shows the usage of that command.
        entry.error(f"unrecognized arguments: {' '.join(surplus)}")
    return asked.command, asked


if __name__ == "__main__":
    sys.exit(main())
