import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.secret_masking import SecretMasker, restore

VALUES = st.text("abcdefgXYZ0123456789_-+", min_size=12, max_size=40)
FORMS = (
    'API_KEY = "{}"',
    "password='{}'",
    '{"client_secret": "{}"}',
    "environ({'DB_TOKEN': '{}'})",
    "postgres://me:{}@host/db",
    '"AccountName=a;AccountKey={};X=1"',
    "Authorization: Bearer {}",
    "https://example.org/?access_token={}&x=1",
    '"-----BEGIN PRIVATE KEY-----\\n{}\\n-----END PRIVATE KEY-----"\nAPI_KEY={}',
)
PIECES = st.sampled_from(
    (
        *(
            "[secret 1]",
            "[secret 2]",
            "[secret ",
            "1]",
            'token="',
            "password='",
            '"',
            "'",
            "\\",
            "\n",
        ),
        *(
            "API_KEY=",
            "ab12cd34",
            "://a:",
            "@b",
            "?key=",
            ";Password=",
            "; ",
            "Bearer ",
            "{x}",
            "=",
        ),
        *("eyJabcdef1", ".", "sk-abcdefghij0123456789", "-----BEGIN PRIVATE KEY-----", ": ", ", "),
        *("-----END PRIVATE KEY-----", "planted-value-1", " ", "(", ")", '"""', "secret", "é"),
    )
)
TEXTS = st.lists(PIECES, max_size=14).map("".join) | st.text(max_size=60)
ENVIRONMENT = {"MY_TOKEN": "planted-value-1", "SHORT_KEY": "abc", "PATH": "/usr/bin:/bin"}


@given(TEXTS)
def test_what_is_masked_can_be_restored(text: str) -> None:
    masked = SecretMasker(ENVIRONMENT).mask(text)
    assert restore(masked.text, masked.placeholders) == text


@given(TEXTS, TEXTS)
def test_what_is_masked_can_be_restored_in_each_of_several_texts(one: str, two: str) -> None:
    masker = SecretMasker(ENVIRONMENT)
    for text in (one, two, one):
        masked = masker.mask(text)
        assert restore(masked.text, masked.placeholders) == text


@given(TEXTS)
def test_a_masked_text_stays_as_it_is(text: str) -> None:
    masker = SecretMasker(ENVIRONMENT)
    once = masker.mask(text).text
    again = masker.mask(once)
    assert (again.text, again.placeholders) == (once, {})


@given(st.lists(st.tuples(st.sampled_from(FORMS), VALUES), min_size=1, max_size=6), TEXTS)
def test_nothing_of_a_planted_secret_remains(planted: list[tuple[str, str]], noise: str) -> None:
    lines = [form.replace("{}", value) for form, value in planted]
    text = "\n".join([*lines, *(value for _, value in planted), "", noise])
    masked = SecretMasker().mask(text).text
    for _, value in planted:
        assert value not in masked


def test_equal_values_have_equal_numbers_in_all_texts_of_a_masker() -> None:
    masker = SecretMasker()
    assert masker.mask('password = "hunter2!"').text == 'password = "[secret 1]"'
    assert masker.mask("token='other-one' # hunter2!").text == "token='[secret 2]' # [secret 1]"
    assert masker.mask("it printed other-one").text == "it printed [secret 2]"


def test_values_of_the_environment_are_masked_wherever_they_stand() -> None:
    environment = {
        "SOME_API_KEY": 'plain"words',
        "DATABASE_URL": "postgres://me:a-password@db/x",
        "SHORT_TOKEN": "short",
        "TOKEN_FILE": "/run/token-file",
        "HOME": "/home/somebody",
    }
    text = "x plain\"words y 'plain\\\"words' a-password short /run/token-file /home/somebody"
    assert SecretMasker(environment).mask(text).text == (
        "x [secret 1] y '[secret 2]' [secret 3] short /run/token-file /home/somebody"
    )


def test_an_ordinary_word_is_masked_as_a_value_only() -> None:
    text = 'password = "swordfish"  # the swordfish'
    assert SecretMasker().mask(text).text == 'password = "[secret 1]"  # the swordfish'


def test_a_variable_with_the_name_of_a_secret_is_masked_as_a_whole() -> None:
    masked = SecretMasker().mask("abc", "api_key")
    assert (masked.text, masked.placeholders) == ("[secret 1]", {"[secret 1]": "abc"})
    assert SecretMasker().mask("abc", "sort_key").text == "abc"
    assert SecretMasker().mask("", "api_key").text == ""


def test_the_value_of_such_a_variable_is_masked_elsewhere_too() -> None:
    masker = SecretMasker()
    masker.mask("api_key: str, 61 bytes\n'swordfish-77'", "api_key")
    assert masker.mask("print('swordfish-77')").text == "print('[secret 2]')"


def test_the_beginning_of_a_value_that_a_summary_has_cut_is_masked() -> None:
    environment = {"SOME_TOKEN": "abcdefgh-0123456789-the-rest"}
    text = "['abcdefgh-01234…\nabcdefgh-0123456789\nabcdefgh-0123+ abcdefgh"
    assert SecretMasker(environment).mask(text).text == (
        "['[secret 1]…\n[secret 2]\nabcdefgh-0123+ abcdefgh"
    )


def test_a_placeholder_of_the_user_is_never_taken_for_one_of_ours() -> None:
    masker = SecretMasker()
    masker.mask('password = "hunter2!"')
    masked = masker.mask('x = "[secret 1]"; password = "hunter2!"')
    assert masked.text == 'x = "[secret 1]"; password = "[secret 2]"'
    assert masked.placeholders == {"[secret 2]": "hunter2!"}


def test_a_value_that_looks_like_the_start_of_a_placeholder_changes_none() -> None:
    text = '[secret 1] token="[secret " [secret 7]'
    masked = SecretMasker().mask(text)
    assert masked.text == '[secret 1] token="[secret 2]" [secret 7]'
    assert restore(masked.text, masked.placeholders) == text


def test_the_secrets_are_not_in_a_repr() -> None:
    assert "hunter2!" not in repr(SecretMasker().mask('password = "hunter2!"'))


def test_only_known_placeholders_are_restored_and_once() -> None:
    placeholders = {"[secret 1]": "[secret 2]", "[secret 2]": "x"}
    assert restore("[secret 1] [secret 2] [secret 3]", placeholders) == "[secret 2] x [secret 3]"


@pytest.mark.parametrize("separator", ["\n", " "])
@pytest.mark.parametrize("count", [16_000, pytest.param(80_000, marks=pytest.mark.soak)])
def test_a_text_of_megabytes_is_masked(separator: str, count: int) -> None:
    chance = random.Random(7)
    rows = [
        f'{{"token": "{chance.randbytes(12).hex()}", "x": {chance.random()}}}' for _ in range(count)
    ]
    text = separator.join(rows)
    masked = SecretMasker().mask(text)
    assert len(masked.placeholders) == len(rows)
    assert restore(masked.text, masked.placeholders) == text
