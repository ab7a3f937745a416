import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.prompt.blocks import Block, Category, answer_block, file_block, question_block
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.prompt import Prompt
from jupyter_ac.chat.prompt.tiers import (
    RequestAges,
    demotions,
    placed,
    promotions,
    read_blocks,
    tier_of,
)
from jupyter_ac.ids import RepoPath

HEAD = (Block(Category.SYSTEM, "Rules."),)
A = RepoPath("a.py")


def prompt(exchanges: int, *ask: Block) -> Prompt:
    past = tuple(
        Exchange((question_block(f"q{number}"),), answer_block(f"a{number}"))
        for number in range(exchanges)
    )
    return Prompt(
        HEAD, past, (*ask, question_block("now")), reminder=(Block(Category.REMINDER, "R"),)
    )


def sent(requests: int) -> RequestAges:
    """No compaction in between."""
    return RequestAges(requests, requests)


@pytest.mark.parametrize(
    ("age", "tier"),
    [(0, "active"), (1, "L3"), (2, "L3"), (3, "L2"), (5, "L2"), (6, "L1"), (60, "L1")],
)
def test_the_tier_follows_from_the_age(age: int, tier: str) -> None:
    assert tier_of(age) == tier


def test_head_log_and_news_are_tiers_in_the_order_in_which_they_go_out() -> None:
    rows = placed(prompt(8), sent(8))
    assert [row.tier for row in rows] == [
        "L0",
        *("L1", "L1", "L1", "L1", "L1"),  # asked 8, 7 and 6 requests ago
        *("L2", "L2", "L2", "L2", "L2", "L2"),
        *("L3", "L3", "L3", "L3"),
        *("active", "active", "active"),  # the last answer goes back for the first time
    ]
    assert [row.n for row in rows[:4]] == [8, 8, 7, 7]
    assert {row.tier: row.threshold for row in rows} == {
        "L0": None,
        "L1": None,
        "L2": 6,
        "L3": 3,
        "active": 1,
    }


def test_a_compaction_makes_everything_young_again() -> None:
    assert {row.tier for row in placed(prompt(8), sent(0))} == {"L0", "active"}
    assert {row.tier for row in placed(prompt(8), sent(2))} == {"L0", "L3", "active"}


@given(st.integers(0, 30), st.integers(0, 30))
def test_tiers_never_go_back_and_nothing_is_left_out(exchanges: int, since: int) -> None:
    rows = placed(prompt(exchanges), sent(since))
    assert [row.block for row in rows] == prompt(exchanges).blocks
    order = ["L0", "L1", "L2", "L3", "active"]
    places = [order.index(row.tier) for row in rows]
    assert places == sorted(places)
    assert sum(row.starts_message for row in rows) == prompt(exchanges).message_count


def test_what_grows_older_is_promoted() -> None:
    assert promotions(placed(prompt(0), sent(0))) == []
    assert promotions(placed(prompt(3), sent(3))) == [
        "L3 → L2: 1 item — question",
        "active → L3: 2 items — answer, question",
    ]


def test_a_file_that_goes_out_anew_and_what_is_no_longer_sent_are_demoted() -> None:
    old, new = file_block(A, "1\n"), file_block(A, "2\n")
    before = Prompt(HEAD, (), (old, question_block("q")))
    past = (Exchange((old, question_block("q")), answer_block("a")),)
    after = Prompt(HEAD, past, (new, question_block("r")))
    assert demotions(placed(before, sent(0)), placed(after, sent(1))) == [
        "L3 → active: 1 item — a.py"
    ]
    shorter = Prompt(HEAD, (Exchange((question_block("q"),), answer_block("a")),), (new,))
    assert demotions(placed(after, sent(1)), placed(shorter, sent(2))) == [
        "L3 → no longer sent: 1 item — a.py",
        "active → no longer sent: 1 item — question",
    ]


def test_many_names_are_cut() -> None:
    files = tuple(file_block(RepoPath(f"{number}.py"), str(number)) for number in range(9))
    after = Prompt(HEAD, (Exchange((*files, question_block("q")), answer_block("a")),), ())
    (told,) = promotions(placed(after, sent(1)))
    assert told == "active → L3: 10 items — 0.py, 1.py, 2.py, 3.py, 4.py, …"


def test_a_block_is_read_when_more_than_half_of_it_is() -> None:
    rows = placed(Prompt(HEAD, (), (question_block("q"), question_block("r"))), sent(0))
    sizes = [100, 50, 50]  # 4 + 100, 4 + 50, 50
    assert [read_blocks(rows, sizes, read) for read in (0, 53, 54, 132, 133, 158, 183, 999)] == [
        *(0, 0, 1, 1, 2, 2, 3, 3)
    ]
