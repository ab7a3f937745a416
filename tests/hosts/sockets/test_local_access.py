import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tornado.httputil import HTTPHeaders

from jupyter_ac.errors import AccessDenied
from jupyter_ac.hosts.sockets.local_access import (
    check_host,
    check_local,
    check_origin,
    check_token,
    is_client_name,
    is_own_origin,
    without_query,
)

NAMES = st.sampled_from(["127.0.0.1", "localhost", "[::1]", "LOCALHOST", "LocalHost"])
PORTS = st.one_of(st.just(""), st.integers(0, 65535).map(":{}".format))
OWN_HOSTS = st.tuples(NAMES, PORTS).map("".join)
# What an attacker can make of a loopback name: put something before or after it.
WORDS = st.text("abz019.-:/@#?[]%\\ \t\n\r\0,_", min_size=1, max_size=12)
FOREIGN = [
    "",
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "localhost.",
    "127.0.0.1.",
    "127.0.0.1:80.evil.example",
    "127.0.0.1:18080:1",
    "127.0.0.1:",
    "127.0.0.1:port",
    "127.0.0.1:123456",
    "user@127.0.0.1",
    "127.0.0.1@evil.example",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0.0.0.0",
    "[::]",
    "::1",
    "[::1",
    "[::ffff:127.0.0.1]",
    "192.168.0.2",
    "localhost\n",
    " localhost",
    "localhost, localhost",
    "127.0.0.1:\u0663",
    "\u217cocalhost",
    "localho\u017ft",
]


def refuses(check: object, *args: object) -> bool:
    assert callable(check)
    try:
        check(*args)
    except AccessDenied as error:
        return str(error) != ""
    return False


@given(host=OWN_HOSTS)
def test_every_loopback_name_with_any_port_is_this_machine(host: str) -> None:
    check_host([host])


@pytest.mark.parametrize("host", FOREIGN)
def test_another_host_is_refused(host: str) -> None:
    assert refuses(check_host, [host])


@given(host=OWN_HOSTS, before=st.one_of(st.just(""), WORDS), after=st.one_of(st.just(""), WORDS))
@example(host="127.0.0.1", before="", after=".evil.example")
@example(host="localhost", before="evil.", after="")
def test_what_surrounds_a_loopback_name_makes_it_another(
    host: str, before: str, after: str
) -> None:
    text = f"{before}{host}{after}"
    is_port = ":" not in host.removeprefix("[::1]") and after[:1] == ":" and after[1:].isdigit()
    lengthens_port = ":" in host.removeprefix("[::1]") and after.isdigit()
    if (before or after) and not is_port and not lengthens_port:
        assert refuses(check_host, [text])
        assert refuses(check_origin, [f"http://{text}"])


@given(text=st.text(max_size=30))
def test_no_other_text_is_a_host_or_an_origin(text: str) -> None:
    assume(not any(name in text.lower() for name in ("127.0.0.1", "localhost", "[::1]")))
    assert refuses(check_host, [text])
    assert refuses(check_origin, [text])


@pytest.mark.parametrize("hosts", [[], ["localhost", "localhost"], ["localhost", "evil.example"]])
def test_there_is_exactly_one_host(hosts: list[str]) -> None:
    assert refuses(check_host, hosts)


@given(host=OWN_HOSTS, scheme=st.sampled_from(["http", "https"]))
def test_pages_of_this_machine_may_ask(host: str, scheme: str) -> None:
    check_origin([f"{scheme}://{host}"])
    assert is_own_origin(f"{scheme}://{host}")


def test_a_program_without_an_origin_may_ask() -> None:
    check_origin([])


@pytest.mark.parametrize(
    "origin",
    [
        *(f"http://{host}" for host in FOREIGN),
        *(
            "",
            "null",
            "*",
            "file://",
            "localhost",
            "//localhost",
            "ftp://localhost",
            "ws://localhost",
        ),
        *("chrome-extension://localhost", "vscode-webview://abc", "http://localhost/"),
        *("http://localhost:80/path", "http:/localhost", "http://localhost http://localhost"),
        *("javascript://localhost", "blob:http://localhost", "about:blank"),
    ],
)
def test_a_foreign_page_may_not(origin: str) -> None:
    assert refuses(check_origin, [origin])
    assert refuses(check_origin, ["http://localhost", origin])


@pytest.mark.parametrize("name", ["Origin", "Sec-WebSocket-Origin"])
def test_a_request_is_judged_by_its_host_and_both_headers_of_its_page(name: str) -> None:
    def headers(host: str, origin: str) -> HTTPHeaders:
        return HTTPHeaders({"Host": host, name: origin})

    assert not refuses(check_local, HTTPHeaders({"Host": "localhost:1"}))
    assert not refuses(check_local, headers("localhost:1", "http://127.0.0.1"))
    assert refuses(check_local, headers("evil.example", "http://127.0.0.1"))
    assert refuses(check_local, headers("localhost:1", "http://evil.example"))
    assert refuses(check_local, HTTPHeaders())


def test_the_token_opens_by_query_or_header() -> None:
    check_token("s3cret", "", ["s3cret"])
    check_token("s3cret", "token s3cret", [])
    check_token("s3cret", "Token  s3cret ", ["other"])


def test_without_a_token_nobody_is_asked() -> None:
    check_token("", "", [])
    check_token("", "token x", ["y"])


@given(expected=st.text(min_size=1), given_=st.text())
@example(expected="s3cret", given_="\udcff")
@example(expected="s3cret", given_="s3cret\0")
def test_no_other_token_opens(expected: str, given_: str) -> None:
    if expected != given_:
        assert refuses(check_token, expected, "", [given_])


@pytest.mark.parametrize(
    ("authorization", "query"),
    [
        ("", []),
        ("", [""]),
        ("", ["s3cret", "s3cret"]),
        ("", ["x", "s3cret"]),
        ("Bearer s3cret", []),
        ("token", []),
        ("token s3cret x", []),
        ("token x", ["s3cret"]),
        ("token s3cret,token x", []),
    ],
)
def test_a_doubtful_token_does_not_open(authorization: str, query: list[str]) -> None:
    assert refuses(check_token, "s3cret", authorization, query)


@given(path=st.text("/abc", max_size=8), query=st.text(max_size=30))
def test_what_is_logged_has_no_query(path: str, query: str) -> None:
    assert without_query(path) == path
    assert without_query(f"{path}?{query}") == f"{path}?…"


def test_a_page_s_name_for_itself_is_short_and_plain() -> None:
    assert all(map(is_client_name, ["", "a", "A-b_c.9", "x" * 64]))
    assert not any(map(is_client_name, ["x" * 65, "a b", "ä", "a\n", "a/b"]))
