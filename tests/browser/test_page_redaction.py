import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jupyter_ac.browser.page_redaction import PageRedactor, is_secret_name

redactor = PageRedactor([])


@pytest.mark.parametrize(
    "text",
    [
        "password=hunter22&x=1",
        "x=1&user%5Bpassword%5D=hunter22",
        "see https://u:hunter22@h/p",
        'name="password"\r\n\r\nhunter22\r\n--x',
        '{"password": "hunter22"}',
        '{"a": {"newPassword":"hunter22',
        '{"access_token":"hunter22","x":1}',
        '{"text": "{\\"password\\": \\"hunter22\\"}"}',
        '{"tokens": ["a", "hunter22"]}',
        '{"pin": 22334455, "password": "hunter22"}',
        "{user: 'u', password: \"hunter22\"}",
        "password: hunter22",
        '{"log": "password: hunter22"}',
        "{'password': 'hunter22', 'a': 1}",
        '<meta name="csrf-token" content="hunter22">',
        '<a data-token="hunter22" class="b">',
        "const apiKey = 'hunter22';",
        "the api_key: abc-hunter22 is wrong",
        "Cookie: sid=hunter22",
        "authorization: Basic hunter22",
        "Authorization: Bearer hunter22aa",
        "<input type=password value=hunter22>",
        '<INPUT value="hunter22" type="password">',
        "<input name='csrf_token' value='hunter22'>",
        '<input type="password" value="hun>hunter22">',
        "-----BEGIN RSA PRIVATE KEY-----\nhunter22\n-----END RSA PRIVATE KEY-----",
        "eyJhbGciOiJIUzI1.eyJodW50ZXIyMg.hunter22",
        "key sk-ant-api03-hunter22hunter22",
    ],
)
def test_secrets_in_text_are_masked(text: str) -> None:
    masked = redactor.text(text)
    assert "hunter22" not in masked
    assert "…" in masked
    assert redactor.text(masked).count("…") == masked.count("…")


@pytest.mark.parametrize(
    "text",
    [
        "SyntaxError: Unexpected token: end of input",
        '{"max_tokens": 100, "key": "ArrowLeft", "primaryKey": "id"}',
        "TypeError: x is not a function at http://h/app.js:10:5",
        "a=1&b=2",
        '<input type="text" name="q" value="flowers">',
        "<div>11:30: pins: none</div>",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert redactor.text(text) == text


@pytest.mark.parametrize(
    ("url", "masked"),
    [
        ("http://h/a?token=abc&x=1", "http://h/a?token=…&x=1"),
        ("http://h/cb?code=0123456789abcdefXYZ&state=q", "http://h/cb?code=…&state=q"),
        ("http://h/a?code=404", "http://h/a?code=404"),
        ("http://h/a#access_token=abc", "http://h/a#access_token=…"),
        ("http://u:pw@h/", "http://…@h/"),
        ("http://h/a?q=Ab3Ab3Ab3Ab3Ab3Ab3Ab3Ab3Ab3", "http://h/a?q=…"),
        (
            "http://h/a?id=550e8400-e29b-41d4-a716-446655440000",
            "http://h/a?id=550e8400-e29b-41d4-a716-446655440000",
        ),
        ("http://h/a?q=a+long+question+about+2+things", None),
        ("http://h/app.0123456789abcdef0123.js", None),
        ("", None),
    ],
)
def test_urls_lose_only_their_secrets(url: str, masked: str | None) -> None:
    assert redactor.url(url) == (url if masked is None else masked)


@pytest.mark.parametrize(
    ("name", "value", "masked"),
    [
        ("Authorization", "Bearer abcdef", "Bearer …"),
        ("authorization", "abcdef", "…"),
        ("Cookie", "a=1; b=2", "a=…; b=…"),
        ("Set-Cookie", "sid=1; Path=/; HttpOnly", "sid=…; Path=/; HttpOnly"),
        ("Set-Cookie", "odd", "…"),
        ("X-Api-Key", "k", "…"),
        ("X-CSRF-Token", "k", "…"),
        ("Location", "/next?token=abc", "/next?token=…"),
        ("Content-Type", "text/html", "text/html"),
        ("Accept", "text/*", "text/*"),
    ],
)
def test_headers_lose_only_their_secrets(name: str, value: str, masked: str) -> None:
    assert redactor.header(name, value) == masked


def test_rows_keep_all_other_members() -> None:
    row = {"id": 1, "url": "http://h/?token=abc", "message": "password=hunter22", "error": 5}
    assert redactor.row(row) == {
        "id": 1,
        "url": "http://h/?token=…",
        "message": "password=…",
        "error": 5,
    }


def test_entries_are_masked_throughout() -> None:
    entry: dict[str, object] = {
        "request": {
            "url": "http://h/?token=hunter22",
            "headers": [{"name": "Cookie", "value": "a=hunter22"}],
            "cookies": [{"name": "a", "value": "hunter22", "path": "/"}],
            "queryString": [{"name": "token", "value": "hunter22"}, {"name": "q", "value": "x"}],
            "postData": {"text": "password=hunter22", "params": [{"name": "pwd", "value": "h"}]},
        },
        "response": {"content": {"text": '{"secret": "hunter22"}', "size": 5}},
    }
    masked = redactor.entry(entry)
    shown = orjson.dumps(masked).decode()
    assert "hunter22" not in shown
    assert '{"name":"q","value":"x"}' in shown
    assert '"path":"/"' in shown


def test_exact_secrets_are_masked_and_those_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert PageRedactor(["correct-horse"]).text("a correct-horse b") == "a … b"
    monkeypatch.setenv("SOME_API_KEY", "plainwords")
    assert PageRedactor().url("http://h/?a=plainwords") == "http://h/?a=…"


@given(st.text(st.sampled_from("\"'\\<>=:;{}[]&?#%. \npasswordtkenuinpty1"), max_size=200))
@example('"password":"' * 3)
def test_masking_never_fails(text: str) -> None:
    redactor.text(text)
    redactor.url(text)
    redactor.header("cookie", text)


WORD = st.text("abcdefXYZ019", min_size=3, max_size=20).map(lambda text: f"Zq7{text}Zq7")


@given(WORD, st.dictionaries(st.text("abcx", max_size=5), st.text(max_size=5)), st.integers(0, 3))
def test_no_password_survives_in_json(word: str, more: dict[str, str], nesting: int) -> None:
    value: object = more | {"password": word}
    for _ in range(nesting):
        value = {"inner": [value]}
    assert word not in redactor.text(orjson.dumps(value).decode())


def test_a_body_of_a_megabyte_of_every_kind_is_masked() -> None:
    for part in (
        '"password":"',
        "<input '",
        "a: b, ",
        "token=",
        'name="pwd"\r\n\r\n',
        '\\"',
        "eyJ",
    ):
        redactor.text(part * (1_000_000 // len(part)))


@pytest.mark.parametrize("name", ["password", "X-Auth-Token", "apiKey", "user[pwd]", "sid", "PIN"])
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)
