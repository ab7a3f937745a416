from jupyter_ac.chat.prompt.blocks import (
    Block,
    Category,
    answer_block,
    file_block,
    note_block,
    question_block,
)
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.log_removals import ACKNOWLEDGEMENT, CompactedEntry, Removal, shorten
from jupyter_ac.ids import RepoPath

A, B = RepoPath("a.py"), RepoPath("b.py")


def entry(turn: str, *about: Block) -> CompactedEntry:
    return CompactedEntry(
        turn, Exchange((*about, question_block(turn)), answer_block(f"to {turn}"))
    )


LOG = [
    entry("1", file_block(A, "1")),
    entry("2", note_block(A, "gone"), file_block(B, "2")),
    entry("3"),
    entry("4", file_block(A, "4")),
]
TURNS = ["1", "2", "3", "4"]


def texts(log: list[CompactedEntry]) -> list[list[str]]:
    return [[block.text for block in one.exchange.sent] for one in log]


def test_a_compaction_keeps_the_newest_talk_behind_a_summary_and_no_files() -> None:
    log = shorten(LOG, TURNS, [Removal("summarize", "3", "3", "They spoke.")])
    assert log[0].exchange.sent[0].category is Category.SUMMARY
    assert "They spoke." in log[0].exchange.sent[0].text
    assert log[0].exchange.answer == ACKNOWLEDGEMENT
    assert texts(log[1:]) == [["3"], [file_block(A, "4").text, "4"]]


def test_a_truncation_leaves_no_summary() -> None:
    assert texts(shorten(LOG[:3], TURNS[:3], [Removal("truncate", "3", "2")])) == [["2"], ["3"]]


def test_copies_at_the_beginning_stay_where_they_stand() -> None:
    removal = Removal("summarize", "3", "3", "They spoke.", (A,))
    (first, *rest) = shorten(LOG, TURNS, [removal])
    assert first.exchange.sent[0] == LOG[0].exchange.sent[0]
    assert first.exchange.sent[1].category is Category.SUMMARY
    assert texts(rest) == [["3"], [file_block(A, "4").text, "4"]]
    assert (removal.is_compaction, removal.renews_head) == (True, False)
    again = Removal("truncate", "4", "4", paths=(A,))
    ((*_, last),) = [one.exchange.sent for one in shorten(LOG, TURNS, [removal, again])]
    assert texts(shorten(LOG, TURNS, [removal, again])) == [[file_block(A, "1").text, "4"]]
    assert last.text == "4"


def test_a_file_that_does_not_begin_the_log_does_not_stay() -> None:
    assert texts(shorten(LOG[:3], TURNS[:3], [Removal("truncate", "3", "2", paths=(B,))])) == [
        *(["2"], ["3"])
    ]


def test_a_copy_that_stayed_is_trimmed_like_any_other() -> None:
    removals = [Removal("summarize", "3", "3", "s", (A,)), Removal("trim", "3", paths=(A,))]
    assert len(shorten(LOG, TURNS, removals)[0].exchange.sent) == 1


def test_a_second_compaction_takes_the_first_summary_with_it() -> None:
    removals = [Removal("summarize", "2", "2", "one"), Removal("summarize", "4", "4", "two")]
    log = shorten(LOG, TURNS, removals)
    assert [one.turn_id for one in log] == ["", "4"]
    assert "two" in log[0].exchange.sent[0].text


def test_a_compaction_may_keep_nothing() -> None:
    log = shorten(LOG[:2], TURNS[:2], [Removal("summarize", "2", "", "all")])
    assert [one.turn_id for one in log] == [""]


def test_a_trim_takes_all_that_is_said_of_a_file_up_to_its_turn() -> None:
    log = shorten(LOG, TURNS, [Removal("trim", "3", paths=(A,))])
    assert texts(log) == [
        ["1"],
        [file_block(B, "2").text, "2"],
        ["3"],
        [file_block(A, "4").text, "4"],
    ]
    assert log[2] is LOG[2]


def test_a_removal_of_turns_that_are_not_there_is_ignored() -> None:
    assert shorten(LOG, TURNS, [Removal("truncate", "9", "3")]) == LOG


def test_both_answers_of_one_turn_stay_or_go_together() -> None:
    log = [entry("1"), entry("2"), entry("2"), entry("3")]
    kept = shorten(log, TURNS, [Removal("truncate", "3", "2")])
    assert [one.turn_id for one in kept] == ["2", "2", "3"]
