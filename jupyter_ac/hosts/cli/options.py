"""The options of all commands, without their code: help and usage errors load nothing else."""

import math
from argparse import ArgumentParser, ArgumentTypeError, _ArgumentGroup
from pathlib import Path
from typing import Final

DEFAULT_PORT: Final = 18080
HIGHEST_PORT: Final = 65535
DEFAULT_BUDGET: Final = 4096
BUDGETS: Final = range(64, 200_001)
MODES: Final = ("plan", "agent", "sandbox")
STEPS: Final = range(1, 1001)
DOLLARS: Final = (0.01, 10_000.0)
"""The least and the most that a run of an agent may cost."""

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
    parser.add_argument(
        "--no-git", action="store_true", help="serve also a folder that is in no repository"
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
    _limits(parser)


def panel(parser: ArgumentParser) -> None:
    """Declare those of `panel`."""
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE.py",
        help="a Python file with a Plugin, or with a component named App; it is loaded anew when "
        "it is saved",
    )
    parser.add_argument(
        "--entry-point", metavar="NAME", default="", help="a panel of an installed package instead"
    )
    parser.add_argument(
        "--stdio",
        action="store_true",
        help="speak to a host over standard input and output; so it does without a terminal, too",
    )
    parser.add_argument(
        "--connect",
        metavar="URL",
        default="",
        help="show it on a running server: the address that the server has printed",
    )
    parser.add_argument(
        "--kkrpc", action="store_true", help="speak kkrpc instead of JSON-RPC 2.0 to the host"
    )
    serve(parser)
    # Several may be tried at once; nobody connects to it by a number that is known before.
    parser.set_defaults(server_port=0)


def mcp(parser: ArgumentParser) -> None:
    """Declare those of `mcp`."""
    _repository(parser)
    parser.add_argument(
        "--allow-plans",
        action="store_true",
        help="ask the model for plans without asking you each time",
    )
    _model(parser)


def acp(parser: ArgumentParser) -> None:
    """Declare those of `acp`."""
    _model(parser)
    _limits(parser)


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
    _agent(parser)


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


def grants(parser: ArgumentParser) -> None:
    """Declare those of `grants`."""
    parser.add_argument(
        "--revoke",
        action="append",
        default=[],
        metavar="COMMAND",
        help="take this one back, as it is listed; may be given several times",
    )
    parser.add_argument(
        "--revoke-server",
        action="append",
        default=[],
        metavar="NAME",
        help="take an MCP server of the repository back; may be given several times",
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


def _agent(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("agent")
    group.add_argument(
        "--agent",
        action="store_true",
        help="let the model read files, edit and run commands; what runs is asked for here first",
    )
    group.add_argument(
        "--mode",
        choices=MODES,
        help="plan: only read; agent: ask before acting (default); sandbox: run by itself what the "
        "sandbox holds",
    )
    group.add_argument(
        "--allow",
        action="append",
        default=[],
        metavar="COMMAND",
        help='run this command without asking, for example "pytest -q"; in the sandbox also with '
        "further arguments; may be given several times, and counts for this run only",
    )
    _limits(group)


def _limits(parser: ArgumentParser | _ArgumentGroup) -> None:
    parser.add_argument(
        "--max-steps",
        type=_steps,
        metavar="N",
        help="requests to the model in a run of an agent, instead of agent.max_steps",
    )
    parser.add_argument(
        "--max-usd",
        type=_dollars,
        metavar="X",
        help="what a run of an agent may cost, instead of agent.max_usd",
    )


def _steps(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > _DIGITS or int(text) not in STEPS:
        raise ArgumentTypeError(
            f"{text!r} is no number of steps; give one from {STEPS[0]} to {STEPS[-1]}"
        )
    return int(text)


def _dollars(text: str) -> float:
    least, most = DOLLARS
    try:
        amount = float(text)
    except ValueError:
        amount = math.nan
    if not least <= amount <= most:
        raise ArgumentTypeError(
            f"{text!r} is no amount of US dollars; give one from {least:g} to {most:g}"
        )
    return amount


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
