from jupyter_ac.chat.prompt.blocks import (
    Block,
    Category,
    answer_block,
    context_block,
    file_block,
    note_block,
    question_block,
    review_block,
)
from jupyter_ac.chat.prompt.excluded_blocks import LEFT_OUT, shows, withheld
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.maps import map_blocks, ranked_blocks
from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.ids import RepoPath

HIDDEN, OTHER = RepoPath("vault/plan.py"), RepoPath("a.py")
EXCLUDED = ExcludedPaths((RepoPath("vault"),))


def result(text: str) -> Block:
    return Block(Category.RESULT, text, RepoPath("tool://read_file/1"))


GONE = [
    file_block(HIDDEN, "x = 1"),
    note_block(HIDDEN, "It is gone."),
    Block(Category.DIFF, "-x\n+y\n", HIDDEN),
    review_block(RepoPath(f"review://changes/{HIDDEN}"), "what changes", "+y"),
    review_block(RepoPath("review://summary"), "the branch", f"- modified: {HIDDEN} +1 -0"),
]
MAPS = [*map_blocks("code", "The legend.", "src/ b.py: f", 1), *ranked_blocks("src/ b.py: f")]
REPLACED = [
    result(f"{HIDDEN}:1: x = 1"),
    context_block("selection", "x", f"selection of {HIDDEN}", "x = 1"),
    Block(Category.RETRY, f"1. {HIDDEN}: no such lines"),
]
STAYING = [
    file_block(OTHER, f"import {HIDDEN}"),
    review_block(RepoPath(f"review://changes/{OTHER}"), "what changes", "+y"),
    result("a.py:1: x = 1"),
    question_block(f"What does {HIDDEN} do?", 0),
]


def test_only_what_says_something_of_the_files_goes() -> None:
    answer = answer_block(f"{HIDDEN} does nothing.")
    exchange = Exchange((*GONE, *MAPS, *REPLACED, *STAYING), answer)
    left = withheld(exchange, EXCLUDED)
    assert left.answer == answer
    assert [block.text for block in left.sent] == [
        *[LEFT_OUT] * 3,
        *(block.text for block in STAYING),
    ]
    assert [block.path for block in left.sent[:3]] == [block.path for block in REPLACED]
    assert withheld(left, EXCLUDED) is left


def test_what_is_looked_for() -> None:
    for block in (*GONE, *REPLACED):
        assert shows(block, EXCLUDED), block
    for block in (*MAPS, *STAYING):
        assert not shows(block, EXCLUDED), block
    assert shows(ranked_blocks("vault/ plan.py: f")[0], EXCLUDED)
