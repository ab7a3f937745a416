"""The command `jupyter-ac`, which Jupyter also finds as `jupyter ac`.

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.
"""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import Final

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.cli import exits
from jupyter_ac.hosts.cli.command import Command, WrongUsage
from jupyter_ac.version import __version__

COMMANDS: Final = (
    Command(
        "serve",
        "serve a repository to a browser and to any jrpc-oo client, without Jupyter",
        "jupyter_ac.hosts.cli.serve",
    ),
    Command(
        "stdio",
        "serve a repository as JSON-RPC over standard input and output",
        "jupyter_ac.hosts.cli.stdio",
    ),
    Command(
        "ask", "ask one question; the answer goes to standard output", "jupyter_ac.hosts.cli.ask"
    ),
    Command(
        "doctor",
        "check that everything is in place, and say what to do",
        "jupyter_ac.hosts.cli.doctor",
    ),
    Command(
        "install-demo-model",
        "install the small model that answers when no provider's key is set",
        "jupyter_ac.hosts.cli.install_demo_model",
    ),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # An answer may hold what a terminal's encoding lacks.
            stream.reconfigure(errors="replace")
    try:
        options = _parser(arguments).parse_args(arguments)
        code: int = options.run(options)
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has seen enough. Python would complain once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.FAILED
    except AcError as error:
        print(f"jupyter-ac: {error}", file=sys.stderr)
        return exits.USAGE if isinstance(error, WrongUsage) else exits.FAILED
    return code


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Make the parser; only the command that is named is imported, to declare its options."""
    parser = argparse.ArgumentParser(
        prog="jupyter-ac", description="AI pair programming on a git repository, inside Jupyter."
    )
    parser.add_argument("--version", action="version", version=f"jupyter-ac {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    # No option in front of the command takes a value.
    named = next((word for word in arguments if not word.startswith("-")), None)
    for command in COMMANDS:
        entry = commands.add_parser(command.name, help=command.summary, description=command.summary)
        if command.name == named:
            implementation = command.load()
            implementation.add_arguments(entry)
            entry.set_defaults(run=implementation.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
