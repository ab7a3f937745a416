"""`jupyter ac serve`: serves a repository to browsers and jrpc-oo clients, without Jupyter."""

import asyncio
import logging
import os
import sys
from argparse import Namespace
from dataclasses import replace
from typing import Final

from jupyter_ac.hosts.call_lines import write_call_lines
from jupyter_ac.hosts.cli import exit_codes
from jupyter_ac.hosts.cli.path_arguments import absolute
from jupyter_ac.hosts.cli.signals import until_signal
from jupyter_ac.hosts.gc_tuning import spare_what_is_there
from jupyter_ac.hosts.panels.plugin_command import PluginCommand, file_panel_id
from jupyter_ac.hosts.sockets.connection_limits import allow_usual_descriptors
from jupyter_ac.hosts.standalone.browser import PageOpener, has_screen
from jupyter_ac.hosts.standalone.server import Address, ServeOptions, listening

logger = logging.getLogger(__name__)

_OPEN_DOOR: Final = (
    "jupyter-ac: warning: --no-token lets in every program of this machine; where other people "
    "use it as well, they can read the repository and ask the model in your name."
)


def run(options: Namespace) -> int:
    """Serve until interrupted (exit code 130) or terminated (0)."""
    return serve_with(options)


def serve_with(options: Namespace, *panels: PluginCommand) -> int:
    """Serve as `run`, with further panels.

    Args:
        options: of the command line.
        panels: are listed with the others.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    allow_usual_descriptors()
    write_call_lines(os.environ)
    if options.no_token:
        print(_OPEN_DOOR, file=sys.stderr)
    serve = ServeOptions(
        folder=absolute(options.repo),
        port=options.server_port,
        asks_token=not options.no_token,
        model=options.model,
        panels=panels,
        opens_plain_folder=options.no_git,
    )
    opens_browser = not options.no_browser and has_screen(os.environ)
    return asyncio.run(until_signal(_serve(serve, opens_browser=opens_browser)))


async def _serve(options: ServeOptions, *, opens_browser: bool) -> int:
    async with listening(options) as bound:
        spare_what_is_there()
        shown = file_panel_id(options.panels[0]) if options.panels else ""
        address = replace(bound, panel=shown)
        _announce(address)
        with PageOpener(address.port) as opener:
            if opens_browser:
                opener.open(address.page)
            # Until the signal that cancels it.
            await asyncio.Event().wait()
    return exit_codes.DONE


def _announce(address: Address) -> None:
    """Say where the server is: the first line for programs, the second one for people."""
    lines = f"jupyter-ac ready {address.socket}\nThe panel: {address.page} (Ctrl-C ends it)"
    try:
        print(lines, flush=True)
    except OSError as error:
        # Whoever started it may read no more than the start, or have no room for it.
        if not isinstance(error, BrokenPipeError):
            logger.warning("standard output can't be written: %s", error.strerror)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
