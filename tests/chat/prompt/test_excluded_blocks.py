import pytest

from jupyter_ac.agent.tools.result_text import OF_CELL
from jupyter_ac.chat.prompt.blocks import (
    Block,
    Category,
    answer_block,
    context_block,
    file_block,
    note_block,
    question_block,
    result_block,
    review_block,
)
from jupyter_ac.chat.prompt.excluded_blocks import LEFT_OUT, shows, withheld
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.maps import map_blocks, ranked_blocks
from jupyter_ac.chat.tool_calls import ToolCall
from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.text import map_text

HIDDEN, OTHER = RepoPath("vault/plan.py"), RepoPath("a.py")
EXCLUDED = ExcludedPaths((RepoPath("vault"),))


def result(text: str) -> Block:
    return Block(Category.RESULT, text, RepoPath("tool://read_file/1"))


GONE = [
    file_block(HIDDEN, "x = 1"),
    note_block(HIDDEN, "It is gone."),
    note_block(
        None, f"Selected, but left out because there is no room: b.py, {HIDDEN}. It is old."
    ),
    note_block(
        None, f"Images of outputs: image 0123 (cell one of {HIDDEN}); image 4 (cell 2 of b)."
    ),
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
    note_block(None, "Selected, but left out because there is no room: a.py."),
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


ODD = ExcludedPaths(tuple(map(RepoPath, ("a\x07b.py", "my\nfolder", "c\udcff.py", "d e.py"))))


def tool_result(tool: str, text: str) -> Block:
    return result_block(ToolCall("1", tool, "{}"), text)


def outline(path: str, names: str = "f(x) g") -> Block:
    return tool_result("outline", map_text({RepoPath(path): names}))


def item(source: str) -> Block:
    return context_block("cell", "x", f"cell of {source}, as of 12:00; material", "x = 1")


@pytest.mark.parametrize(
    ("block", "excluded"),
    [
        (tool_result("read_cell", f"{OF_CELL}\n{HIDDEN}\nx = 1"), EXCLUDED),
        (outline("vault/plan.py"), ExcludedPaths((HIDDEN,))),
        (outline("vault/plan.py", ""), ExcludedPaths((HIDDEN,))),
        (outline("plan.py"), ExcludedPaths((RepoPath("plan.py"),))),
        (outline("d/d e.py"), ExcludedPaths((RepoPath("d/d e.py"),))),
        (outline("my vault/a\x07b.py", ""), ExcludedPaths((RepoPath("my vault/a\x07b.py"),))),
        (item("work/repo/vault/plan.py"), EXCLUDED),
        (item("repo/vault/plan.py"), ExcludedPaths((HIDDEN,))),
        (item("vault/plan.py"), EXCLUDED),
        (item("repo/c\udcff.py"), ODD),
        (item("repo/d e.py"), ODD),
        (tool_result("search", r"a\x07b.py:1: x"), ODD),
        (tool_result("search", r"my\nfolder/x.py:1: x"), ODD),
        (tool_result("list_files", "1 file\n" + r"c\udcff.py"), ODD),
    ],
)
def test_names_in_the_forms_that_texts_have(block: Block, excluded: ExcludedPaths) -> None:
    assert shows(block, excluded)
    left = withheld(Exchange((block,), answer_block("So.")), excluded)
    assert [one.text for one in left.sent] == [LEFT_OUT]


@pytest.mark.parametrize(
    "block",
    [
        outline("src/plan.py"),
        outline("plan.py"),
        outline("vault/other.py", "plan.py"),
        tool_result("search", "src/vault/plan.py:1: x"),
        item("repo/my_vault/plan.py"),
        item("repo/vault/plan.pyi"),
    ],
)
def test_other_files_of_like_names_stay(block: Block) -> None:
    assert not shows(block, ExcludedPaths((HIDDEN,)))
