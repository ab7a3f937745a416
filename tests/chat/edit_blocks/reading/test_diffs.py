"""Unified diffs in prose."""

import difflib
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock
from jupyter_ac.chat.edit_blocks.matching.replacing import Replaced, replace_lines
from jupyter_ac.chat.edit_blocks.reading.diffs import diff_groups

HUNK = "@@ -1,3 +1,3 @@ def f():\n one\n-two\n+2\n three\n"
PLAIN = f"--- a/src/a.py\n+++ b/src/a.py\n{HUNK}"
GIT = f"diff --git a/src/a.py b/src/a.py\nindex 123..456 100644\n{PLAIN}"


def blocks(text: str) -> list[EditBlock]:
    return [block for group in diff_groups(text) for block in group]


def fenced(diff: str) -> str:
    return f"Do this:\n\n```diff\n{diff}```\n\nDone.\n"


@pytest.mark.parametrize(
    "diff",
    [
        PLAIN,
        GIT,
        PLAIN.replace("a/src", "src").replace("b/src", "src"),
        PLAIN.replace("@@ -1,3 +1,3 @@", "@@"),
        PLAIN.replace(".py\n", ".py\t2024-01-01 00:00:00\n"),
        PLAIN.replace("1,3 +1,3", "9,9 +8,8"),
        PLAIN.replace("\n", "\r\n"),
    ],
)
def test_a_diff_is_a_block_with_the_lines_around(diff: str) -> None:
    text = fenced(diff)
    (block,) = blocks(text)
    assert (block.kind, block.path) == (BlockKind.EDIT, "src/a.py")
    assert (block.old, block.new) == (("one", "two", "three"), ("one", "2", "three"))
    assert text[block.span.start : block.span.end] == f"```diff\n{diff}```\n"


def test_without_a_fence_the_counts_tell_the_end() -> None:
    text = f"So:\n\n{GIT}- and this is prose\n"
    (block,) = blocks(text)
    assert block.old == ("one", "two", "three")
    assert text[block.span.end :] == "- and this is prose\n"


def test_hunks_and_files_of_one_fence_stand_together() -> None:
    more = HUNK + "@@ -9 +9 @@\n-nine\n+9\n" + PLAIN.replace("src/a", "b")
    (group,) = diff_groups(fenced(f"--- a/src/a.py\n+++ b/src/a.py\n{more}"))
    assert [block.path for block in group] == ["src/a.py", "src/a.py", "b.py"]
    ends = [(block.span.start, block.span.end) for block in group]
    assert all(end == start for (_, end), (start, _) in pairwise(ends))
    assert len(diff_groups(fenced(PLAIN) + fenced(PLAIN))) == 2


def test_files_that_come_go_and_move() -> None:
    text = fenced(
        "diff --git a/new.py b/new.py\nnew file mode 100644\n--- /dev/null\n+++ b/new.py\n"
        "@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"
        "diff --git a/old.py b/old.py\ndeleted file mode 100644\n--- a/old.py\n+++ /dev/null\n"
        "@@ -1,2 +0,0 @@\n-a\n-b\n"
        "diff --git a/x.py b/y.py\nsimilarity index 90%\nrename from x.py\nrename to y.py\n"
        "--- a/x.py\n+++ b/y.py\n@@ -1 +1 @@\n-1\n+2\n"
        "diff --git a/p.py b/q.py\nsimilarity index 100%\nrename from p.py\nrename to q.py\n"
        "diff --git a/e b/e\ndeleted file mode 100644\n"
    )
    found = [(each.kind, each.path, each.new_path, each.old, each.new) for each in blocks(text)]
    assert found == [
        (BlockKind.EDIT, "new.py", "", (), ("a", "b")),
        (BlockKind.DELETE, "old.py", "", ("a", "b"), ()),
        (BlockKind.RENAME, "x.py", "y.py", (), ()),
        (BlockKind.EDIT, "y.py", "", ("1",), ("2",)),
        (BlockKind.RENAME, "p.py", "q.py", (), ()),
        (BlockKind.DELETE, "e", "", (), ()),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "A line of dashes:\n\n---\n+++ maybe\n",
        "--- a/x\nno plus\n@@ -1 +1 @@\n-a\n+b\n",
        "@@ -1 +1 @@\n-a\n+b\n",
        "- a list\n- of items\n+ more\n",
        fenced("--- a/x\n+++ b/x\n"),
        fenced("Some text\n" + PLAIN),  # cutting it out would break the fence
        "```diff\n" + PLAIN,  # it never ends
        fenced("--- a/x\n+++ b/x\n@@ -1 +1 @@\n same\n"),
    ],
)
def test_what_is_no_diff_stays_prose(text: str) -> None:
    assert blocks(text) == []


def test_a_blank_line_of_a_hunk_may_have_lost_its_blank() -> None:
    (block,) = blocks(fenced("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n\n"))
    assert (block.old, block.new) == (("a", "", "b"), ("a", "", "c"))


TEXT = st.lists(st.sampled_from("abcdefgh"), max_size=12, unique=True)


@given(TEXT, TEXT)
def test_what_difflib_writes_is_carried_out_exactly(before: list[str], after: list[str]) -> None:
    names = {"fromfile": "a/x", "tofile": "b/x", "lineterm": ""}
    diff = "".join(f"{line}\n" for line in difflib.unified_diff(before, after, **names, n=2))
    data = "".join(f"{line}\n" for line in before).encode()
    for block in blocks(fenced(diff)):
        done = replace_lines(data, block.old, block.new)
        assert isinstance(done, Replaced)
        data = done.data
    assert data == "".join(f"{line}\n" for line in after).encode()


LINES = [
    *("--- a/x", "+++ b/x", "@@ -1,2 +1 @@", "@@", "-a", "+b", " c", "", "```", "text"),
    *("diff --git a/x b/x", "rename from x", "rename to y", "deleted file mode 1", "\\ No"),
]


@given(st.lists(st.sampled_from(LINES)))
def test_whatever_comes_blocks_follow_each_other_in_the_text(lines: list[str]) -> None:
    text = "\n".join(lines)
    spans = [(block.span.start, block.span.end) for block in blocks(text)]
    flat = [0, *(place for span in spans for place in span), len(text)]
    assert flat == sorted(flat)
