"""`jupyter ac serve`: a repository for a browser and for any jrpc-oo client, without Jupyter."""

import asyncio
import logging
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from contextlib import suppress
from pathlib import Path
from typing import Final

from jupyter_ac.hosts.cli import exits
from jupyter_ac.hosts.pauses import spare_what_is_there
from jupyter_ac.hosts.signals import until_signal
from jupyter_ac.hosts.standalone.browser import PageOpener, has_screen
from jupyter_ac.hosts.standalone.server import Address, ServeOptions, listening

DEFAULT_PORT: Final = 18080
HIGHEST_PORT: Final = 65535

_OPEN_DOOR: Final = (
    "jupyter-ac: warning: --no-token lets in every program of this machine; where other people "
    "use it as well, they can read the repository and ask the model in your name."
)


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--repo", type=Path, default=Path(), metavar="DIR", help="a folder in the repository [.]"
    )
    parser.add_argument(
        "--server-port",
        type=_port,
        default=DEFAULT_PORT,
        metavar="PORT",
        help=f"on 127.0.0.1; 0 takes any free one [{DEFAULT_PORT}]",
    )
    parser.add_argument("--no-browser", action="store_true", help="open no browser")
    parser.add_argument(
        "--no-token", action="store_true", help="ask for no token; not on a shared machine"
    )
    parser.add_argument("--model", metavar="M", help="the model that answers, as litellm names it")


def run(options: Namespace) -> int:
    """Serve until interrupted (exit code 130) or terminated (0)."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    if options.no_token:
        print(_OPEN_DOOR, file=sys.stderr)
    serve = ServeOptions(
        folder=options.repo.absolute(),
        port=options.server_port,
        asks_token=not options.no_token,
        model=options.model,
    )
    opens_browser = not options.no_browser and has_screen(os.environ)
    return asyncio.run(until_signal(_serve(serve, opens_browser=opens_browser)))


async def _serve(options: ServeOptions, *, opens_browser: bool) -> int:
    async with listening(options) as address:
        spare_what_is_there()
        _announce(address)
        with PageOpener(address.port) as opener:
            if opens_browser:
                opener.open(address.page)
            # Until the signal that cancels it.
            await asyncio.Event().wait()
    return exits.DONE


def _announce(address: Address) -> None:
    """Say where the server is: the first line for programs, the second one for people."""
    lines = f"jupyter-ac ready {address.socket}\nThe panel: {address.page} (Ctrl-C ends it)"
    # Whoever started it may read no more than the start.
    with suppress(BrokenPipeError):
        print(lines, flush=True)


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > HIGHEST_PORT:
        raise ArgumentTypeError(f"{text!r} is no port; give one from 0 to {HIGHEST_PORT}")
    return int(text)
