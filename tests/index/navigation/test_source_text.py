import pytest

from jupyter_ac.index.navigation.source_text import SourceText, TextPosition, Typed, Word, units

TEXT = SourceText('a = bé.cd(x)\r\n"😀" + façade.wört\nf().x\nself.go\np->q A::b ..c\n')


def test_a_column_counts_utf16_code_units() -> None:
    assert units("a😀é") == 4
    assert TEXT.word_at(TextPosition(2, 7)) == Word("façade", 7, 13)
    assert TEXT.characters_before(TextPosition(2, 7)) == 6


@pytest.mark.parametrize(
    ("place", "word"),
    [
        (TextPosition(1, 0), "a"),
        (TextPosition(1, 1), "a"),
        (TextPosition(1, 2), ""),
        (TextPosition(1, 4), "bé"),
        (TextPosition(1, 7), "cd"),
        (TextPosition(1, 9), "cd"),
        (TextPosition(1, 10), "x"),
        (TextPosition(1, 99), ""),
        (TextPosition(9, 0), ""),
        (TextPosition(0, 0), ""),
    ],
)
def test_the_word_at_a_place_is_the_one_it_is_in_or_behind(place: TextPosition, word: str) -> None:
    found = TEXT.word_at(place)
    assert (found.text if found else "") == word


@pytest.mark.parametrize("place", [(1, 0), (1, 12), (2, 18), (6, 0)])
def test_a_place_is_on_a_line_or_at_its_end(place: tuple[int, int]) -> None:
    assert TEXT.has(TextPosition(*place))


@pytest.mark.parametrize("place", [(0, 0), (1, -1), (1, 13), (2, 19), (7, 0)])
def test_no_place_is_behind_the_end_of_its_line_or_of_the_text(place: tuple[int, int]) -> None:
    assert not TEXT.has(TextPosition(*place))


def test_a_byte_order_mark_is_no_character() -> None:
    source = SourceText("\ufeffname = 1\n")
    assert source.word_at(TextPosition(1, 0)) == Word("name", 0, 4)
    assert source.line(1) == "name = 1"


def test_lines_end_at_line_feeds_only() -> None:
    source = SourceText("a\x0bb\u2028c\nd\r\n")
    assert list(source.lines) == ["a\x0bb\u2028c", "d", ""]


@pytest.mark.parametrize(
    ("place", "typed"),
    [
        (TextPosition(1, 9), Typed("bé", "cd", is_member=True)),
        (TextPosition(1, 6), Typed("", "bé", is_member=False)),
        (TextPosition(3, 5), Typed("", "x", is_member=True)),
        (TextPosition(4, 5), Typed("self", "", is_member=True)),
        (TextPosition(4, 7), Typed("self", "go", is_member=True)),
        (TextPosition(5, 4), Typed("p", "q", is_member=True)),
        (TextPosition(5, 9), Typed("A", "b", is_member=True)),
        (TextPosition(5, 13), Typed("", "c", is_member=False)),
        (TextPosition(6, 0), Typed("", "", is_member=False)),
    ],
)
def test_what_stands_before_a_place_is_a_base_and_the_beginning_of_a_name(
    place: TextPosition, typed: Typed
) -> None:
    assert TEXT.typed(place) == typed


@pytest.mark.parametrize("text", ["A::$b", "A?->b", "A?.b"])
def test_a_member_may_stand_behind_several_signs(text: str) -> None:
    place = TextPosition(1, len(text))
    assert SourceText(text).typed(place) == Typed("A", "b", is_member=True)


def test_what_stands_before_a_name_is_told_wherever_in_the_name_the_place_is() -> None:
    assert TEXT.before_word(TextPosition(4, 5)) == Typed("self", "", is_member=True)
    assert TEXT.before_word(TextPosition(4, 7)) == Typed("self", "", is_member=True)
    assert TEXT.before_word(TextPosition(6, 0)) == Typed("", "", is_member=False)


def test_an_endless_line_is_looked_at_for_a_while() -> None:
    source = SourceText("x " * 1_000_000 + "last")
    assert source.word_at(TextPosition(1, 0)) == Word("x", 0, 1)
    assert source.word_at(TextPosition(1, 2_000_001)) is None
    assert SourceText(" " * 100_000 + "(").typed(TextPosition(1, 100_001)).word == ""


def test_a_text_on_a_line_is_found_where_the_place_is_in_it() -> None:
    source = SourceText("`a` and `a`, [text](b.md)")
    assert source.span_of(1, "a", TextPosition(1, 9)) == Word("a", 9, 10)
    assert source.span_of(1, "z", TextPosition(1, 9)) is None
    assert source.label_of("b.md", TextPosition(1, 15)) == Word("[text]", 13, 19)
    assert source.label_of("b.md", TextPosition(1, 2)) is None


@pytest.mark.parametrize(
    ("line", "end"),
    [
        ("a.b", 1),
        ("A::$b", 1),
        ("a?->b", 1),
        ("x = é😀.", 7),
        ("p->ne", 1),
        ("a?.b", 1),
        ("a", None),
        (".b", None),
    ],
)
def test_the_name_whose_member_is_written_is_before_the_dot(line: str, end: int | None) -> None:
    found = SourceText(line).before_member(TextPosition(1, units(line)))
    assert found == (TextPosition(1, end) if end is not None else None)
