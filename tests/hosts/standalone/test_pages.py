"""The page, the files beside it, and the health."""

import json
import os
from pathlib import Path

import pytest

from jupyter_ac.hosts.standalone.pages import page_exists
from jupyter_ac.hosts.standalone.server import Address
from jupyter_ac.version import PROTOCOL, __version__
from tests.hosts.standalone.conftest import STATIC, Serve, get, talk


async def test_the_page_is_at_the_root_with_or_without_a_query(address: Address) -> None:
    for path in ("/", "/?port=1", f"/?token={address.token}", "/?token=wrong"):
        status, headers, body = await get(address.port, path)
        assert (status, body) == (200, STATIC["page.html"])
        assert headers["content-type"] == "text/html; charset=utf-8"
        assert headers["cache-control"] == "no-cache"


async def test_the_page_runs_our_code_only_and_talks_to_this_machine_only(address: Address) -> None:
    _, headers, _ = await get(address.port, "/")
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert set(policy["connect-src"].split()) == {
        *("'self'", "ws://127.0.0.1:*", "ws://localhost:*"),
        *("http://127.0.0.1:*", "http://localhost:*"),
    }
    assert "unsafe" not in policy["script-src"]
    assert headers["cross-origin-opener-policy"] == "same-origin"


async def test_the_page_that_draws_diagrams_can_do_nothing_else(address: Address) -> None:
    _, headers, _ = await get(address.port, "/static/diagrams-0a1b2c.html")
    policy = headers["content-security-policy"].split("; ")
    assert policy[:2] == ["sandbox allow-scripts", "default-src 'none'"]
    assert {"base-uri 'none'", "form-action 'none'", "frame-ancestors 'self'"} < set(policy)
    assert headers["cross-origin-resource-policy"] == "same-origin"
    _, page, _ = await get(address.port, "/")
    assert "frame-src 'self'" in page["content-security-policy"].split("; ")


@pytest.mark.parametrize("path", ["/", "/static/page.js", "/health"])
async def test_the_headers_alone_can_be_asked_for(address: Address, path: str) -> None:
    lines = [f"HEAD {path} HTTP/1.1", "Host: localhost", "Connection: close"]
    status, headers, _ = await talk(address.port, *lines, expects_body=False)
    assert status == 200
    assert int(headers["content-length"]) > 0


@pytest.mark.parametrize(
    ("name", "content_type", "caching"),
    [
        ("page.js", "text/javascript; charset=utf-8", "no-cache"),
        ("page.css", "text/css; charset=utf-8", "no-cache"),
        ("ui-0a1b2c.js", "text/javascript; charset=utf-8", "immutable"),
    ],
)
async def test_a_file_comes_with_its_type_and_how_long_it_keeps(
    address: Address, name: str, content_type: str, caching: str
) -> None:
    status, headers, body = await get(address.port, f"/static/{name}")
    assert (status, body) == (200, STATIC[name])
    assert headers["content-type"] == content_type
    assert caching in headers["cache-control"]


@pytest.mark.parametrize(
    "path",
    ["link.js", "none.js", "../secret.js", "%2e%2e/secret.js", "..%2fsecret.js", ".hidden", ""],
)
async def test_nothing_else_is_given(address: Address, path: str) -> None:
    status, _, body = await get(address.port, f"/static/{path}")
    assert status in {403, 404}
    assert "secret" not in body


async def test_the_health_is_told_to_everybody_on_this_machine(address: Address) -> None:
    status, headers, body = await get(address.port, "/health")
    assert status == 200
    assert json.loads(body) == {
        "status": "ok",
        "version": __version__,
        "protocol": PROTOCOL,
        "pid": os.getpid(),
    }
    assert headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in headers


async def test_a_page_on_another_port_can_read_the_health(address: Address) -> None:
    _, headers, _ = await get(address.port, "/health", "Origin: http://localhost:5173")
    assert headers["access-control-allow-origin"] == "http://localhost:5173"
    assert "access-control-allow-credentials" not in headers


async def test_a_page_is_told_whether_its_token_is_right(address: Address) -> None:
    asked = {
        "": False,
        "?token=wrong": False,
        f"?token={address.token}&token=x": False,
        f"?token={address.token}": True,
    }
    for query, allowed in asked.items():
        status, headers, body = await get(
            address.port, f"/access{query}", "Origin: http://localhost:5173"
        )
        assert (status, json.loads(body)) == (200, {"allowed": allowed})
        assert headers["access-control-allow-origin"] == "http://localhost:5173"
        assert headers["cache-control"] == "no-store"
    header = f"Authorization: token {address.token}"
    assert json.loads((await get(address.port, "/access", header))[2]) == {"allowed": True}


async def test_a_foreign_page_is_told_nothing(address: Address) -> None:
    path = f"/access?token={address.token}"
    status, headers, _ = await get(address.port, path, "Origin: https://evil.example")
    assert status == 403
    assert "access-control-allow-origin" not in headers


async def test_where_no_token_is_asked_for_everybody_is_allowed(serve: Serve) -> None:
    open_door = await serve(asks_token=False)
    assert json.loads((await get(open_door.port, "/access"))[2]) == {"allowed": True}


def test_the_package_has_a_page_once_it_is_built(tmp_path: Path) -> None:
    assert not page_exists(tmp_path)
    (tmp_path / "page.html").touch()
    assert page_exists(tmp_path)
