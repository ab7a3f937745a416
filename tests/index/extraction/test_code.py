import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.index.extraction import code
from jupyter_ac.index.extraction.code import MAX_KEYS, MAX_WORDS, TOO_SLOW, read_code, words_of
from jupyter_ac.index.languages.language import Language
from jupyter_ac.index.languages.registry import language_named
from jupyter_ac.index.parsing import parse


def language(name: str) -> Language:
    found = language_named(name)
    assert found is not None
    return found


def test_a_parse_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "MAX_PARSE_S", 0.0)
    data = b"def function():\n    return other(1)\n" * 8_000
    record = read_code(language("python"), data)
    assert record.note == TOO_SLOW
    assert record.symbols == ()
    assert "function" in record.words
    assert read_code(language("python"), b"x = 1\n").note == ""


def test_how_busy_the_machine_is_has_no_say_in_what_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(code, "MAX_PARSE_S", 1e-9)
    monkeypatch.setattr(code, "thread_time", lambda: 1.0)  # it waits, and uses no processor
    record = read_code(language("python"), b"def function():\n    return other(1)\n" * 8_000)
    assert record.note == ""
    assert len(record.symbols) == 8_000


def test_a_large_file_is_read_like_a_small_one() -> None:
    """Its tree comes another way; conditions of the queries (`__init__`) hold there, too."""
    small = b"class A:\n    def __init__(self):\n        self.x = f()\n        that.y = 1\n"
    record = read_code(language("python"), small * 4_000)
    names = [symbol.name for symbol in record.symbols]
    assert names == ["A", "__init__", "x"] * 4_000
    assert len(record.uses) == 4_000


def test_the_place_of_the_first_syntax_error_is_said() -> None:
    assert read_code(language("go"), b"package a\n\nfunc {\n").note.startswith("syntax errors from")
    assert read_code(language("c"), b"int a(void);\n").note == ""


@pytest.mark.parametrize(("count", "kept"), [(3, 3), (MAX_KEYS + 1, MAX_KEYS), (201, 0)])
def test_settings_show_few_keys_and_data_none(count: int, kept: int) -> None:
    json = "{" + ", ".join(f'"k{at}": {at}' for at in range(count)) + "}"
    yaml = "".join(f"k{at}: {at}\n" for at in range(count))
    toml = "".join(f"k{at} = {at}\n" for at in range(count))
    for language, text in (("json", json), ("yaml", yaml), ("toml", toml)):
        assert len(parse(language, text.encode()).symbols) == kept


def test_a_list_of_records_and_code_are_as_ever() -> None:
    assert parse("json", b'[{"a": 1}]').symbols == ()
    code = "".join(f"k{at} = {at}\n" for at in range(300))
    assert len(parse("python", code.encode()).symbols) == 300


def test_words_come_once_in_order_comments_included() -> None:
    text = "# The naïve cache “x” a b\ncache.get_all(x1y, 0x1f, '😀', über)"
    assert words_of(text.encode()) == ("The", "naïve", "cache", "get_all", "x1y", "über")


def test_words_are_bounded() -> None:
    assert len(words_of(b" ".join(b"word%d" % n for n in range(5_000)))) == MAX_WORDS
    assert words_of(b"x" * 1_000) == ()


@given(text=st.text())
def test_words_are_identifiers(text: str) -> None:
    for word in words_of(text.encode("utf-8", "replace")):
        assert word.isidentifier()
        assert word in text
