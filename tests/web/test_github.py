"""What is read of GitHub's answers, whatever they hold."""

import asyncio
import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import AccessDenied, NotFound, Unsupported
from jupyter_ac.web.addresses import GitHubPlace
from jupyter_ac.web.fetch_request import GitHubHosts
from jupyter_ac.web.github import Get, archive_address, read_file, read_gist, read_issue
from jupyter_ac.web.http_client import Download

HOSTS = GitHubHosts("https://api", "https://raw", "https://archives")
ISSUE = GitHubPlace("a", "b", number=7)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
)


def answering(answers: Mapping[str, object]) -> Get:
    async def get(url: str) -> Download:
        if url not in answers:
            raise NotFound(url)
        value = answers[url]
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        return Download(url, "application/json", "utf-8", data)

    return get


async def test_a_file_is_asked_for_by_its_revision() -> None:
    get = answering({"https://raw/a/b/v1/src/x%20y.py": b"x = 1"})
    text = await read_file(get, HOSTS, GitHubPlace("a", "b", "v1", "src/x y.py"))
    assert (text.title, text.content) == ("a/b: src/x y.py (v1)", "x = 1")


async def test_an_issue_without_comments_needs_one_request() -> None:
    row = {"title": "It leaks", "state": "open", "comments": 0, "user": {"login": "ann"}}
    get = answering({"https://api/repos/a/b/issues/7": row})
    assert (await read_issue(get, HOSTS, ISSUE)).content == "# It leaks\n\nann,  (open)"


async def test_a_gist_without_files() -> None:
    with pytest.raises(NotFound, match="no files"):
        await read_gist(answering({"https://api/gists/1": {}}), HOSTS, GitHubPlace(gist="1"))


async def test_an_answer_that_is_no_json() -> None:
    get = answering({"https://api/repos/a/b/issues/7": b"<html>"})
    with pytest.raises(Unsupported, match="can't be read"):
        await read_issue(get, HOSTS, ISSUE)


async def test_a_refusal_is_the_callers_matter() -> None:
    async def get(url: str) -> Download:
        raise AccessDenied(url)

    with pytest.raises(AccessDenied):
        await read_issue(get, HOSTS, ISSUE)


@pytest.mark.parametrize(
    ("place", "address"),
    [
        (GitHubPlace("a", "b"), "https://archives/a/b/tar.gz/HEAD"),
        (GitHubPlace("a", "b", "v 1"), "https://archives/a/b/tar.gz/v%201"),
    ],
)
def test_the_archive_of_a_repository(place: GitHubPlace, address: str) -> None:
    assert archive_address(HOSTS, place) == address


@given(JSON, JSON)
def test_any_json(issue: object, comments: object) -> None:
    address = "https://api/repos/a/b/issues/7"
    if isinstance(issue, dict):
        issue["comments"] = 1
    get = answering({address: issue, f"{address}/comments?per_page=100": comments})
    assert isinstance(asyncio.run(read_issue(get, HOSTS, ISSUE)).content, str)
