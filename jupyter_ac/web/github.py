"""Reads files, gists, issues, pull requests and repositories of GitHub, without a login.

Issues and pull requests come from GitHub's REST API (60 requests an hour for each network
address); where it refuses, their pages are read as any other page.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final
from urllib.parse import quote

import orjson

from jupyter_ac.errors import NotFound, Unsupported
from jupyter_ac.web.addresses import GitHubPlace
from jupyter_ac.web.fetch_request import GitHubHosts
from jupyter_ac.web.http_client import Download
from jupyter_ac.web.page_text import PageText, decoded, page_text, shortened

Get = Callable[[str], Awaitable[Download]]
"""Downloads one address."""

MAX_COMMENTS: Final = 100


async def read_file(get: Get, hosts: GitHubHosts, place: GitHubPlace) -> PageText:
    """Read one file of a repository."""
    where = f"{place.owner}/{place.repo}/{place.branch}/{place.path}"
    download = await get(f"{hosts.raw}/{quote(where)}")
    text = page_text(download.url, "text/plain", download.charset, download.data)
    name = f"{place.owner}/{place.repo}: {place.path} ({place.branch})"
    return PageText(name, "", text.content)


async def read_gist(get: Get, hosts: GitHubHosts, place: GitHubPlace) -> PageText:
    """Read all files of a gist."""
    row = _mapping(await _json(get, f"{hosts.api}/gists/{place.gist}"))
    files = [_mapping(each) for each in _mapping(row.get("files")).values()]
    if not files:
        raise NotFound("the gist has no files")
    parts = [f"# {_text(each, 'filename')}\n\n{_text(each, 'content')}" for each in files]
    title = _text(row, "description") or f"gist of {place.owner}"
    return PageText(title, "", shortened("\n\n".join(parts)))


async def read_issue(get: Get, hosts: GitHubHosts, place: GitHubPlace) -> PageText:
    """Read an issue, or the talk about a pull request, with its first comments."""
    address = f"{hosts.api}/repos/{place.owner}/{place.repo}/issues/{place.number}"
    row = _mapping(await _json(get, address))
    parts = [f"# {_text(row, 'title')}\n\n{_said_by(row)} ({_text(row, 'state')})"]
    parts.append(_text(row, "body"))
    if row.get("comments"):
        comments = await _json(get, f"{address}/comments?per_page={MAX_COMMENTS}")
        for each in comments if isinstance(comments, Sequence) else ():
            comment = _mapping(each)
            parts.append(f"## {_said_by(comment)}\n\n{_text(comment, 'body')}")
    return PageText(_text(row, "title"), "", shortened("\n\n".join(filter(None, parts))))


def archive_address(hosts: GitHubHosts, place: GitHubPlace) -> str:
    """Return the address of a repository's files as a compressed tar archive."""
    revision = place.branch or "HEAD"
    return f"{hosts.archives}/{place.owner}/{place.repo}/tar.gz/{quote(revision)}"


async def _json(get: Get, address: str) -> object:
    download = await get(address)
    try:
        return orjson.loads(decoded(download.data, download.charset))
    except orjson.JSONDecodeError as error:
        raise Unsupported("the answer of GitHub's API can't be read") from error


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _text(row: Mapping[str, object], name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""


def _said_by(row: Mapping[str, object]) -> str:
    return f"{_text(_mapping(row.get('user')), 'login')}, {_text(row, 'created_at')[:10]}"
