import difflib
import random
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.prompt.blocks import Block, Category, answer_block, file_block, question_block
from jupyter_ac.chat.prompt.changes import (
    LONGEST_BYTES,
    MOST_CHANGES,
    as_changes,
    change_of,
    news,
    unified,
)
from jupyter_ac.chat.prompt.log import Copy, Exchange, standing
from jupyter_ac.ids import RepoPath

A = RepoPath("a.py")
LINES = [f"line {n}\n" for n in range(200)]


def text(*changed: int) -> str:
    return "".join(f"new {n}\n" if n in changed else line for n, line in enumerate(LINES))


def log(*blocks: Block) -> list[Exchange]:
    return [Exchange((block, question_block("q")), answer_block("a")) for block in blocks]


def applied(old: str, diff: str) -> str:
    """Apply a unified difference as `patch` does, without our code."""
    before, after, at = old.split("\n")[:-1], [], 0
    for line in diff.split("\n")[:-1]:
        if line.startswith("@@"):
            first, _, length = line.split()[1][1:].partition(",")
            start = int(first) - (length != "0")
            after += before[at:start]
            at = start
        elif line.startswith("+"):
            after.append(line[1:])
        else:
            assert before[at] == line[1:]
            if line.startswith(" "):
                after.append(line[1:])
            at += 1
    return "".join(f"{line}\n" for line in after + before[at:])


def test_a_small_change_goes_out_as_a_difference_from_the_whole_copy() -> None:
    whole, now = file_block(A, text()), file_block(A, text(7))
    change = change_of(now, standing(log(whole)))
    assert (change.category, change.path, change.source) == (Category.DIFF, A, now.source)
    assert "-line 7\n+new 7\n" in change.text
    assert change.size_bytes * 3 <= now.size_bytes


def test_a_second_change_is_told_from_the_whole_copy_again() -> None:
    whole, now = file_block(A, text()), file_block(A, text(7))
    change = change_of(now, standing(log(whole)))
    second = change_of(file_block(A, text(7, 90)), standing(log(whole, change)))
    assert "+new 7\n" in second.text
    assert "+new 90\n" in second.text


def test_a_big_change_goes_out_whole() -> None:
    now = file_block(A, text(*range(0, 200, 3)))
    assert change_of(now, standing(log(file_block(A, text())))) is now


def test_after_several_differences_the_file_goes_out_whole() -> None:
    exchanges = log(file_block(A, text()))
    for number in range(MOST_CHANGES):
        change = change_of(file_block(A, text(number)), standing(exchanges))
        assert change.category is Category.DIFF
        exchanges += log(change)
    now = file_block(A, text(150))
    assert change_of(now, standing(exchanges)) is now
    exchanges += log(now)
    assert change_of(file_block(A, text(151)), standing(exchanges)).category is Category.DIFF


def test_a_file_whose_whole_copy_is_not_in_the_log_goes_out_whole() -> None:
    whole, now = file_block(A, text()), file_block(A, text(7))
    change = change_of(now, standing(log(whole)))
    assert change_of(now, standing(log(change))) is now
    assert change_of(now, {}) is now
    cut = Block(Category.FILE, "a.py\n```\nline 0\n```\n[cut]\n", A, whole.source)
    assert change_of(now, standing(log(cut))) is now


