import pytest

from jupyter_ac.chat.secret_literals import quoted_values


def _found(text: str) -> list[str]:
    return [text[start:end] for start, end in quoted_values(text)]


@pytest.mark.parametrize(
    "text",
    [
        'password = "swordfish"',
        "DB_PASSWORD = 'swordfish'",
        '"password": "swordfish"',
        'dict(password="swordfish")',
        'connect(user="ada", password="swordfish")',
        'os.environ["X_TOKEN"] = "swordfish"',
        "ENV['X_TOKEN'] = 'swordfish'",
        "password <- 'swordfish'",
        'password <<- "swordfish"',
        'password := "swordfish"',
        '{"password" => "swordfish"}',
        'Sys.setenv(API_TOKEN = "swordfish")',
        'if password == "swordfish":',
        "if (pwd !== 'swordfish')",
    ],
)
def test_a_word_between_quotes_is_found_in_code_of_any_language(text: str) -> None:
    assert _found(text) == ["swordfish"]


@pytest.mark.parametrize(
    "value",
    [
        "",
        "...",
        "…",
        "****",
        "xxxx",
        "<your key>",
        "[your key]",
        "your-api-key-here",
        "YOUR_API_KEY",
        "enter your password",
        "replace me",
        "password",
        "Password:",
        "api_password",
        "${PASSWORD}",
        "{{ password }}",
    ],
)
def test_what_stands_for_a_secret_is_none(value: str) -> None:
    assert _found(f'api_password = "{value}"') == []


def test_the_default_that_people_leave_is_one() -> None:
    assert _found('password = "changeme"; pwd = "admin"') == ["changeme", "admin"]


@pytest.mark.parametrize(
    "text",
    [
        "password = getpass('Password: ')",
        'password = st.secrets["password"]',
        'api_key = userdata.get("OPENAI_API_KEY")',
        'client_secret = os.getenv("CLIENT_SECRET", "")',
        'df.rename(columns={"password": "password"})',
        'tokenizer = "bert"; key = "name"; sort_key="date"; primary_key = "id"',
        r'token_pattern = r"(?u)\b\w+\b"',
        'if token == "return" or mode == "secret":',
        '{"type": "password", "name": "pw"}',
    ],
)
def test_lookups_calls_and_other_names_hold_none(text: str) -> None:
    assert _found(text) == []
