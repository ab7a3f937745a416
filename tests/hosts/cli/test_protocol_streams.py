import importlib.util
import sys

import pytest

from jupyter_ac.errors import NotReady
from jupyter_ac.hosts.cli import protocol_streams
from jupyter_ac.hosts.cli.protocol_streams import claim_for


@pytest.mark.parametrize(("command", "extra"), [("mcp", "mcp"), ("acp", "acp")])
def test_without_the_sdk_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, command: str, extra: str
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(NotReady, match=rf"pip install 'jupyter-ac\[{extra}\]'"):
        claim_for(command, command, extra)


def test_a_closed_stream_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(NotReady, match="must all be open"):
        claim_for("mcp", "mcp", "mcp")


def test_the_streams_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol_streams, "claim_pipes", lambda: (7, 8))
    assert claim_for("mcp", "mcp", "mcp") == (7, 8)
