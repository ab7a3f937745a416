"""The stand-alone server's routes."""

from pathlib import Path

from tornado.routing import Rule
from tornado.web import Application

from jupyter_ac.hosts.sockets.files import NAME
from jupyter_ac.hosts.standalone.base_handler import UnknownHandler, log_request
from jupyter_ac.hosts.standalone.pages import (
    PAGE,
    AccessHandler,
    FileHandler,
    PageHandler,
    StandaloneHealthHandler,
)
from jupyter_ac.hosts.standalone.socket import LocalSocketHandler, Served, WantsSocket


def make_application(served: Served, static_dir: Path) -> Application:
    """Hang the handlers in.

    Args:
        served: what the sockets lead to.
        static_dir: the folder with the front end's files.
    """
    at_files = {"path": str(static_dir)}
    return Application(
        [
            Rule(WantsSocket(), LocalSocketHandler, {"served": served}),
            (r"/()", PageHandler, {**at_files, "default_filename": PAGE}),
            (r"/health", StandaloneHealthHandler),
            (r"/access", AccessHandler, {"token": served.token}),
            (rf"/static/{NAME}", FileHandler, at_files),
        ],
        default_handler_class=UnknownHandler,
        log_function=log_request,
    )
