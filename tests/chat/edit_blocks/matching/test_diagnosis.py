"""The likely cause of a miss, the closest place, and the sentence about them."""

import pytest

from jupyter_ac.chat.edit_blocks.matching.diagnosis import (
    Diagnosis,
    diagnose,
    elided_line,
    elided_place,
)
from jupyter_ac.chat.edit_blocks.matching.lines import fold, split
from jupyter_ac.edit_rows import MissCause

FILE = """\
import os


def alpha(x):
    if x:
        return "yes"
    return 'no'


class B:
    def go(self):
        for i in range(3):
            print(i)
        return None

    def spread(self, *args):
        ...
"""


def diagnosed(old: str, file: str = FILE) -> Diagnosis:
    lines, wanted = split(file.encode()).texts, old.split("\n")
    return diagnose(lines, (fold(lines), fold([line.encode() for line in wanted])), wanted)


def place(diagnosis: Diagnosis) -> tuple[int, int]:
    """Return the first and the last line of the closest place, from 1."""
    assert diagnosis.near is not None, diagnosis
    return diagnosis.near.line, diagnosis.near.line + len(diagnosis.near.text) - 1


@pytest.mark.parametrize(
    ("old", "words"),
    [
        ('    if x:  \n        return "yes"', "line 5 has less white space at its end"),
        ('    if x:\n        return  "yes"', "line 6 has other white space between its words"),
        ('    if x:\n        return\t"yes"', "line 6 has fewer tabs than the block"),
        ('    if x:\n        return\u00a0"yes"', "line 6 has fewer NO-BREAK SPACE"),
        ('    if x:\n        ret\u200burn "yes"', "line 6 has fewer ZERO WIDTH SPACE"),
        ('    if x:\n\n        return "yes"', "empty lines stand elsewhere"),
        ('    if x:\n        return "yes"\n', "empty lines stand elsewhere"),
        ('\n    if x:\n        return "yes"', "empty lines stand elsewhere"),
    ],
)
def test_white_space_is_named_as_the_cause(old: str, words: str) -> None:
    found = diagnosed(old)
    assert found.cause is MissCause.WHITESPACE
    assert place(found) == (5, 6)
    assert words in found.message
    assert "lines 5 to 6" in found.message
    assert "Copy the lines exactly" in found.message


def test_white_space_of_the_file_is_named_too() -> None:
    assert "line 1 has more white space at its end" in diagnosed("a", "a \nb\n").message
    assert "line 1 has more NO-BREAK SPACE" in diagnosed("a b", "a\u00a0b\n").message
    assert "line 1 has more tabs" in diagnosed("a b", "a\tb\n").message
    assert diagnosed("a\nb", "a\n\n\nb\n").cause is MissCause.WHITESPACE


@pytest.mark.parametrize(
    ("old", "words"),
    [
        ('if x:\n    return "yes"', "each line is indented by 4 spaces more"),
        ('        if x:\n            return "yes"', "each line is indented by 4 spaces less"),
        ('\tif x:\n\t\treturn "yes"', "line 5 is indented by 4 spaces, in the block by 1 tab"),
        (
            '    if x:\n      return "yes"',
            "line 6 is indented by 8 spaces, in the block by 6 spaces",
        ),
        ('if x:\n  return "yes"', "line 5 is indented by 4 spaces, in the block by nothing"),
    ],
)
def test_indentation_is_named_as_the_cause(old: str, words: str) -> None:
    found = diagnosed(old)
    assert found.cause is MissCause.INDENTATION
    assert place(found) == (5, 6)
    assert words in found.message


@pytest.mark.parametrize(
    ("old", "words"),
    [
        ("        return “yes”", 'line 6 has " where the block has “'),
        ("        return 'yes'", "line 6 has \" where the block has '"),
        ("    return `no`", "line 7 has ' where the block has `"),
        ("return “yes”", "line 6"),
    ],
)
def test_quotes_are_named_as_the_cause(old: str, words: str) -> None:
    found = diagnosed(old)
    assert found.cause is MissCause.QUOTES
    assert words in found.message


@pytest.mark.parametrize(
    ("theirs", "ours"), [("a - b", "a \u2013 b"), ("a \u2014 b", "a - b"), ("a…", "a...")]
)
def test_dashes_and_dots_count_as_quotes(theirs: str, ours: str) -> None:
    assert diagnosed(ours, f"x\n{theirs}\n").cause is MissCause.QUOTES


