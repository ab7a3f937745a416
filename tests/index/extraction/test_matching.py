from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.index.extraction.matching import ParsedText, find
from jupyter_ac.index.languages.grammars import grammar_of
from jupyter_ac.index.languages.registry import LANGUAGES


def test_a_later_pattern_overrules_an_earlier_one_about_the_same_name() -> None:
    typed = next(language for language in LANGUAGES if language.name == "typescript")
    grammar = grammar_of(typed)
    tree = grammar.parser.parse(b"const f = (a: A): B => a")
    (found,) = find(grammar, tree).symbols.values()
    assert found.kind == "function"
    assert {"name", "parameters", "result"} <= found.captures.keys()


def test_what_is_no_definition_has_its_own_list() -> None:
    python = LANGUAGES[0]
    grammar = grammar_of(python)
    finds = find(grammar, grammar.parser.parse(b"import a\n@b\ndef c(): d.e()\n"))
    assert len(finds.symbols) == 1
    assert len(finds.imports) == 1
    assert len(finds.uses) == 2
    assert len(finds.outer) == 1


def test_what_is_captured_as_within_is_looked_at_like_the_top() -> None:
    python = LANGUAGES[0]
    grammar = grammar_of(python)
    text = b"class A:\n  def __init__(self):\n    self.a = 1\n  def b(self):\n    self.c = 1\n"
    finds = find(grammar, grammar.parser.parse(text))
    assert len(finds.within) == 1
    assert [found.kind for found in finds.symbols.values()] == [
        "class",
        "function",
        "function",
        "property",
    ]


def test_a_list_of_names_is_matched_once_however_long_it_is() -> None:
    typed = next(language for language in LANGUAGES if language.name == "typescript")
    grammar = grammar_of(typed)
    names = ", ".join(f"fern_{at}" for at in range(100))
    for line in (f"import {{{names}}} from './ferns'", f"export {{{names}}} from './ferns'"):
        finds = find(grammar, grammar.parser.parse(line.encode()))
        assert len(finds.imports) == 2
    assert not find(grammar, grammar.parser.parse(f"export {{{names}}}".encode())).imports


@given(line=st.text(st.characters(exclude_characters="\n", codec="utf-8")), data=st.data())
def test_a_column_counts_what_editors_count(line: str, data: st.DataObject) -> None:
    end = data.draw(st.integers(0, len(line)))
    source = ParsedText.of(f"first\n{line}\n".encode())
    column = source.column(1, len(line[:end].encode()))
    assert column == len(line[:end].encode("utf-16-le")) // 2


@given(text=st.text(st.characters(codec="utf-8")), data=st.data())
def test_a_text_is_cut_at_bytes(text: str, data: st.DataObject) -> None:
    encoded = text.encode()
    start = data.draw(st.integers(0, len(encoded)))
    end = data.draw(st.integers(start, len(encoded)))
    assert ParsedText.of(encoded).between(start, end) == encoded[start:end].decode(
        "utf-8", "ignore"
    )
