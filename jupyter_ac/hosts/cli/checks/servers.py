"""Checks of this user's Jupyter servers: the extension is loaded and its WebSocket answers."""

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from jupyter_server.serverapp import ServerApp, list_running_servers
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from jupyter_ac.hosts.cli.checks.context import (
    CheckContext,
    CheckResult,
    CheckState,
    fail,
    ok,
    warn,
)
from jupyter_ac.hosts.sockets.codes import REPOSITORY_NOT_ALLOWED
from jupyter_ac.hosts.standalone.server import ServeOptions, listening
from jupyter_ac.version import __version__

LIMIT_S: Final = 15.0
AT_MOST: Final = 8

_EXTENSION: Final = "jupyter_ac"
_HANDSHAKE: Final = json.dumps(
    {"jsonrpc": "2.0", "id": 1, "method": "system.listComponents", "params": {"args": []}}
)
_NOT_FOUND: Final = 404
_RANK: Final = (CheckState.FAIL, CheckState.WARN, CheckState.OK)


async def extension(_here: CheckContext) -> CheckResult:
    """Check that a Jupyter server of this environment will load the extension."""
    enabled = await asyncio.to_thread(_enabled)
    if enabled is None:
        return fail("not configured", "Run `jupyter server extension enable jupyter_ac`.")
    if not enabled:
        return warn(
            "switched off: panels work through the kernel, the side panel does not",
            "Run `jupyter server extension enable jupyter_ac` and restart Jupyter.",
        )
    return ok("enabled")


def _enabled() -> bool | None:
    """Ask as a server does, of all its configuration files; none is started."""
    application = ServerApp(log_level=logging.CRITICAL)
    application.load_config_file(suppress_errors=True)
    application.find_server_extensions()
    value: object = application.jpserver_extensions.get(_EXTENSION)
    return None if value is None else bool(value)


@dataclass(frozen=True, slots=True)
class _Server:
    """A Jupyter server that runs."""

    url: str
    token: str
    is_hidden: bool

    @classmethod
    def read(cls, info: Mapping[str, object]) -> "_Server":
        return cls(str(info.get("url", "")), str(info.get("token", "")), bool(info.get("sock")))

    def request(self, path: str, scheme: str = "http") -> HTTPRequest:
        headers = {"Authorization": f"token {self.token}"} if self.token else {}
        url = f"{scheme}{self.url.removeprefix('http')}{path}"
        # The certificate is one of this machine's own.
        return HTTPRequest(
            url,
            headers=headers,
            validate_cert=False,
            connect_timeout=LIMIT_S,
            request_timeout=LIMIT_S,
        )


def _servers() -> list[_Server]:
    return [_Server.read(info) for info in list_running_servers()][:AT_MOST]


async def running(_here: CheckContext) -> CheckResult:
    """Report the versions in this user's running Jupyter servers."""
    servers = await asyncio.to_thread(_servers)
    if not servers:
        return ok("none")
    return _together([await _version_in(server) for server in servers])


async def _version_in(server: _Server) -> CheckResult:
    if server.is_hidden:
        return warn(f"{server.url} listens on a Unix socket and isn't asked", "Ask it by hand.")
    try:
        answer = await AsyncHTTPClient().fetch(server.request("jupyter-ac/health"))
        found: object = json.loads(answer.body)
    except HTTPClientError as error:
        if error.code == _NOT_FOUND:
            return warn(
                f"{server.url} runs without jupyter_ac",
                "Install jupyter-ac in its environment, enable the extension, restart it.",
            )
        return warn(f"{server.url} answers {error.code}", "See its log.")
    except (OSError, ValueError, RecursionError) as error:
        return warn(f"{server.url} doesn't answer ({error})", "See its log.")
    version = found.get("version") if isinstance(found, dict) else None
    if version != __version__:
        return warn(f"{server.url} runs {version}, installed is {__version__}", "Restart it.")
    return ok(f"{server.url} runs {version}")


async def socket(here: CheckContext) -> CheckResult:
    """Check the WebSocket of the running servers, or else of a temporary server."""
    servers = [server for server in await asyncio.to_thread(_servers) if not server.is_hidden]
    folder = here.repository.root
    if not servers:
        async with listening(ServeOptions(folder, port=0)) as address:
            return await _greet("a trial server", HTTPRequest(address.socket))
    query = f"jupyter-ac/rpc?repo={quote(str(folder), safe='')}"
    return _together([await _greet(each.url, each.request(query, "ws")) for each in servers])


async def _greet(name: str, request: HTTPRequest) -> CheckResult:
    """Connect and ask for the list of methods."""
    try:
        async with asyncio.timeout(LIMIT_S):
            connection = await websocket_connect(request)
            try:
                await connection.write_message(_HANDSHAKE)
                while (frame := await connection.read_message()) is not None:
                    methods = _methods(frame)
                    if methods:
                        return ok(f"{name} answers, {methods} methods")
            finally:
                connection.close()
    except HTTPClientError as error:
        return warn(
            f"{name} refuses the handshake ({error.code})",
            "Log in to it in a browser; a password can't be used from here.",
        )
    except TimeoutError:
        return fail(f"{name} is silent", "Look for a proxy between, and see its log.")
    except OSError as error:
        return fail(f"{name}: {error}", "See its log.")
    if connection.close_code == REPOSITORY_NOT_ALLOWED:
        return ok(f"{name} answers; this repository lies outside what it shows")
    reason = connection.close_reason or f"code {connection.close_code}"
    return fail(f"{name} closes the connection: {reason}", "See its log.")


def _methods(frame: str | bytes) -> int:
    """Count the methods in the answer to the handshake; 0 for any other frame."""
    with suppress(ValueError, RecursionError):
        match json.loads(frame):
            case {"id": 1, "result": dict(methods)}:
                return len(methods)
    return 0


def _together(findings: Sequence[CheckResult]) -> CheckResult:
    """Merge several results into one with the worst severity."""
    worst = min((finding.state for finding in findings), key=_RANK.index)
    remedies = dict.fromkeys(finding.remedy for finding in findings if finding.remedy)
    return CheckResult(worst, "; ".join(each.text for each in findings), " ".join(remedies))