@pytest.mark.parametrize(
    "line",
    [
        "    ...",
        "    …",
        "# ...",
        "    # ... existing code ...",
        "    ... existing code ...",
        "    ...existing code...",
        "    // rest of the function",
        "    # rest unchanged",
        "    # (unchanged)",
        "    /* ... */",
        "    <!-- ... -->",
        "    [...]",
        "    -- remaining lines omitted",
        "    {/* ... */}",
        "    # same as before",
    ],
)
def test_a_line_that_stands_for_others_is_named_as_the_cause(line: str) -> None:
    found = diagnosed(f"def alpha(x):\n{line}\n    return 'no'")
    assert found.cause is MissCause.ELIDED_LINES
    assert place(found) == (4, 7)
    assert f"Line 2 of the old text, `{line.strip()}`" in found.message
    assert "lines 4 to 7" in found.message


def test_an_elision_at_the_end_or_the_start_has_its_place() -> None:
    assert place(diagnosed("def alpha(x):\n    if x:\n    ...")) == (4, 5)
    assert place(diagnosed("# ...\n    return 'no'")) == (7, 7)


def test_an_elision_among_lines_that_have_changed_has_the_closest_place() -> None:
    found = diagnosed("class B:\n    # ...\n            print(j)\n        return None")
    assert found.cause is MissCause.ELIDED_LINES
    assert place(found)[0] == 10


def test_dots_that_are_in_the_file_are_quoted_not_left_out() -> None:
    found = diagnosed("    def spread(self, *kwargs):\n        ...")
    assert found.cause is MissCause.STALE
    assert place(found) == (16, 17)


@pytest.mark.parametrize(
    "line", ["    ...args,", "    # no changes are made to x", "    x = '...'"]
)
def test_code_and_comments_like_an_elision_are_none(line: str) -> None:
    assert diagnosed(f"def alpha(x):\n{line}\n    if y:").cause is not MissCause.ELIDED_LINES


def test_changed_lines_are_named_as_the_cause() -> None:
    found = diagnosed("def alpha(x):\n    if x:\n        return \"nope\"\n    return 'no'")
    assert found.cause is MissCause.STALE
    assert place(found) == (4, 7)
    assert 'line 6 is `return "yes"`, in the block it is `return "nope"`' in found.message
    assert "Quote the file's lines 4 to 7 exactly." in found.message


def test_lines_that_came_or_went_are_named() -> None:
    come = diagnosed("def alpha(x):\n    if x:\n    return 'no'")
    assert 'the block lacks line 6, `return "yes"`' in come.message
    gone = diagnosed("def alpha(x):\n    if x:\n        return \"yes\"\n    y = 2\n    return 'no'")
    assert "before line 7 the block has `y = 2`, the file has not" in gone.message


def test_lines_that_all_changed_a_little_are_changed_lines() -> None:
    found = diagnosed("def alpha(xs):\n    if xs:\n        return 'yess'\n    return 'no'")
    assert found.cause is MissCause.STALE
    assert place(found) == (4, 7)


def test_a_single_changed_line_has_its_place() -> None:
    found = diagnosed("        for i in range(4):")
    assert found.cause is MissCause.STALE
    assert place(found) == (12, 12)


def test_a_changed_text_with_another_indentation_is_changed() -> None:
    found = diagnosed("for i in range(4):\n    print(i)\nreturn None")
    assert found.cause is MissCause.STALE
    assert place(found) == (12, 14)
    assert "line 12 is `for i in range(3):`" in found.message


def test_the_place_of_changed_lines_is_found_in_a_large_file() -> None:
    parts = [f"def f{number}(x):\n    y = x + {number}\n    return y\n" for number in range(5000)]
    found = diagnosed("def f4000(x):\n    y = x - 4000\n    return y", "\n".join(parts))
    assert found.cause is MissCause.STALE
    assert place(found) == (4 * 4000 + 1, 4 * 4000 + 3)


def test_a_part_of_a_line_is_said_to_be_one() -> None:
    found = diagnosed('turn "yes"')
    assert found.cause is MissCause.UNKNOWN
    assert "only a part of line 6" in found.message
    assert place(found) == (6, 6)


def test_what_resembles_nothing_has_no_place() -> None:
    found = diagnosed("SELECT * FROM customers\nWHERE country = 5")
    assert (found.cause, found.near) == (MissCause.UNKNOWN, None)
    assert "Read the file again" in found.message


def test_what_resembles_little_has_a_place_but_no_cause() -> None:
    found = diagnosed("while True:\n    wait()\n        for i in range(3):\n    more()\n    most()")
    assert found.cause is MissCause.UNKNOWN
    assert found.near is not None
    assert "the closest it has is lines" in found.message


