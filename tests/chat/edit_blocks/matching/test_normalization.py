"""Lines without what readers don't see."""

import pytest

from jupyter_ac.chat.edit_blocks.matching.normalization import fold


@pytest.mark.parametrize(
    "line",
    [
        "a = 'b-c'",
        "  a  =  'b-c' ",
        "\ta\u00a0= 'b-c'\r",
        "a = \u2018b\u2013c\u2019",
        'a = "b-c"',
        "a\u200b=`b—c`",
    ],
)
def test_lines_that_look_alike_fold_to_the_same(line: str) -> None:
    assert fold([line.encode()]).keys == [b"a='b-c'"]


def test_other_letters_stay_apart() -> None:
    assert fold("ä a A e\u0301".encode().split()).keys == "ä a A e\u0301".encode().split()


def test_lines_without_text_are_left_out_and_the_others_keep_their_numbers() -> None:
    folded = fold([b"", b"a", b" \t", "\u200b".encode(), b"b"])
    assert (folded.keys, folded.numbers) == ([b"a", b"b"], [1, 4])


def test_nothing_folds_to_nothing() -> None:
    assert fold([]).keys == []


def test_places_are_counted_among_the_lines_with_text() -> None:
    assert fold([b"x", b"", b"a", b"", b"b"]).places(fold([b" a", b"b"])) == [1]


def test_bytes_that_are_no_text_fold_too() -> None:
    assert len(fold([b"\xff\xfe", b"a"]).keys) == 2
