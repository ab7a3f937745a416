import hashlib
import re

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.prompt.blocks import (
    Category,
    file_block,
    note_block,
    question_block,
    shorten,
    shown_path,
    wellformed,
)
from jupyter_ac.ids import RepoPath

PATH = RepoPath("src/a.py")


def test_a_file_is_its_path_a_fence_its_text_and_the_fence_again() -> None:
    block = file_block(PATH, "x = 1\n")
    assert block.text == "src/a.py\n```\nx = 1\n```\n"
    assert block.category is Category.FILE
    assert block.sha256 == hashlib.sha256(block.text.encode()).hexdigest() == block.source
    assert block.size_bytes == len(block.text)


def test_a_text_without_a_last_line_end_still_ends_before_the_fence() -> None:
    assert file_block(PATH, "x").text == "src/a.py\n```\nx\n```\n"
    assert file_block(PATH, "").text == "src/a.py\n```\n```\n"


@given(st.text(alphabet="`a\n ", max_size=60))
def test_the_fence_is_longer_than_any_run_of_backticks_in_the_file(text: str) -> None:
    _, fence, rest = file_block(PATH, text).text.split("\n", 2)
    assert set(fence) == {"`"}
    assert len(fence) > max((len(run) for run in re.findall("`+", text)), default=0)
    assert rest.endswith(f"{fence}\n")
    assert rest.count(fence) == 1


@given(st.text(alphabet=st.characters(codec=None), max_size=40))
def test_every_block_is_wellformed_unicode(text: str) -> None:
    for block in (file_block(PATH, text), question_block(text)):
        assert block.text.encode().decode() == block.text


def test_a_lone_surrogate_becomes_the_replacement_character_and_a_pair_becomes_its_character() -> (
    None
):
    assert wellformed("a\udc80b") == "a\ufffdb"
    assert wellformed("\ud83d\ude00") == "😀"


def test_a_path_stays_on_one_line_and_undecodable_bytes_show_as_escapes() -> None:
    assert shown_path("caf\u00e9.py") == "café.py"
    assert shown_path("a\nb\udcff.py") == "a\\nb\\udcff.py"
    assert file_block(RepoPath("\udcff"), "").text.startswith("\\udcff\n")


def test_a_note_is_one_line_about_a_path() -> None:
    block = note_block(PATH, "src/a.py is no longer selected.")
    assert block.text == "src/a.py is no longer selected.\n"
    assert block.path == PATH


def test_a_shortened_file_says_so_keeps_whole_lines_and_remembers_its_source() -> None:
    whole = file_block(PATH, "".join(f"line {n}\n" for n in range(100)))
    short = shorten(whole, 50)
    assert short.text.startswith("src/a.py\n```\nline 0\n")
    assert "line 6\n```\n[cut: only the first 49 of 790 characters are shown]\n" in short.text
    assert short.source == whole.source
    assert short.sha256 != whole.sha256


def test_a_file_of_one_long_line_is_cut_inside_it() -> None:
    short = shorten(file_block(PATH, "y" * 1000), 10)
    assert "\nyyyyyyyyyy\n```\n[cut: only the first 11 of 1001 characters" in short.text