def test_an_empty_file_is_said_to_be_empty() -> None:
    assert "The file is empty" in diagnosed("a", "").message
    assert "nothing but empty lines" in diagnosed("a", "\n\n").message


def test_empty_lines_alone_are_said_to_be_too_little() -> None:
    found = diagnosed("\n\n\n\n")
    assert found.cause is MissCause.WHITESPACE
    assert "Quote lines with text" in found.message


def test_lines_that_end_in_cr_alone_are_said_to_be_one_line() -> None:
    assert "CR alone" in diagnosed("a\nb", "a\rb\rc").message


def test_of_several_look_alikes_the_one_easiest_to_put_right_is_shown() -> None:
    found = diagnosed("x = 'a'", "x = \"a\"\ny\n    x = 'a'\n")
    assert found.cause is MissCause.INDENTATION
    assert place(found) == (3, 3)
    assert "It looks like 1 other place, too." in found.message


def test_a_long_place_is_shown_in_part_and_named_in_full() -> None:
    file = "".join(f"    line {number}\n" for number in range(200))
    found = diagnosed("\n".join(f"line {number}" for number in range(200)), file)
    assert place(found) == (1, 60)
    assert "lines 1 to 200" in found.message


def test_a_long_line_is_quoted_in_part() -> None:
    found = diagnosed(f"value = {'a' * 300}", f"value = {'a' * 299}b\n")
    assert "…`" in found.message
    assert len(found.message) < 400


ELIDED_FILE = [b"a", b"b", b"c", b"", b"d", b"e"]


def test_the_first_line_that_stands_for_others_is_told() -> None:
    assert elided_line(["a", "...", "# ...", "d"], fold(ELIDED_FILE)) == (1, True)
    assert elided_line(["a", "d"], fold(ELIDED_FILE)) is None


def test_dots_that_the_file_has_and_words_are_in_doubt() -> None:
    assert elided_line(["a", "   ..."], fold([*ELIDED_FILE, b"..."])) == (1, False)
    assert elided_line(["# unchanged", "a"], fold(ELIDED_FILE)) == (0, False)
    assert elided_line(["# unchanged", "..."], fold(ELIDED_FILE)) == (1, True)


def found_place(
    old: list[str], elided: int, file: list[bytes] = ELIDED_FILE
) -> tuple[int, int] | None:
    return elided_place(fold(file), old, elided, is_certain=True)


def test_the_place_reaches_from_the_first_part_to_the_second() -> None:
    assert found_place(["b", "...", "d"], 1) == (1, 5)


def test_of_several_parts_the_first_and_the_last_count() -> None:
    assert found_place(["a", "...", "x", "# ...", "e"], 1) == (0, 6)


def test_of_several_places_the_shortest_is_meant() -> None:
    file = [b"a", *ELIDED_FILE, *[b"x"] * 9, *ELIDED_FILE]
    assert found_place(["a", "...", "d"], 1, file) == (1, 6)
    assert found_place(["d", "...", "a"], 1, file) == (5, 17)


def test_without_a_second_part_the_first_is_the_place() -> None:
    assert found_place(["b", "c", "..."], 2) == (1, 3)
    assert found_place(["...", "d"], 0) == (4, 5)


def test_parts_that_are_not_there_in_this_order_have_no_place() -> None:
    assert found_place(["d", "...", "b"], 1) is None
    assert found_place(["x", "...", "b"], 1) is None
    assert found_place(["a", "...", "x"], 1) is None
    assert found_place(["..."], 0) is None
    assert found_place(["..."], 0, []) is None


def test_a_line_in_doubt_stands_for_more_than_one() -> None:
    old = ["a", "# the rest of it", "c"]
    assert elided_place(fold(ELIDED_FILE), old, 1, is_certain=False) is None
    assert elided_place(fold(ELIDED_FILE), [*old[:2], "d"], 1, is_certain=False) == (0, 5)


def test_dots_are_told_from_code_with_dots() -> None:
    assert elided_line(["    # ..."], fold(ELIDED_FILE)) == (0, True)
    for code in ("f(...args)", "...rest,", "a.b", "x = '...'", "a[..., 0]"):
        assert elided_line([code], fold(ELIDED_FILE)) is None


def test_a_long_row_of_comment_signs_is_read_in_one_go() -> None:
    """A pattern that tries all ways to divide them would not end."""
    assert elided_line(["# " * 5000 + "x"], fold(ELIDED_FILE)) is None
    assert elided_line(["//" * 5000 + " unchanged"], fold(ELIDED_FILE)) == (0, False)
