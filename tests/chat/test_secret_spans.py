import pytest

from jupyter_ac.chat.secret_spans import find_secrets

LONG = "a1B2c3D4" * 5


def _found(text: str) -> list[str]:
    return [text[start:end] for start, end in find_secrets(text)]


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ('OPENAI_API_KEY = "plainwords"', "plainwords"),
        ("api_key='k-12 34'", "k-12 34"),
        ('apiKey: "abcd1234",', "abcd1234"),
        ('{"github_token": "abcd1234"}', "abcd1234"),
        ("environ({'DB_PASSWORD': 'it is long'})", "it is long"),
        ('os.environ["API_KEY"] = "abcd"', "abcd"),
        ('os.environ.setdefault("API_KEY", "abcd")', "abcd"),
        ("[('password', 'x y')]", "x y"),
        ('password: str = "hunter2"', "hunter2"),
        ('password: str | None = "hunter2"', "hunter2"),
        ('connect(user="me", password="a, b")', "a, b"),
        ('secret = """two\nlines"""', "two\nlines"),
        ('API_KEY = (\n    "abcd1234"\n)', "abcd1234"),
        (r'"{\"password\": \"hunter2\"}"', "hunter2"),
        (r'password = "a\"b"', r"a\"b"),
        ('login(api_key=("abcd1234"))', "abcd1234"),
        ('token = f"abcd{x}"', "abcd{x}"),
        ("api_key: str (8) = 'abcd1234'", "abcd1234"),
        ("# don't do this: password='hunter2'", "hunter2"),
        ("  password: 'with blanks, and more'", "with blanks, and more"),
        ("export AWS_SECRET_ACCESS_KEY=abcdefgh", "abcdefgh"),
        ("HOME=/root\nDB_PASSWORD=correcthorse\nX=1", "correcthorse"),
        ("docker run -e API_TOKEN=abc123 image", "abc123"),
        ("%env API_TOKEN=abcdefgh", "abcdefgh"),
        ("%env API_TOKEN abcdefgh", "abcdefgh"),
        ("password: hunter2", "hunter2"),
        ("password = 12345678", "12345678"),
        ("password: int = 12345678", "12345678"),
        ("{'password': 12345678, 'port': 5432}", "12345678"),
        ('config["pwd"] = 4711', "4711"),
        ("connect(api_key=8675309)", "8675309"),
        ("creds = 'swordfish'", "swordfish"),
        ("{'pw': 'abc'}", "abc"),
        ("db_pass='abc'", "abc"),
        ("DB_PASS=correcthorse", "correcthorse"),
        ("X-Api-Key: 0123abcd", "0123abcd"),
        ("pin = 123456", "123456"),
        ("PIN: 4711", "4711"),
        ("{'pin': '0815'}", "0815"),
        ("sim_pin: int = 4711", "4711"),
        ("pin <- 4711", "4711"),
        ("password <- 12345678", "12345678"),
        ("environment:\n  - DB_PASSWORD=correcthorse", "correcthorse"),
        ("postgresql://me:hunter2@db:5432/x", "hunter2"),
        ("redis://:hunter2@cache", "hunter2"),
        ("ann | postgresql://me:hunter2-hun\nbob", "hunter2-hun"),
        ("'postgresql://me:hunter2-hun…", "hunter2-hun"),
        ("https://0a1b2c3d4e@example.org/x.git", "0a1b2c3d4e"),
        ('"AccountName=a;AccountKey=Zm9v+/8=;EndpointSuffix=x"', "Zm9v+/8="),
        ('"Server=a;User ID=b;Password=c;"', "c"),
        ('"host=a password=b dbname=c"', "b"),
        ("GET https://example.org/v1?key=AbCdEf&x=1", "AbCdEf"),
        ("https://example.org/?x=1&access_token=abc", "abc"),
        ("https://example.org/blob?sv=1&sig=ab%2Fc", "ab%2Fc"),
        ("Authorization: Bearer abcdefghij", "abcdefghij"),
        ("{'Authorization': 'Basic dXNlcjpwYXNz'}", "dXNlcjpwYXNz"),
        ("-H 'Authorization: token abcdefgh'", "abcdefgh"),
        ("bearer abcdefgh12345", "abcdefgh12345"),
        ("it is eyJhbGciOiJI.eyJzdWIiOiIx.abc-_1", "eyJhbGciOiJI.eyJzdWIiOiIx.abc-_1"),
        ("the key sk-ant-api03-abcDEF123456 is", "sk-ant-api03-abcDEF123456"),
        ("ghp_" + LONG, "ghp_" + LONG),
        ("AKIAEXAMPLE7EXAMPLE7", "AKIAEXAMPLE7EXAMPLE7"),
        (
            "k\n-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nx",
            "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
        ),
        (
            "-----BEGIN PRIVATE KEY-----\nabcdefghijklmnopqrst\n… cut",
            "-----BEGIN PRIVATE KEY-----\nabcdefghijklmnopqrst\n",
        ),
    ],
)
def test_a_secret_is_found_exactly(text: str, secret: str) -> None:
    assert _found(text) == [secret]


