"""Addresses in text: where they begin and end, and what kind of page each names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.web.addresses import (
    MAX_FOUND,
    MAX_LENGTH,
    GitHubPlace,
    find_addresses,
    parse_address,
)


def urls(text: str) -> list[str]:
    return [each.url for each in find_addresses(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see https://a.org.", ["https://a.org"]),
        ("(https://a.org/x)", ["https://a.org/x"]),
        (
            "https://en.wikipedia.org/wiki/Pump_(x)!",
            ["https://en.wikipedia.org/wiki/Pump_(x)"],
        ),
        ("[a](https://a.org/x) <https://b.org/y>", ["https://a.org/x", "https://b.org/y"]),
        ('"https://a.org/x","https://a.org/x"', ["https://a.org/x"]),
        ("HTTPS://A.org/#part", ["HTTPS://A.org/"]),
        ("**https://a.org/x**", ["https://a.org/x"]),
        ("https://a.org/?q=1&r=2;", ["https://a.org/?q=1&r=2"]),
        ("https://localhost:8000/x http://[::1]/", ["https://localhost:8000/x"]),
        ("ftp://a.org file:///etc/passwd javascript:alert(1)", []),
        ("https:// http://. https://:80/", []),
        ("https://a.org:port/x", []),
        ("https://a.org/" + "x" * MAX_LENGTH, []),
        ("https://a.org" + ")." * 400_000, ["https://a.org"]),
    ],
)
def test_where_they_are(text: str, found: list[str]) -> None:
    assert urls(text) == found


@pytest.mark.parametrize(
    ("url", "kind", "name"),
    [
        ("https://github.com/pallets/flask", "github_repo", "pallets/flask"),
        ("https://github.com/pallets/flask.git/", "github_repo", "pallets/flask"),
        ("https://github.com/pallets/flask/tree/3.0.x", "github_repo", "pallets/flask"),
        ("https://github.com/pallets/flask/issues/12", "github_issue", "pallets/flask#12"),
        ("https://github.com/pallets/flask/pull/13/files", "github_pr", "pallets/flask!13"),
        (
            "https://github.com/pallets/flask/blob/main/src/app.py",
            "github_file",
            "pallets/flask/app.py",
        ),
        ("https://raw.githubusercontent.com/a/b/main/c.md", "github_file", "a/b/c.md"),
        ("https://raw.githubusercontent.com/a/b/refs/heads/main/c.md", "github_file", "a/b/c.md"),
        (
            "https://gist.github.com/ann/0123456789abcdef",
            "github_gist",
            "gist ann/0123456789abcdef",
        ),
        ("https://github.com/pallets/flask/wiki", "generic", "github.com/pallets/flask/wiki"),
        ("https://github.com/features/actions", "generic", "github.com/features/actions"),
        ("https://github.com:8080/a/b", "generic", "github.com:8080/a/b"),
        ("https://github.com/a/..", "generic", "github.com/a/.."),
        ("https://docs.python.org/3/", "documentation", "docs.python.org/3"),
        ("https://x.readthedocs.io/en/latest/", "documentation", "x.readthedocs.io/en/latest"),
        ("https://a.org/docs/guide", "documentation", "a.org/docs/guide"),
        ("https://a.org/docs", "generic", "a.org/docs"),
        ("https://a.org/" + "long/" * 20, "generic", "a.org/long/long/long/long/long/long/l..."),
    ],
)
def test_kinds(url: str, kind: str, name: str) -> None:
    address = parse_address(url)
    assert address is not None
    assert (address.type, address.display_name) == (kind, name)


def test_what_an_address_of_github_names() -> None:
    file = parse_address("https://github.com/a/b/blob/v1.2/src/with%20blank/x.py#L10")
    assert file is not None
    assert file.github == GitHubPlace("a", "b", "v1.2", "src/with blank/x.py")


def test_a_text_full_of_addresses() -> None:
    text = " ".join(f"https://a.org/{at}" for at in range(200))
    assert len(find_addresses(text)) == MAX_FOUND


@given(st.text())
def test_any_text(text: str) -> None:
    for address in find_addresses(text + " https://a.org/x " + text):
        assert parse_address(address.url) == address
        assert len(address.display_name) <= 40


@given(st.text(alphabet="ab/:.@[]%?#()1 ", max_size=60))
def test_nearly_addresses(end: str) -> None:
    for address in find_addresses("https://" + end):
        assert parse_address(address.url) == address
