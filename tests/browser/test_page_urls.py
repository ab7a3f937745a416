import pytest

from jupyter_ac.browser.page_urls import check_address, check_page
from jupyter_ac.errors import AccessDenied, InvalidParams


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8888/lab?x=1#top",
        "https://example.org",
        " https://example.org/ ",
        "HTTPS://example.org/",
        "about:blank",
        "http://[::1]:80/",
        "http://müller.example/ä",
    ],
)
def test_addresses_of_the_web(url: str) -> None:
    assert check_address(url) == url.strip()


@pytest.mark.parametrize(
    "url",
    [
        "chrome://settings",
        "chrome://crash",
        "devtools://devtools/bundled/inspector.html",
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:text/html,<p>x",
        "blob:http://127.0.0.1/x",
        "view-source:http://127.0.0.1/",
        "ftp://example.org/",
        "about:gpu",
        "chrome-extension://abc/x.html",
        "file:///etc/passwd",
        "filesystem:http://x/y",
    ],
)
def test_other_schemes_are_refused(url: str) -> None:
    with pytest.raises(AccessDenied):
        check_address(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "/lab",
        "//example.org",
        "http://",
        "http:///x",
        "http://[",
        "java\nscript:alert(1)",
        "java\tscript:alert(1)",
        "http://example.org/a b",
        "\x01javascript:alert(1)",
        "http://example.org/" + "x" * 100_000,
    ],
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises((InvalidParams, AccessDenied)):
        check_address(url)


@pytest.mark.parametrize(
    "url", ["chrome://settings/", "edge://flags", "devtools://x", "chrome-extension://a/b"]
)
def test_the_browsers_own_pages_are_not_acted_on(url: str) -> None:
    with pytest.raises(AccessDenied):
        check_page(url)


@pytest.mark.parametrize("url", ["", "about:blank", "chrome://newtab/", "http://x/chrome:"])
def test_other_pages_are(url: str) -> None:
    check_page(url)