def test_all_parts_of_a_value_in_parentheses_are_found() -> None:
    text = 'API_KEY = (\n    "abcd1234"\n    "efgh5678"  # the rest\n)\nother = "plain"'
    assert _found(text) == ["abcd1234", "efgh5678"]


@pytest.mark.parametrize(
    "text",
    [
        "token = next(tokens)",
        "key=lambda x: x[1]",
        "password: str",
        "def login(user: str, password: str = None, *, api_key: SecretStr | None = None): ...",
        "password = getpass('Password: ')",
        "print('token: ', token, 'x')",
        'print("password=", password)',
        'print("password=", password, "x")',
        'api_key = os.environ["API_KEY"]',
        'os.getenv("API_KEY")',
        "client = Client(api_key=settings.api_key, token=token)",
        "main(API_KEY=API_KEY, TOKEN=token)",
        "API_KEY=None",
        "API_KEY=settings.api_key",
        'sort_key = "date"; primary_key="id"',
        'tokenizer = "bert-base-uncased"',
        'pad_token = "[PAD]"',
        'if token == "(": pass',
        'token = "("',
        'password = ""',
        'password = "${PASSWORD}"',
        'url = f"postgres://{user}:{password}@{host}"',
        'headers = {"Authorization": f"Bearer {token}"}',
        'dsn = f"host={host} password={password} dbname={name}"',
        'token = f"{first}{second}"',
        'parser.add_argument("--token", "-t", help="the token")',
        "token    int64\nkey: float64",
        "max_tokens=4096&x",
        "pk_of_the_referenced_table_name = 1",
        "basic statistics, bearer authentication",
        "https://example.org/a?page=2&size=10",
        "token = 258; PASSWORD_MAX_LENGTH = 4096; token_lifetime = 86400",
        "if password == 12345678 or key == 12345678: pass",
        "secret = 1234.5",
        "first_pass = 'forward'; low_pass='butter'; bypass='yes'; sacred='a'; kwpw='x'",
        "me@example.org, see http://example.org:8080/@x",
        'if "-----BEGIN PRIVATE KEY-----" in text:',
        "let password=pw;\n",
        'class Token:\n    kind: str\n    text: str = ""',
        "for key, value in tokens.items(): secrets[key] = value",
        "df.groupby('key')",
        'def read(token: "Token", secret: "SecretStr") -> None: ...',
        'ID_TOKENS = ("footer", "story-body")',
        '_lazy = {"APIKeys": (".api_keys", "APIKeys")}',
        'if header in ("api-key", "x-api-key"):',
        "pin = 17; LED_PIN = 13; pins = 4711; pin_count = 4711; pinned = 1234; SPINE: 4711",
        'token_count = "cl100k"; max_tokens=100; KEY_LEFT = "left"; keyboard = "qwerty"',
    ],
)
def test_ordinary_code_and_output_hold_none(text: str) -> None:
    assert _found(text) == []


def test_a_secret_is_found_wherever_it_stands_in_a_long_text() -> None:
    for where in (0, 65_530, 65_536, 73_720, 300_000):
        for text in ('password="hunter2 two"', "ghp_" + LONG, "postgres://a:hunter2@b"):
            long = "x " * (where // 2) + text + "\n" + "y " * 50_000
            assert _found(long) == _found(text), (where, text)


def test_a_value_longer_than_a_slice_is_found_as_a_whole() -> None:
    value = "ab1" * 100_000
    for text in (f"password='{value}'", f"API_KEY={value}", f"eyJabcdefg.eyJ{value}.x"):
        (span,) = find_secrets(text)
        assert span[1] - span[0] >= len(value)


def test_many_unfinished_secrets_in_a_row_are_read_once_each() -> None:
    """Each of these would take minutes if the rest of the text were read for every one."""
    for unit in (
        'token="',
        "token='",
        'token="""',
        "-----BEGIN PRIVATE KEY-----",
        "password=",
        "password: word\n",
        "password=word\n",
        'credentials=[("a","b"),',
        'passwords=["auth=("',
        "auth=(a(",
        "://a:",
    ):
        text = unit * (500_000 // len(unit))
        assert all(0 <= start < end <= len(text) for start, end in find_secrets(text))
