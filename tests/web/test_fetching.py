"""Fetching by kind of address, without a process of its own."""

import io
import json
import tarfile
from pathlib import Path

import pytest

from jupyter_ac.errors import TimedOut, Unsupported
from jupyter_ac.web.fetch_request import FetchedPage, FetchRequest, GitHubHosts
from jupyter_ac.web.fetching import fetch
from tests.web.hostile_server import HostileServer, hostile_server, ok, status

ISSUE = {
    "title": "It leaks",
    "body": "Water.",
    "state": "open",
    "comments": 1,
    "user": {"login": "ann"},
    "created_at": "2026-01-02T03:04:05Z",
}
COMMENTS = [{"body": "Tighten it.", "user": {"login": "bob"}, "created_at": "2026-01-03T00:00:00Z"}]


def as_json(value: object) -> bytes:
    return json.dumps(value).encode()


async def fetched(
    server: HostileServer, url: str, folder: Path | None = None, limit_s: float = 20.0
) -> FetchedPage:
    hosts = GitHubHosts(server.url("/api"), server.url("/raw"), server.url("/archives"))
    request = FetchRequest(
        url, str(folder or ""), limit_s=limit_s, let_through=(server.place,), github=hosts
    )
    return await fetch(request, lambda _: None)


async def test_a_page() -> None:
    with hostile_server() as server:
        page = await fetched(server, server.url("/here"))
    assert page.title == "Pumps"
    assert page.final_url == server.url("/page")


async def test_a_file_of_github() -> None:
    with hostile_server() as server:
        server.answers["/raw/a/b/v1.2/src/x%20y.py"] = ok("<b> = 1", "text/plain")
        page = await fetched(server, "https://github.com/a/b/blob/v1.2/src/x%20y.py")
    assert page.content == "<b> = 1"
    assert page.title == "a/b: src/x y.py (v1.2)"


async def test_an_issue_with_its_comments() -> None:
    with hostile_server() as server:
        server.answers["/api/repos/a/b/issues/7"] = ok(as_json(ISSUE), "application/json")
        comments = "/api/repos/a/b/issues/7/comments?per_page=100"
        server.answers[comments] = ok(as_json(COMMENTS), "application/json")
        page = await fetched(server, "https://github.com/a/b/issues/7")
    assert page.title == "It leaks"
    assert page.content == (
        "# It leaks\n\nann, 2026-01-02 (open)\n\nWater.\n\n## bob, 2026-01-03\n\nTighten it."
    )


@pytest.mark.parametrize("answer", [as_json(None), as_json([]), as_json({"comments": 1})])
async def test_unexpected_answers_of_the_api(answer: bytes) -> None:
    with hostile_server() as server:
        server.answers["/api/repos/a/b/issues/7"] = ok(answer, "application/json")
        comments = "/api/repos/a/b/issues/7/comments?per_page=100"
        server.answers[comments] = ok(b'{"message": "no"}', "application/json")
        assert (await fetched(server, "https://github.com/a/b/issues/7")).title == ""


async def test_a_gist() -> None:
    files = {
        "a.py": {"filename": "a.py", "content": "a = 1"},
        "b": {"filename": "b", "content": "B"},
    }
    with hostile_server() as server:
        gist = as_json({"description": "Two files", "files": files})
        server.answers["/api/gists/0123456789"] = ok(gist, "application/json")
        page = await fetched(server, "https://gist.github.com/ann/0123456789")
    assert page.title == "Two files"
    assert page.content == "# a.py\n\na = 1\n\n# b\n\nB"


async def test_a_repository(tmp_path: Path) -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as tar:
        info = tarfile.TarInfo("b-main/README.md")
        info.size = 3
        tar.addfile(info, io.BytesIO(b"# B"))
    with hostile_server() as server:
        server.answers["/archives/a/b/tar.gz/HEAD"] = ok(file.getvalue(), "application/x-gzip")
        page = await fetched(server, "https://github.com/a/b", tmp_path)
    assert (page.title, page.readme) == ("a/b", "# B")
    assert (tmp_path / "README.md").read_text() == "# B"


@pytest.mark.parametrize("path", ["/slow", "/slow-head", "/silent"])
async def test_slow_servers(path: str) -> None:
    with hostile_server() as server, pytest.raises(TimedOut, match="within 1 seconds"):
        await fetched(server, server.url(path), limit_s=1.0)


@pytest.mark.parametrize("url", ["ftp://a.org", "words", "https://"])
async def test_no_addresses(url: str) -> None:
    with hostile_server() as server, pytest.raises(Unsupported, match="only addresses"):
        await fetched(server, url)


async def test_where_the_api_refuses_the_page_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with hostile_server() as server:
        server.answers["/api/repos/a/b/issues/7"] = status(403, "rate limit exceeded")
        monkeypatch.setenv("https_proxy", f"http://{server.place}")
        with pytest.raises(Unsupported, match=r"github\.com can't be read"):
            await fetched(server, "https://github.com/a/b/pull/7")
    assert any(head.startswith("CONNECT github.com:443") for head in server.asked)
