"""The options of all commands, without their code: help and usage errors load nothing else."""

from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Final

DEFAULT_PORT: Final = 18080
HIGHEST_PORT: Final = 65535
DEFAULT_BUDGET: Final = 4096
BUDGETS: Final = range(64, 200_001)

_DIGITS: Final = 9


def nothing(_parser: ArgumentParser) -> None:
    """Declare no options."""


def serve(parser: ArgumentParser) -> None:
    """Declare those of `serve`."""
    _repository(parser)
    parser.add_argument(
        "--server-port",
        type=_port,
        default=DEFAULT_PORT,
        metavar="PORT",
        help=f"on 127.0.0.1; 0 takes any free one (default: {DEFAULT_PORT})",
    )
    parser.add_argument("--no-browser", action="store_true", help="open no browser")
    parser.add_argument(
        "--no-token", action="store_true", help="ask for no token; not on a shared machine"
    )
    _model(parser)


def stdio(parser: ArgumentParser) -> None:
    """Declare those of `stdio`."""
    _repository(parser)
    parser.add_argument(
        "--jrpc-oo", action="store_true", help="speak jrpc-oo instead of JSON-RPC 2.0"
    )
    parser.add_argument(
        "--links", action="store_true", help="carry many jrpc-oo connections, as docs/cli.md says"
    )
    _model(parser)


def ask(parser: ArgumentParser) -> None:
    """Declare those of `ask`."""
    parser.add_argument(
        "question",
        metavar="QUESTION",
        help="what to ask, in quotes; - reads it from standard input",
    )
    parser.add_argument(
        "-f",
        "--file",
        dest="files",
        action="append",
        default=[],
        metavar="FILE",
        help="send this file with it; relative to the current folder or to the repository",
    )
    _repository(parser)
    _model(parser)


def history(parser: ArgumentParser) -> None:
    """Declare those of `history`."""
    parser.add_argument(
        "action",
        choices=("import",),
        help="import: take in AC-DC's history.jsonl; doing it again changes nothing",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the file, one message a line")
    parser.add_argument(
        "--user",
        default="",
        metavar="NAME",
        help="whose sessions they become on a Jupyter server that knows names (default: yours)",
    )
    _repository(parser)


def index_map(parser: ArgumentParser) -> None:
    """Declare those of `map`."""
    parser.add_argument(
        "--select",
        dest="files",
        action="append",
        default=[],
        metavar="FILE",
        help="a file that the question is about; may be given several times",
    )
    parser.add_argument(
        "--question",
        default="",
        metavar="TEXT",
        help="what is asked; - reads it from standard input",
    )
    parser.add_argument(
        "--budget",
        type=_budget,
        default=DEFAULT_BUDGET,
        metavar="TOKENS",
        help=f"at most so long, by cl100k_base (default: {DEFAULT_BUDGET})",
    )
    _repository(parser)


def doctor(parser: ArgumentParser) -> None:
    """Declare those of `doctor`."""
    _repository(parser)
    _model(parser)
    parser.add_argument("--json", action="store_true", help="write one JSON object")


def _repository(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--repo",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="a folder in the repository (default: the current one)",
    )


def _model(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--model", metavar="M", help="the model, by litellm's name, instead of the chosen one"
    )


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > HIGHEST_PORT:
        raise ArgumentTypeError(f"{text!r} is no port; give one from 0 to {HIGHEST_PORT}")
    return int(text)


def _budget(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > _DIGITS or int(text) not in BUDGETS:
        raise ArgumentTypeError(
            f"{text!r} is no budget; give a number of tokens from {BUDGETS[0]} to {BUDGETS[-1]}"
        )
    return int(text)
