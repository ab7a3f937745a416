from collections.abc import Mapping, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.chat.prompt.blocks import Block, answer_block, file_block, question_block
from jupyter_ac.chat.prompt.log import Exchange, standing
from jupyter_ac.chat.prompt.log_removals import Case, CompactedEntry, Removal, shorten
from jupyter_ac.chat.prompt.turn_marks import (
    EXCLUDED_ANSWER,
    EXCLUDED_QUESTION,
    Mark,
    marked,
    marks_of,
    pinned_in,
    without_excluded,
)
from jupyter_ac.ids import RepoPath
from tests.support.examples import examples

A, B = RepoPath("a.py"), RepoPath("b.py")
TURNS = ["1", "2", "3", "4", "5"]


def entry(turn: str, *about: Block) -> CompactedEntry:
    return CompactedEntry(
        turn, Exchange((*about, question_block(f"ask {turn}")), answer_block(f"to {turn}"))
    )


LOG = [
    entry("1", file_block(A, "1")),
    entry("2"),
    entry("3", file_block(B, "3")),
    entry("4"),
    entry("5", file_block(A, "5")),
]


def mark(kind: Mark | None, *turns: str, through: str = "5") -> Removal:
    return marked(kind, turns, through, 1)


def texts(log: Sequence[CompactedEntry]) -> list[str]:
    return [block.text for one in log for block in (*one.exchange.sent, *one.exchange.reply)]


def test_the_newest_mark_of_a_turn_counts() -> None:
    made = [mark("exclude", "1", "2"), mark("pin", "2"), mark(None, "1", "4")]
    assert marks_of(made) == {"2": "pin"}
    assert pinned_in(made, TURNS) == ("2",)
    assert marks_of([Removal("summarize", "3", turns=("2",))]) == {}


def test_an_excluded_turn_that_brought_no_file_is_gone() -> None:
    left = without_excluded(LOG, [mark("exclude", "2", "4")])
    assert left == [LOG[0], LOG[2], LOG[4]]


def test_the_files_of_an_excluded_turn_stay_where_they_were_sent() -> None:
    first, *rest = without_excluded(LOG, [mark("exclude", "1")])
    assert first.exchange == Exchange((file_block(A, "1"), EXCLUDED_QUESTION), EXCLUDED_ANSWER)
    assert rest == LOG[1:]


def test_the_steps_of_an_excluded_run_are_one_exchange() -> None:
    log = [
        LOG[0],
        entry("2", file_block(A, "2")),
        entry("2"),
        entry("2", file_block(B, "3")),
        LOG[3],
    ]
    left = without_excluded(log, [mark("exclude", "2")])
    assert [one.turn_id for one in left] == ["1", "2", "4"]
    assert left[1].exchange.about_files == (
        file_block(A, "2"),
        file_block(B, "3"),
        EXCLUDED_QUESTION,
    )


def test_pins_change_nothing_that_is_sent() -> None:
    assert without_excluded(LOG, [mark("pin", *TURNS)]) == LOG


def test_marks_are_no_removals_of_their_own() -> None:
    assert shorten(LOG, TURNS, [mark("exclude", "1"), mark("pin", "2")]) == LOG
    assert not mark("exclude", "1").is_compaction
    assert not mark("pin", "1").renews_head


def test_a_compaction_keeps_the_talk_of_pinned_turns_behind_its_summary() -> None:
    removal = Removal("summarize", "4", "4", "They spoke.", turns=("1", "3"))
    log = shorten(LOG, TURNS, [removal])
    assert [one.turn_id for one in log] == ["", "1", "3", "4", "5"]
    assert texts(log[1:3]) == ["ask 1", "to 1", "ask 3", "to 3"]
    assert log[4] == LOG[4]


def test_a_compaction_keeps_pinned_turns_and_the_copies_at_the_beginning() -> None:
    removal = Removal("truncate", "4", "4", paths=(A,), turns=("2", "4"))
    log = shorten(LOG, TURNS, [removal])
    assert [one.turn_id for one in log] == ["2", "4", "5"]
    assert log[0].exchange.sent[0] == file_block(A, "1")


def test_in_the_middle_of_a_run_pinned_turns_stay_before_it() -> None:
    run = [*LOG[:3], entry("4"), entry("4"), entry("4")]
    log = shorten(run, TURNS, [Removal("steps", "4", summary="So.", steps=2, turns=("2",))])
    assert [one.turn_id for one in log] == ["", "2", "4"]


STEP = st.tuples(
    st.sampled_from(["exclude", "pin", None, "summarize", "truncate", "trim"]),
    st.lists(st.sampled_from(TURNS), min_size=1, max_size=3, unique=True),
)


MARKS: Mapping[str | None, Mark | None] = {"exclude": "exclude", "pin": "pin", None: None}


def made_of(steps: Sequence[tuple[str | None, list[str]]]) -> list[Removal]:
    """The records of a session in which these things were done, one after another."""
    made: list[Removal] = []
    for kind, turns in steps:
        if kind in MARKS:
            made.append(mark(MARKS[kind], *turns))
        elif kind == "trim":
            made.append(Removal("trim", turns[0], paths=(A,)))
        else:
            pins = pinned_in(made, TURNS)
            case: Case = "summarize" if kind == "summarize" else "truncate"
            made.append(Removal(case, "5", turns[0], "They spoke.", turns=pins))
    return made


@settings(max_examples=examples(200))
@given(st.lists(STEP, max_size=8))
def test_whatever_is_done_pinned_talk_is_sent_and_excluded_talk_is_not(
    steps: list[tuple[str | None, list[str]]],
) -> None:
    made = made_of(steps)
    sent = texts(without_excluded(shorten(LOG, TURNS, made), made))
    marks = marks_of(made)
    for turn in TURNS:
        if marks.get(turn) == "exclude":
            assert f"ask {turn}" not in sent
            assert f"to {turn}" not in sent
    was_pinned = {
        turn
        for turn in TURNS
        if marks.get(turn) == "pin"
        and all(
            marks_of(made[:number]).get(turn) == "pin"
            for number, each in enumerate(made)
            if each.is_compaction
        )
    }
    assert all(f"ask {turn}" in sent and f"to {turn}" in sent for turn in was_pinned)


@settings(max_examples=examples(200))
@given(st.lists(STEP, max_size=8), st.sampled_from(TURNS))
def test_what_stands_before_an_excluded_turn_goes_out_byte_for_byte(
    steps: list[tuple[str | None, list[str]]], turn: str
) -> None:
    made = made_of(steps)
    before = without_excluded(shorten(LOG, TURNS, made), made)
    made.append(mark("exclude", turn))
    after = without_excluded(shorten(LOG, TURNS, made), made)
    ids = [one.turn_id for one in before]
    place = ids.index(turn) if turn in ids else len(ids)
    assert after[:place] == before[:place]
    assert [one for one in after if one.turn_id != turn] == [
        one for one in before if one.turn_id != turn
    ]
    assert standing(one.exchange for one in after) == standing(one.exchange for one in before)
    made.append(mark(None, turn))
    whole = shorten(LOG, TURNS, made)
    assert [one for one in without_excluded(whole, made) if one.turn_id == turn] == [
        one for one in whole if one.turn_id == turn
    ]
