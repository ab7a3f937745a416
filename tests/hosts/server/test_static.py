"""`GET jupyter-ac/static/FILE`."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from pytest_jupyter.pytest_tornasync import AsyncHTTPServerClient
from tornado.httpclient import HTTPClientError, HTTPResponse

Get = Callable[[str], Awaitable[HTTPResponse]]


@pytest.fixture
def static_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A built front end in a folder of the test's own."""
    folder = tmp_path / "built"
    (folder / "lib").mkdir(parents=True)
    (tmp_path / "secret.js").write_text("secret", encoding="utf-8")
    (folder / "ui-0a1b2c.js").write_text("export {}", encoding="utf-8")
    (folder / "widget.js").write_text("export default {}", encoding="utf-8")
    (folder / "build.json").write_text("{}", encoding="utf-8")
    (folder / "diagrams-0a1b2c.html").write_text("<!doctype html>", encoding="utf-8")
    (folder / "lib/math-0a1b2c3d.css").write_text("a{}", encoding="utf-8")
    (folder / ".hidden.js").write_text("hidden", encoding="utf-8")
    (folder / "odd.bin").write_bytes(b"\0")
    (folder / "link.js").symlink_to(tmp_path / "secret.js")
    monkeypatch.setattr("jupyter_ac.hosts.server.extension.STATIC_DIR", folder)
    return folder


@pytest.fixture
def get(static_dir: Path, http_server_client: AsyncHTTPServerClient, jp_base_url: str) -> Get:
    """Fetch a file without any login."""

    async def fetch(path: str) -> HTTPResponse:
        answer: HTTPResponse = await http_server_client.fetch(
            f"{jp_base_url}jupyter-ac/static/{path}", follow_redirects=False
        )
        return answer

    assert static_dir.is_dir()
    return fetch


@pytest.fixture(autouse=True)
def _before_the_server(static_dir: Path) -> None:
    """Have the folder in place before the server reads where it is."""


@pytest.mark.parametrize(
    ("path", "content_type", "caching"),
    [
        ("ui-0a1b2c.js", "text/javascript; charset=utf-8", "immutable"),
        ("lib/math-0a1b2c3d.css", "text/css; charset=utf-8", "immutable"),
        ("widget.js", "text/javascript; charset=utf-8", "no-cache"),
        ("build.json", "application/json", "no-cache"),
        ("odd.bin", "application/octet-stream", "no-cache"),
    ],
)
async def test_a_file_comes_with_its_type_and_how_long_it_keeps(
    get: Get, path: str, content_type: str, caching: str
) -> None:
    answer = await get(path)
    assert answer.headers["Content-Type"] == content_type
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert caching in answer.headers["Cache-Control"]


async def test_the_page_that_draws_diagrams_can_do_nothing_else(get: Get) -> None:
    answer = await get("diagrams-0a1b2c.html")
    policy = answer.headers.get_list("Content-Security-Policy")
    assert len(policy) == 1
    assert policy[0].startswith("sandbox allow-scripts; default-src 'none'; ")
    other = await get("ui-0a1b2c.js")
    assert "sandbox" not in other.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path",
    [
        "",
        "missing.js",
        "lib",
        "lib/",
        ".hidden.js",
        "link.js",
        "../secret.js",
        "lib/../../secret.js",
        "..%2Fsecret.js",
        "%2e%2e/secret.js",
        "lib/..%5c..%5csecret.js",
        "/etc/passwd",
    ],
)
async def test_nothing_else_can_be_fetched(get: Get, path: str) -> None:
    with pytest.raises(HTTPClientError) as caught:
        await get(path)
    assert caught.value.code in {302, 403, 404}  # the server takes slashes off the end
    assert b"secret" not in (caught.value.response.body if caught.value.response else b"")


async def test_head_answers_with_headers_only(
    http_server_client: AsyncHTTPServerClient, jp_base_url: str
) -> None:
    answer = await http_server_client.fetch(
        f"{jp_base_url}jupyter-ac/static/ui-0a1b2c.js", method="HEAD"
    )
    assert answer.code == 200
    assert answer.body == b""
