import pytest

from jupyter_ac.chat.secret_lists import listed_values


def _found(text: str) -> list[str]:
    return [text[start:end] for start, end in listed_values(text)]


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ('auth = ("ada", "s3cret")', ["s3cret"]),
        ('requests.get(url, auth=("ada", "swordfish"))', ["swordfish"]),
        ('http_auth=(USER, "changeme")', ["changeme"]),
        ('auth=(os.environ["USER"], "swordfish")', ["swordfish"]),
        ('"auth": ["ada", "s3cret"]', ["s3cret"]),
        ('auth: tuple[str, str] = ("ada", "one")', ["one"]),
        ('credentials = ["user", "pass"]', ["pass"]),
        ('credentials <- c("ada", "one")', ["one"]),
        ('credentials = [\n    ("ada", "one"),  # first\n    ("bob", "two"),\n]', ["one", "two"]),
        ('credentials = [("ada", "one"), ("bob", "two")]', ["one", "two"]),
        ('passwords = ["one", "two"]', ["one", "two"]),
        ('passwords = {"ada": "one", "bob": "two"}', ["one", "two"]),
        ('api_keys = (\n    "abcd",  # first\n    "efgh",\n)', ["abcd", "efgh"]),
        ('API_KEYS = {"one": "abcd", "two": "efgh"}', ["abcd", "efgh"]),
        ('HTTPBasicAuth("ada", "swordfish")', ["swordfish"]),
        ('smtp.login("ada@example.org", "swordfish")', ["swordfish"]),
        ('authenticate(user, "swordfish")', ["swordfish"]),
    ],
)
def test_secrets_are_found_by_their_places(text: str, secrets: list[str]) -> None:
    assert _found(text) == secrets


@pytest.mark.parametrize(
    "text",
    [
        "auth = (user, password)",
        'auth = ("ada", os.environ["PASSWORD"])',
        'author = ("Ada", "Lovelace"); authors = ["a", "b"]',
        'auth_methods = ("basic", "digest")',
        'auth = ("basic", "digest", "bearer")',
        'login("ada"); login(user, password); def login(user: str): ...',
        'credentials = ["username", "password"]',
        'credentials = {"type": "service_account"}',
        '"ListAccessKeys": {"input_token": "Marker", "limit_key": "MaxItems"}',
        '"petstore_auth": ["write:pets", "read:pets"]',
        'trusted_credential(credentials.client_id, "client_id")',
        'secrets = ["DB_PASSWORD", "API_KEY"]',
        'tokens = ["the", "cat"]; required_keys = ["name", "date"]',
        'passwords = ["", "...", "<password>"]',
    ],
)
def test_names_columns_and_other_lists_hold_none(text: str) -> None:
    assert _found(text) == []
