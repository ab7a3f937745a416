from collections.abc import Sequence

from jupyter_ac.chat.prompt.blocks import (
    Block,
    Category,
    answer_block,
    diff_block,
    file_block,
    question_block,
)
from jupyter_ac.chat.prompt.request_changes import SizedBlocks, request_changes
from jupyter_ac.context_rows import RequestChanges
from jupyter_ac.ids import RepoPath

RULES = Block(Category.SYSTEM, "rules" * 4)
A, B, C = (file_block(RepoPath(path), "text\n" * 5) for path in ("a.py", "b\n.py", "c.py"))
REMINDER = Block(Category.REMINDER, "remember")
FIRST, SECOND = question_block("first"), question_block("the second")
ANSWER = answer_block("an answer")


def sized(blocks: Sequence[Block]) -> SizedBlocks:
    return SizedBlocks(blocks, [len(block.text) for block in blocks])


def compared(
    before: Sequence[Block], after: Sequence[Block], shared: int, question: Block | None = SECOND
) -> RequestChanges:
    lasting = [block for block in before if block is not REMINDER]
    return request_changes(sized(before), sized(after), sized(lasting), shared, question)


def test_what_came_grew_and_went_is_listed_with_its_tokens_and_the_rest_is_not() -> None:
    grown = diff_block(A, "-1\n+2\n")
    before = [RULES, A, B, FIRST, REMINDER]
    after = [RULES, A, FIRST, ANSWER, grown, C, SECOND, REMINDER]
    found = compared(before, after, 2)
    size = {name: len(block.text) for name, block in zip("abc", (A, B, C), strict=True)}
    rows = {(row["category"], row["path"]): row for row in found["parts"]}
    assert {key: (row["before"], row["after"]) for key, row in rows.items()} == {
        ("files", "a.py"): (size["a"], size["a"] + len(grown.text)),
        ("files", "b\n.py"): (size["b"], 0),
        ("files", "c.py"): (0, size["c"]),
        ("history", ""): (len("first"), len("first") + len("an answer")),
        ("question", ""): (0, len("the second")),
    }
    assert rows["files", "b\n.py"]["name"] == "b\\n.py"
    changes = [abs(row["after"] - row["before"]) for row in found["parts"]]
    assert changes == sorted(changes, reverse=True)
    # By part, the differences are those of the whole requests.
    difference = sum(len(block.text) for block in after) - sum(len(block.text) for block in before)
    assert sum(row["after"] - row["before"] for row in found["parts"]) == difference


def test_the_cached_beginning_ends_where_the_requests_differ() -> None:
    before = [RULES, A, B, FIRST, REMINDER]
    found = compared(before, [RULES, A, FIRST, ANSWER, SECOND], 2)
    kept = len(RULES.text) + len(A.text)
    assert (found["kept_tokens"], found["lost_from"]) == (kept, "b\\n.py")
    assert found["lost_tokens"] == len(B.text) + len("first")
    found = compared(before, [RULES, A, B, FIRST, ANSWER, SECOND], 4)
    assert (found["lost_tokens"], found["lost_from"]) == (0, "")
    found = compared([FIRST, A], [SECOND], 0)
    assert (found["kept_tokens"], found["lost_from"]) == (0, "question")


def test_without_a_question_nothing_counts_as_one() -> None:
    found = compared([RULES, FIRST], [RULES, FIRST, ANSWER], 2, None)
    assert [row["category"] for row in found["parts"]] == ["history"]
    assert compared([RULES, FIRST], [RULES, FIRST], 2, None)["parts"] == []
