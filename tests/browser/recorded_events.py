"""Keeps the events of targets, and answers of a fake browser that several tests need."""

from typing import NoReturn

import jmespath

from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.target import Taker, Target
from tests.browser.fake_cdp import Refused, Silence


def silent(_params: Json) -> NoReturn:
    """Never answer."""
    raise Silence


def refused(_params: Json) -> NoReturn:
    """Answer by an error."""
    raise Refused("No target with given id found")


def unknown(_params: Json) -> NoReturn:
    """Answer as to a command that there isn't."""
    raise Refused("'Page.enable' wasn't found", -32601)


class RecordedEvents:
    """What arrives of all targets, as (page or child, event, parameters)."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str, Json]] = []

    def make_takers(self, target: Target, session: CdpSession) -> tuple[Taker, ...]:
        """See `MakeTakers`."""
        kind = "page" if session is target.session else "child"
        return (lambda method, params: self.events.append((kind, method, params)),)

    def logged(self, kind: str) -> list[object]:
        """What the console was told."""
        return self._found(kind, "Runtime.consoleAPICalled", "args[0].value")

    def requested(self, kind: str) -> list[object]:
        """The URLs that were requested."""
        return self._found(kind, "Network.requestWillBeSent", "request.url")

    def _found(self, kind: str, name: str, path: str) -> list[object]:
        return [
            jmespath.search(path, params)
            for found, method, params in self.events
            if found == kind and method == name
        ]
