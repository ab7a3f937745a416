"""The command `jupyter-ac`, which Jupyter also finds as `jupyter ac`.

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from jupyter_ac.errors import AcError
from jupyter_ac.models import embedded, installer
from jupyter_ac.version import __version__

EXIT_FAILED: Final = 1
EXIT_INTERRUPTED: Final = 130


class Command(NamedTuple):
    """One subcommand: what it is called, what it says of itself, what it does."""

    name: str
    summary: str
    run: Callable[[], None]


def install_demo_model() -> None:
    """Install the embedded model, unless it is there."""
    if embedded.available():
        print("the demo model is installed already")
        return
    installer.install(print)
    print("the demo model is installed; restart Jupyter to use it")


COMMANDS: Final = (
    Command(
        "install-demo-model",
        "install the small model that answers when no provider's key is set",
        install_demo_model,
    ),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code."""
    options = _parser().parse_args(argv)
    run: Callable[[], None] = options.run
    try:
        run()
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except AcError as error:
        print(f"jupyter-ac: {error}", file=sys.stderr)
        return EXIT_FAILED
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jupyter-ac", description="AI pair programming on a git repository, inside Jupyter."
    )
    parser.add_argument("--version", action="version", version=f"jupyter-ac {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        entry = commands.add_parser(command.name, help=command.summary, description=command.summary)
        entry.set_defaults(run=command.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