def test_a_long_file_is_not_compared() -> None:
    old = "x" * 80 + "\n"
    whole = file_block(A, old * (LONGEST_BYTES // 81 + 1))
    now = file_block(A, old * (LONGEST_BYTES // 81 + 2))
    assert change_of(now, standing(log(whole))) is now


def test_a_file_that_is_as_it_was_takes_one_line() -> None:
    whole, changed = file_block(A, text()), file_block(A, text(7))
    exchanges = log(whole, change_of(changed, standing(log(whole))))
    (back,) = news(standing(exchanges), [whole], ())
    change = change_of(back, standing(exchanges))
    assert change.text == "a.py is again as in its last whole copy above.\n"
    assert news(standing([*exchanges, *log(change)]), [whole], ()) == []


async def test_blocks_that_are_no_changes_stay() -> None:
    fresh = [file_block(RepoPath("b.py"), "b"), question_block("q")]
    assert await as_changes(fresh, standing(log(file_block(A, text())))) == tuple(fresh)


PIECES = st.lists(
    st.sampled_from(["a", "", " ", "x\r", "y\x0b", "```", "@@", "-", "+"]), max_size=30
)


@given(PIECES, PIECES)
def test_a_difference_gives_the_new_text(before: list[str], after: list[str]) -> None:
    old, new = ("".join(f"{line}\n" for line in lines) for lines in (before, after))
    diff = unified(old, new)
    assert diff is not None
    assert applied(old, diff) == new


def test_only_what_differs_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a file of a few numbers, each on many lines, would take minutes."""
    compared: list[tuple[Sequence[str], Sequence[str]]] = []
    compare = difflib.unified_diff

    def counting(before: Sequence[str], after: Sequence[str], *, n: int) -> Iterator[str]:
        compared.append((before, after))
        return compare(before, after, n=n)

    monkeypatch.setattr(difflib, "unified_diff", counting)
    lines = [f"{number % 150}\n" for number in range(100_000)]
    changed = [*lines[:70_000], "one\n", "two\n", *lines[70_001:]]
    diff = unified("".join(lines), "".join(changed))
    assert diff is not None
    assert diff.startswith("@@ -69998,7 +69998,8 @@\n")
    assert applied("".join(lines), diff) == "".join(changed)
    ((before, after),) = compared
    assert (len(before), len(after)) == (7, 8)


def test_the_model_can_always_put_the_current_text_together() -> None:
    chance = random.Random(7)
    exchanges: list[Exchange] = []
    for _ in range(60):
        now = file_block(A, text(*chance.sample(range(200), chance.randrange(4))))
        copies = standing(exchanges)
        exchanges += log(*(change_of(block, copies) for block in news(copies, [now], ())))
        assert _as_read(exchanges) == now.text


def _as_read(exchanges: list[Exchange]) -> str:
    """What the log says of the file to somebody who only reads it."""
    whole = current = ""
    for block in (block for exchange in exchanges for block in exchange.about_files):
        if block.category is Category.FILE:
            whole = current = block.text
        elif "is again" in block.text:
            current = whole
        else:
            _, _, fence, diff = block.text.split("\n", 3)
            body = whole.split("\n", 2)[2].removesuffix("```\n")
            diff = diff.removesuffix(fence.removesuffix("diff") + "\n")
            current = f"a.py\n```\n{applied(body, diff)}```\n"
    return current


PATH_A, B = RepoPath("a.py"), RepoPath("b.py")
ONE, OTHER = file_block(PATH_A, "1"), file_block(B, "2")


def test_a_newly_selected_file_goes_out_whole() -> None:
    assert news({}, [ONE, OTHER], ()) == [ONE, OTHER]


def test_an_unchanged_file_is_not_sent_again() -> None:
    assert news({PATH_A: Copy(ONE.source, current=True)}, [ONE], ()) == []


def test_a_changed_file_is_sent_again_whole() -> None:
    assert news({PATH_A: Copy("older", current=True)}, [ONE], ()) == [ONE]


def test_a_deselected_file_is_one_line() -> None:
    (block,) = news({PATH_A: Copy(ONE.source, current=True)}, [], ())
    assert block.text == "a.py is no longer selected.\n"
    assert block.path == PATH_A


def test_a_file_that_was_taken_back_is_not_taken_back_twice() -> None:
    assert news({PATH_A: Copy(ONE.source, current=False)}, [], ()) == []


def test_a_file_selected_again_unchanged_is_one_line_and_changed_it_is_whole() -> None:
    (line,) = news({PATH_A: Copy(ONE.source, current=False)}, [ONE], ())
    assert "selected again" in line.text
    assert news({PATH_A: Copy("older", current=False)}, [ONE], ()) == [ONE]


def test_a_file_that_can_no_longer_be_read_is_called_out_of_date() -> None:
    (line,) = news({PATH_A: Copy(ONE.source, current=True)}, [], {PATH_A})
    assert "can no longer be read" in line.text


def test_what_went_stands_before_what_came() -> None:
    blocks = news({PATH_A: Copy(ONE.source, current=True)}, [OTHER], ())
    assert [block.path for block in blocks] == [PATH_A, B]
