from jupyter_ac.chat.secret_values import (
    is_expression,
    is_ordinary,
    is_own_name,
    is_reference,
    is_secret_text,
)


def test_passwords_may_be_short_and_keys_not() -> None:
    assert is_secret_text("password", "x")
    assert not is_secret_text("token", "(x)")
    assert is_secret_text("token", "abcd")


def test_a_text_with_a_reference_in_it_is_judged_by_the_rest() -> None:
    assert is_secret_text("token", "abcd{x}")
    assert not is_secret_text("token", "{first}{second}")
    assert not is_secret_text("token", "${TOKEN}")


def test_a_placeholder_is_no_secret_and_a_long_text_no_placeholder() -> None:
    assert not is_secret_text("api_key", "<your api key>")
    assert not is_secret_text("api_key", "your-openai-api-key-here")
    assert is_secret_text("api_key", "<0a1b2c3d>")
    assert is_secret_text("api_key", "x" * 101)


def test_a_value_that_says_only_its_name() -> None:
    assert is_own_name("db_password", "password")
    assert is_own_name("api_key", "API key:")
    assert not is_own_name("password", "password1")
    assert not is_own_name("api_key", "y")
    assert not is_own_name("password", "")


def test_references_expressions_and_numbers_are_ordinary() -> None:
    assert is_reference("${PASSWORD}")
    assert is_expression("settings.token")
    assert all(map(is_ordinary, ("None", "12%", "{{ password }}")))
    assert not any(map(is_ordinary, ("hunter2", "correct-horse", "12345678")))
