"""The record of a fetched address."""

from dataclasses import asdict
from typing import cast

import pytest

from jupyter_ac.web.addresses import parse_address
from jupyter_ac.web.url_content import GitHubInfo, UrlContent, content_of


def content(url: str, **members: str) -> UrlContent:
    address = parse_address(url)
    assert address is not None
    return content_of(asdict(UrlContent.of(address)) | members)


def test_what_an_address_of_github_names() -> None:
    assert content("https://github.com/a/b/pull/7").github_info == GitHubInfo("a", "b", pr_number=7)
    issue = content("https://github.com/a/b/issues/8").github_info
    assert issue == GitHubInfo("a", "b", issue_number=8)
    assert content("https://a.org/").github_info is None


def test_a_model_reads_the_shortest_text() -> None:
    page = {"content": "all", "readme": "", "summary": ""}
    assert content("https://a.org/", **page).body == "all"
    assert content("https://a.org/", **page | {"readme": "read me"}).body == "read me"
    assert content("https://a.org/", **page | {"summary": "short"}).body == "short"


@pytest.mark.parametrize("name", ["url", "title", "content", "fetched_at"])
def test_members_that_are_null(name: str) -> None:
    with pytest.raises(TypeError, match=name):
        content("https://a.org/", **cast("dict[str, str]", {name: None}))


@pytest.mark.parametrize("row", [None, [], {}, {"url": 1}, {"url": "x", "more": "y"}])
def test_other_rows_are_refused(row: object) -> None:
    with pytest.raises(TypeError):
        content_of(row)
